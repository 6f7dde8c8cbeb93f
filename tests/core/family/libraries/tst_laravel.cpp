// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/familyreading.h"

using namespace lockscope;

namespace {

const QByteArray cacheKey = "laravel_database_laravel_cache:order";

} // namespace

class TestLaravel : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// One token in 17 has no digit, and some of these look like words.
    void tokensWithoutADigit()
    {
        QCOMPARE(readAs(cacheKey, "PxLIhzIYZLleJojo"), "laravel likely");
        QCOMPARE(readAs(cacheKey, "kwvtebnzoiqjdrlx"), "laravel likely");
        QCOMPARE(readAs(cacheKey, "s:16:\"PxLIhzIYZLleJojo\";"), "laravel likely");
        QCOMPARE(readAs("order", "PxLIhzIYZLleJojo"), "token ambiguous: laravel go-zero");
        QCOMPARE(readAs("order", "kwvtebnzoiqjdrlx"), "token ambiguous");
    }

    void compressedByLzf()
    {
        QCOMPARE(readAs(cacheKey, "\x0f"
                                  "aB3dE6gH9jK2mN5p"),
                 "laravel likely");
        QCOMPARE(readAs(cacheKey, "\x17s:16:\"aB3dE6gH9jK2mN5p\";"), "laravel likely");
        QCOMPARE(readAs(cacheKey, "\x10"
                                  "aB3dE6gH9jK2mN5p"),
                 "unknown ambiguous");
        QCOMPARE(readAs("order", "\x0f"
                                 "aB3dE6gH9jK2mN5p"),
                 "unknown ambiguous");
    }

    /// What an application keeps beside its locks.
    void cachedValues()
    {
        QCOMPARE(readAs(cacheKey, "s:16:\"kwvtebnzoiqjdrlx\";"), "token ambiguous");
        QCOMPARE(readAs(cacheKey, "1234567890123456"), "unknown ambiguous");
        QCOMPARE(readAs(cacheKey, "\x0f"
                                  "1234567890123456"),
                 "unknown ambiguous");
    }
};

QTEST_APPLESS_MAIN(TestLaravel)
#include "tst_laravel.moc"
