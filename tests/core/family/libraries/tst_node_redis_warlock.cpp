// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/familyreading.h"

using namespace lockscope;

class TestNodeRedisWarlock : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void isRecognized()
    {
        const QByteArray token =
            QByteArray::fromHex("8f060b02c71611f09d410242ac120002").toBase64(); // drawn at readAt
        QCOMPARE(readAs("orders:lock", token), "node-redis-warlock likely");
        QCOMPARE(readAs("orders:lock", token, endless), "token ambiguous: node-redis-warlock");
        QCOMPARE(readAs("orders", token), "token ambiguous: node-redis-warlock");
        // Random bytes can look like a UUID, though not like one of these days.
        const QByteArray old = QByteArray::fromHex("8f060b02c71611e09d410242ac120002").toBase64();
        QCOMPARE(readAs("orders:lock", old), "token ambiguous: node-redis-warlock");
        QCOMPARE(readAs("orders:lock", "rL0Y20zC+Fzt72VPzMSk2A==").contains("warlock"), false);
        const OwnerFacts facts = ownerFacts("node-redis-warlock"_family, LockKey("k"), OwnerId(token));
        QVERIFY(qAbs(*facts.sinceMs - readAt) < 1000 && !facts.sinceIsTry);
        QCOMPARE(facts.node, "0242ac120002");
    }
};

QTEST_APPLESS_MAIN(TestNodeRedisWarlock)
#include "tst_node_redis_warlock.moc"
