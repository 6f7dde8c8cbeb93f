// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/familyreading.h"

using namespace lockscope;

class TestRedisLock : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void isRecognized()
    {
        const QByteArray end = QByteArray::number(readAt + 30'000 + 1);
        QCOMPARE(readAs("lock.orders", end), "redis-lock likely");
        QCOMPARE(readAs("lock.orders", end, endless), "token ambiguous: redis-lock");
        QCOMPARE(readAs("lock.orders", QByteArray::number(readAt - 90'000'000'000)),
                 "token ambiguous: redis-lock");
        QCOMPARE(readAs("lock:orders", end), "token ambiguous");
        QCOMPARE(readAs("lock.orders", "4711").contains("redis-lock"), false);
        QCOMPARE(specOf("redis-lock"_family).ownerImpact, OwnerImpact::DeletesNextLock);
    }
};

QTEST_APPLESS_MAIN(TestRedisLock)
#include "tst_redis_lock.moc"
