// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/familyreading.h"

using namespace lockscope;

class TestRedisPlusPlus : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// Nothing stored tells it from others: it is a candidate, until a rule says it.
    void isACandidate()
    {
        QVERIFY(readAs("orders", "aB3dE5fG7hI9jK1lM3nO").startsWith("token ambiguous: "));
        QVERIFY((' ' + readAs("orders", "aB3dE5fG7hI9jK1lM3nO") + ' ').contains(" redis-plus-plus "));
        QVERIFY(!readAs("orders", "aB3dE5fG7hI9jK1l").contains("redis-plus-plus"));
        QCOMPARE(certaintyOf("redis-plus-plus"_family, {Evidence::Rule, Evidence::Content}),
                 Certainty::Certain);
    }
};

QTEST_APPLESS_MAIN(TestRedisPlusPlus)
#include "tst_redis_plus_plus.moc"
