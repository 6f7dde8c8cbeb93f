// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/familyreading.h"

using namespace lockscope;

class TestRedislock : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// Nothing stored tells it from others: it is a candidate, until a rule says it.
    void isACandidate()
    {
        QVERIFY(readAs("orders", "8f060b02-c716-11f0-9d41-0242ac120002").startsWith("token ambiguous: "));
        QVERIFY(
            (' ' + readAs("orders", "8f060b02-c716-11f0-9d41-0242ac120002") + ' ').contains(" redislock "));

        QCOMPARE(certaintyOf("redislock"_family, {Evidence::Rule, Evidence::Content}), Certainty::Certain);
    }
};

QTEST_APPLESS_MAIN(TestRedislock)
#include "tst_redislock.moc"
