// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/companionkeys.h"
#include "tests/support/familyreading.h"

using namespace lockscope;

class TestSimpleRedisMutex : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void isRecognized()
    {
        const QByteArray key = "@simple-redis-mutex:lock-orders";
        QCOMPARE(readAs(key, "0.6491170210265926"), "simple-redis-mutex certain");
        QCOMPARE(readAs(key, "0.6"), "simple-redis-mutex certain");
        QCOMPARE(readAs(key, "0.").startsWith("simple"), false);
        QCOMPARE(readAs(key, "1.5").startsWith("simple"), false);
        QCOMPARE(readAs("orders", "0.6491170210265926"), "token ambiguous");
        QVERIFY(isCompanion("@simple-redis-mutex:fencing-tokens"));
    }
};

QTEST_APPLESS_MAIN(TestSimpleRedisMutex)
#include "tst_simple_redis_mutex.moc"
