// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/familyreading.h"

using namespace lockscope;

class TestIoredisLock : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// Nothing stored tells it from others: it is a candidate, until a rule says it.
    void isACandidate()
    {
        QVERIFY(readAs("orders", "8f060b02-c716-11f0-9d41-0242ac120002").startsWith("token ambiguous: "));
        QVERIFY((' ' + readAs("orders", "8f060b02-c716-11f0-9d41-0242ac120002") + ' ')
                    .contains(" ioredis-lock "));

        QCOMPARE(certaintyOf("ioredis-lock"_family, {Evidence::Rule, Evidence::Content}), Certainty::Certain);
    }
};

QTEST_APPLESS_MAIN(TestIoredisLock)
#include "tst_ioredis_lock.moc"
