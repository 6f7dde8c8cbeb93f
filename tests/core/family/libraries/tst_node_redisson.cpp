// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/familyreading.h"

using namespace lockscope;

class TestNodeRedisson : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void isRecognized()
    {
        const QByteArray id = "2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10:77b0c1de-0a64-4f7b-9c1d-5e21c7b0aa42";
        const auto hash = [](const QByteArray &field, const QByteArray &count) {
            return KeyContent(HashContent{{{field, count}}});
        };
        QCOMPARE(readAs("orders:7", hash(id, "2")), "node-redisson likely");
        QCOMPARE(readAs("orders:7", hash(id, "2"), milliseconds(30'000), Evidence::Renewals),
                 "node-redisson certain");
        // Without an end it may be a count of anything.
        QCOMPARE(readAs("orders:7", hash(id, "2"), endless), "reentrant ambiguous: node-redisson");
        QCOMPARE(readAs("orders:7", hash(id.chopped(1), "2")), "reentrant ambiguous");
        QCOMPARE(readAs("orders:7",
                        KeyContent(HashContent{{{id, "1"}, {"2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10:x", "1"}}}))
                     .startsWith("node"),
                 false);
        // Two UUIDs may name anything, such as a document of a tenant's user.
        QCOMPARE(readAs("orders:7", hash(id, "{}")).startsWith("node"), false);
        QCOMPARE(
            readAs("orders:7", hash(id, "{}"), milliseconds(30'000), Evidence::Renewals).startsWith("node"),
            false);
        QCOMPARE(recognize(LockKey("k"), hash(id, "{}"), milliseconds(30'000), readAt).problems, Problems());
        QCOMPARE(ownerFacts("node-redisson"_family, LockKey("k"), OwnerId(id)).client,
                 "2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10");
        QVERIFY(ownerFacts("node-redisson"_family, LockKey("k"), OwnerId("other")).client.isEmpty());
    }

    /// Java's names differ where a brace stands inside.
    void namesItsChannel()
    {
        const auto channel = specOf("node-redisson"_family).unlockChannel;
        QCOMPARE(channel(LockKey("orders:7")), "redisson_lock__channel:{orders:7}");
        QCOMPARE(channel(LockKey("orders:{7}")), "redisson_lock__channel:{orders:{7}}");
        QCOMPARE(channel(LockKey("{orders}:7")), "redisson_lock__channel:{orders}:7");
    }
};

QTEST_APPLESS_MAIN(TestNodeRedisson)
#include "tst_node_redisson.moc"
