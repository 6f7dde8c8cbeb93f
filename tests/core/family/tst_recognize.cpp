// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;

namespace {

using Fields = QList<std::pair<QByteArray, QByteArray>>;

/// "family owner×count … problems" as one line.
QByteArray picture(const Recognition &r)
{
    QByteArray text = specOf(r.family).name;
    for (const LockOwner &holder : r.family == "unknown"_family ? QList<LockOwner>() : r.owners) {
        text +=
            ' ' + holder.owner.bytes + 'x' + (holder.holdCount ? QByteArray::number(*holder.holdCount) : "?");
        if (holder.mode != HoldMode::Exclusive)
            text += holder.mode == HoldMode::Read ? "r" : "w";
    }
    if (r.problems & Problem::BadCount)
        text += " bad-count";
    if (r.problems & Problem::SeveralOwners)
        text += " several-owners";
    if (r.problems & Problem::WrongType)
        text += " wrong-type";
    if (r.problems & Problem::TooBig)
        text += " too-big";
    if (!r.attachedTo.isEmpty())
        text += " ->" + r.attachedTo.bytes;
    return text;
}

} // namespace

class TestRecognize : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void recognizesHashes_data()
    {
        QTest::addColumn<Fields>("fields");
        QTest::addColumn<bool>("complete");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("one owner") << Fields{{"u:1", "2"}} << true << QByteArray("reentrant u:1x2");
        QTest::newRow("count no number")
            << Fields{{"u:1", "abc"}} << true << QByteArray("reentrant u:1x? bad-count");
        QTest::newRow("count 0") << Fields{{"u:1", "0"}} << true << QByteArray("reentrant u:1x? bad-count");
        QTest::newRow("count negative")
            << Fields{{"u:1", "-1"}} << true << QByteArray("reentrant u:1x? bad-count");
        QTest::newRow("two owners, sorted") << Fields{{"worker-b", "1"}, {"worker-a", "1"}} << true
                                            << QByteArray("reentrant worker-ax1 worker-bx1 several-owners");
        QTest::newRow("two owners, one corrupt")
            << Fields{{"worker-a", "1"}, {"worker-b", "x"}} << true
            << QByteArray("reentrant worker-ax1 worker-bx? bad-count several-owners");
        QTest::newRow("a record") << Fields{{"name", "Ann"}, {"city", "Ulm"}} << true
                                  << QByteArray("unknown");
        QTest::newRow("owner empty") << Fields{{"", "1"}} << true << QByteArray("unknown");
        QTest::newRow("more than was read")
            << Fields{{"a", "1"}, {"b", "1"}} << false << QByteArray("unknown");
    }

    void recognizesHashes()
    {
        QFETCH(Fields, fields);
        QFETCH(bool, complete);
        QFETCH(QByteArray, expected);
        QCOMPARE(
            picture(recognize(LockKey("lock:k"), HashContent{fields, complete}, milliseconds(30'000), 0)),
            expected);
    }

    void recognizesStrings()
    {
        QCOMPARE(picture(recognize(LockKey("k"), StringContent{"a-token", true}, {}, 0)), "token a-tokenx1");
        QCOMPARE(picture(recognize(LockKey("k"), StringContent{"", true}, {}, 0)), "unknown");
        QCOMPARE(
            picture(recognize(LockKey("k"), StringContent{QByteArray(128, 'x'), true}, milliseconds(9), 0))
                .left(5),
            "token");
        QCOMPARE(picture(recognize(LockKey("k"), StringContent{QByteArray(513, 'x'), true}, {}, 0)),
                 "unknown");
        QCOMPARE(picture(recognize(LockKey("k"), StringContent{QByteArray(1024, 'x'), false}, {}, 0)),
                 "unknown");
        QCOMPARE(picture(recognize(LockKey("k"), OtherContent{}, {}, 0)), "unknown wrong-type");
    }

    void parsesCounts_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("expected"); // 0: none
        QTest::newRow("1") << QByteArray("1") << qint64(1);
        QTest::newRow("15 digits") << QByteArray("999999999999999") << qint64(999'999'999'999'999);
        for (const char *bad :
             {"", "0", "01", "-1", "+1", " 1", "1 ", "1.0", "abc", "1000000000000000", "9223372036854775807"})
            QTest::newRow(bad) << QByteArray(bad) << qint64(0);
    }

    void parsesCounts()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, expected);
        QCOMPARE(parseCount(text).value_or(0), expected);
    }
};

QTEST_GUILESS_MAIN(TestRecognize)
#include "tst_recognize.moc"
