// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/familyreading.h"

using namespace lockscope;

namespace {

const QByteArray token = "89abcdef0123456789abcdef0123456701234567";

HoldMode modeOf(const QByteArray &key)
{
    const StringValue string{key, token, shapeOf(token), milliseconds(30'000), 0};
    const std::optional<StringMatch> match = matchOf(specOf("redlock4j"_family), string);
    return match ? match->mode : HoldMode::Exclusive;
}

} // namespace

class TestRedlock4j : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void isRecognized()
    {
        QCOMPARE(readAs("orders:write", token), "redlock4j likely");
        QCOMPARE(readAs("orders:readers:" + token, token), "redlock4j likely");
        QCOMPARE(readAs("orders:readers:4711", token), "token ambiguous: redlock4j");
        QCOMPARE(readAs("orders:write", token, endless), "token ambiguous: redlock4j");
        QCOMPARE(readAs("orders", token), "token ambiguous: redlock4j");
    }

    /// A rule names what is ambiguous: a plain lock excludes all others.
    void aPlainLockIsExclusive()
    {
        QCOMPARE(modeOf("orders"), HoldMode::Exclusive);
        QCOMPARE(modeOf("orders:write"), HoldMode::Write);
        QCOMPARE(modeOf("orders:readers:" + token), HoldMode::Read);
    }
};

QTEST_APPLESS_MAIN(TestRedlock4j)
#include "tst_redlock4j.moc"
