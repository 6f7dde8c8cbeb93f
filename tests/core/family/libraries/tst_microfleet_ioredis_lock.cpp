// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/familyreading.h"

using namespace lockscope;

class TestMicrofleetIoredisLock : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// Nothing stored tells it from others: it is a candidate, until a rule says it.
    void isACandidate()
    {
        QVERIFY(readAs("orders", "2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10").startsWith("token ambiguous: "));
        QVERIFY((' ' + readAs("orders", "2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10") + ' ')
                    .contains(" microfleet-ioredis-lock "));
        QVERIFY(!readAs("redlock:orders", "2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10")
                     .contains("microfleet-ioredis-lock"));
        QVERIFY(
            !readAs("orders", "8f060b02-c716-11f0-9d41-0242ac120002").contains("microfleet-ioredis-lock"));
        QCOMPARE(certaintyOf("microfleet-ioredis-lock"_family, {Evidence::Rule, Evidence::Content}),
                 Certainty::Certain);
    }
};

QTEST_APPLESS_MAIN(TestMicrofleetIoredisLock)
#include "tst_microfleet_ioredis_lock.moc"
