// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/familyreading.h"

using namespace lockscope;

class TestRedisMutex : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void isRecognized()
    {
        QCOMPARE(readAs("checkout", "mutex"), "token ambiguous: redis-mutex");
        QCOMPARE(readAs("checkout", "mutex", milliseconds(30'000), Evidence::Renewals),
                 "token ambiguous: redis-mutex");
        QCOMPARE(readAs("checkout", "mutex1").contains("redis-mutex"), false);
        QCOMPARE(specOf("redis-mutex"_family).ownerImpact, OwnerImpact::ExitsDeleting);
    }
};

QTEST_APPLESS_MAIN(TestRedisMutex)
#include "tst_redis_mutex.moc"
