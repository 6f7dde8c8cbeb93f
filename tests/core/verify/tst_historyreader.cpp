// SPDX-License-Identifier: GPL-3.0-or-later
// JSON lines of a history, right and wrong; and the holds of a recording.
#include "core/recording/recordedhistory.h"
#include "core/recording/recording.h"
#include "core/verify/historycheck.h"
#include "core/verify/historyreader.h"
#include "core/verify/recordedoperations.h"
#include "tests/support/recordedfile.h"

#include <QBuffer>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

using Verdict = LockCheck::Verdict;

namespace {

Result<OperationHistory> read(QByteArray text)
{
    QBuffer buffer(&text);
    buffer.open(QIODevice::ReadOnly);
    return HistoryReader::read(buffer);
}

const QByteArray invoked = R"({"type":"invoke","process":"a","lock":"l","operation":"acquire","time":1})"
                           "\n";

OperationHistory recorded(RecordedFile &file)
{
    file.finish();
    const Result<Recording> recording = Recording::open(file.path());
    return recording ? operationsIn(historyOf(*recording, 0ms, recording->length())) : OperationHistory();
}

} // namespace

class TestHistoryReader : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void allFieldsAreRead()
    {
        const auto history = read(R"({"type":"model","model":"fair","clock_ms":2}
{"type":"model","lock":"s","model":"permits","permits":3}

{"type":"invoke","process":7,"owner":"w","lock":"l","operation":"acquire","time_ms":1.5,"lease_ms":20,"more":[]}
{"type":"ok","process":7,"time":2000000,"token":9,"queued_ms":1.75}
{"type":"invoke","process":"b","lock":"l","operation":"write","time":1790000000123456789,"mode":"read"}
{"type":"info","process":"b","time":1790000000123456789}
{"type":"gap","time_ms":5,"until_ms":6}
)");
        QVERIFY(history);
        QCOMPARE(history->events, 4);
        QCOMPARE(history->clockBound, 2'000'000);
        QCOMPARE(history->locks.size(), size_t(2));
        const VerifiedLock &permits = history->locks[0], &lock = history->locks[1];
        QCOMPARE(permits.capacity, 3);
        QVERIFY(permits.model == LockModel::Permits && lock.model == LockModel::Fair);
        QCOMPARE(lock.unseen.size(), size_t(1));
        const LockOperation &acquired = lock.operations[0], &written = lock.operations[1];
        QCOMPARE(history->names[size_t(acquired.process)], "7");
        QCOMPARE(history->names[size_t(acquired.owner)], "w");
        QCOMPARE(acquired.invokedAt, 1'500'000);
        QCOMPARE(acquired.endedAt, 2'000'000);
        QCOMPARE(acquired.queuedAt, 1'750'000);
        QCOMPARE(acquired.lease, 20'000'000);
        QCOMPARE(acquired.token, 9);
        QCOMPARE(acquired.endLine, 5);
        QCOMPARE(written.invokedAt, 1790000000123456789);
        QVERIFY(written.outcome == LockOperation::Outcome::Unknown);
        QVERIFY(written.mode == LockOperation::Mode::Read);
    }

    void wrongLines_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("error");
        QTest::newRow("empty") << QByteArray() << QStringLiteral("No operations");
        QTest::newRow("no JSON") << invoked + "{\"type\n" << QStringLiteral("line 2: no JSON object");
        QTest::newRow("bytes") << invoked + "{\"type\":\"\xff\"}\n" << QStringLiteral("line 2: no JSON");
        QTest::newRow("a list") << QByteArray("[1]\n") << QStringLiteral("line 1: no JSON object");
        QTest::newRow("type") << QByteArray("{}\n") << QStringLiteral("line 1: 'type' must be");
        QTest::newRow("operation") << QByteArray(
                                          R"({"type":"invoke","process":1,"time":1,"operation":"lock"})")
                                   << QStringLiteral("'operation' must be acquire, release");
        QTest::newRow("no process") << QByteArray(R"({"type":"invoke","time":1})")
                                    << QStringLiteral("'process' is missing");
        for (const char *field : {"process", "lock", "owner"})
            QTest::newRow(field)
                << QByteArray(invoked).replace(R"("time":1)",
                                               R"("time":1,")" + QByteArray(field) + R"(":["b"])")
                << QStringLiteral("line 1: '%1' must be a text or a number.").arg(QLatin1String(field));
        QTest::newRow("lock of a gap") << QByteArray(R"({"type":"gap","time":1,"until":2,"lock":{}})")
                                       << QStringLiteral("line 1: 'lock' must be");
        QTest::newRow("lock of a model") << QByteArray(R"({"type":"model","model":"fair","lock":true})")
                                         << QStringLiteral("line 1: 'lock' must be");
        QTest::newRow("no time") << QByteArray(R"({"type":"invoke","process":1})")
                                 << QStringLiteral("'time' is missing");
        QTest::newRow("text as time") << QByteArray(R"({"type":"invoke","process":1,"time":"1"})")
                                      << QStringLiteral("'time' is no number");
        QTest::newRow("huge time") << QByteArray(R"({"type":"invoke","process":1,"time":1e300})")
                                   << QStringLiteral("'time' is no number, or out of range");
        QTest::newRow("end alone") << QByteArray(R"({"type":"ok","process":"b","time":1})")
                                   << QStringLiteral("line 1: process b ends an operation");
        QTest::newRow("ends twice") << invoked + R"({"type":"ok","process":"a","time":1}
{"type":"ok","process":"a","time":1})"
                                    << QStringLiteral("line 3: process a ends");
        QTest::newRow("begins twice") << invoked + invoked << QStringLiteral("operation of line 1");
        QTest::newRow("other lock") << invoked + R"({"type":"ok","process":"a","lock":"m","time":1})"
                                    << QStringLiteral("line 2: another operation");
        QTest::newRow("token") << invoked + R"({"type":"ok","process":"a","time":1,"token":-1})"
                               << QStringLiteral("'token' must be");
        QTest::newRow("mode") << invoked + R"({"type":"ok","process":"a","time":1,"mode":"x"})"
                              << QStringLiteral("'mode' must be");
        QTest::newRow("permits") << invoked + R"({"type":"ok","process":"a","time":1,"permits":0})"
                                 << QStringLiteral("'permits' must be from 1");
        QTest::newRow("model") << QByteArray(R"({"type":"model","model":"x"})")
                               << QStringLiteral("'model' must be mutex, reentrant");
        QTest::newRow("long") << "{\"type\":\"" + QByteArray(2 << 20, 'x') + "\"}\n"
                              << QStringLiteral("line 1: longer than");
    }
    void wrongLines()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, error);
        const auto history = read(text);
        QVERIFY(!history);
        QVERIFY2(history.error().note.inEnglish().contains(error),
                 qPrintable(history.error().note.inEnglish()));
    }

    void nullIsAbsent()
    {
        const auto history =
            read(R"({"type":"model","model":"fair","lock":null})"
                 "\n" +
                 invoked + R"({"type":"ok","process":"a","time":1,"lock":null,"owner":null})");
        QVERIFY(history);
        QCOMPARE(history->locks.size(), size_t(1));
        QVERIFY(history->locks[0].model == LockModel::Fair);
        QCOMPARE(history->names, std::vector<QByteArray>{"a"});
    }

    void aClockSetBackIsToldUnlessWithinTheBound()
    {
        const QByteArray back = invoked + R"({"type":"ok","process":"a","time":-5})";
        QCOMPARE(read(back)->locks[0].setBackLine, 2);
        QCOMPARE(read(R"({"type":"model","clock":6})"
                      "\n" +
                      back)
                     ->locks[0]
                     .setBackLine,
                 0);
        const auto both = read(back + R"(
{"type":"invoke","process":"b","operation":"acquire","lock":"other","time":3})");
        QVERIFY(both);
        QCOMPARE(both->locks[0].setBackLine, 2);
        QCOMPARE(both->locks[1].setBackLine, 0); // the process has not used it
    }

    void theLargestClockBoundCounts()
    {
        QCOMPARE(read(R"({"type":"model","lock":"l","clock":6}
{"type":"model","lock":"m","clock":2}
)" + invoked)
                     ->clockBound,
                 6);
    }

    void modelsByContent()
    {
        const auto modelOf = [](const char *more) {
            return read(invoked + R"({"type":"ok","process":"a","time":1)" + more + "}")
                ->locks[0]
                .modelOr({});
        };
        QVERIFY(modelOf("") == LockModel::Mutex);
        QVERIFY(modelOf(R"(,"token":1)") == LockModel::Fenced);
        QVERIFY(modelOf(R"(,"mode":"read")") == LockModel::ReadWrite);
        QVERIFY(modelOf(R"(,"permits":1)") == LockModel::Permits);
    }

    void aRecordingWithOneOwnerAtATime()
    {
        RecordedFile file;
        file.setWatched(true);
        for (int i = 0; i < 3; ++i) {
            file.pass(1s);
            file.acquire("lock:a", i == 1 ? "two" : "one");
            file.pass(1s);
            file.release("lock:a");
        }
        file.pass(1s);
        file.confirm();
        const OperationHistory history = recorded(file);
        QCOMPARE(history.locks.size(), size_t(1));
        QCOMPARE(history.locks[0].operations.size(), size_t(6));
        QVERIFY(checkHistory(history)[0].verdict == Verdict::Holds);
    }

    void twoOwnersInOneReadingOfARecording()
    {
        RecordedFile file;
        file.setWatched(true);
        file.pass(1s);
        file.acquire("lock:a", "one");
        file.pass(1s);
        WatchedLock both = file.held("lock:a", "two");
        LockEvent second;
        second.kind = EventKind::Acquired;
        second.address.key = both.key();
        second.family = both.lock.family;
        second.owners = both.lock.owners;
        second.others = 1;
        second.at = RecordedFile::epoch + file.now();
        second.wallMs = file.wallMs();
        both.lock.owners.append(LockOwner{OwnerId("one"), "1", 1});
        file.tell(LockDiff{.changed = {both}, .removed = {}, .events = {second}});
        file.pass(1s);
        file.confirm();
        OperationHistory history = recorded(file);
        const LockCheck check = checkHistory(history)[0];
        QVERIFY(check.verdict == Verdict::Violated);
        QVERIFY(check.reason == LockCheck::Reason::Overlap);
        history.locks[0].isPolled = true;
        QVERIFY(checkHistory(history)[0].verdict == Verdict::Violated);
    }

    void aGapBeforeTheFirstAcquisitionDoesNotCount()
    {
        const auto verdictAfter = [](int holds) {
            RecordedFile file;
            file.setWatched(true);
            for (int i = 0; i <= holds; ++i) {
                file.pass(1s);
                if (i == holds) {
                    file.setWatched(false);
                    file.pass(5s);
                    file.setWatched(true);
                    file.pass(1s);
                }
                file.acquire("lock:a", "one");
                file.pass(1s);
                file.release("lock:a");
            }
            file.pass(1s);
            file.confirm();
            const OperationHistory history = recorded(file);
            const std::vector<LockOperation> &operations = history.locks[0].operations;
            const LockOperation &acquired = operations[operations.size() - 2];
            // The gap ended a second before.
            return acquired.endedAt - acquired.invokedAt == 1'000'000'000 ? checkHistory(history)[0].verdict
                                                                          : Verdict::Violated;
        };
        QCOMPARE(verdictAfter(0), Verdict::Holds);
        QCOMPARE(verdictAfter(1), Verdict::Undecided);
    }

    void aGapOfARecordingIsUndecided()
    {
        RecordedFile file;
        file.setWatched(true);
        file.pass(1s);
        file.acquire("lock:a", "one");
        file.pass(1s);
        file.setWatched(false);
        file.pass(5s);
        file.setWatched(true);
        file.pass(1s);
        file.confirm();
        const LockCheck check = checkHistory(recorded(file))[0];
        QVERIFY(check.verdict == Verdict::Undecided);
        QVERIFY(check.reason == LockCheck::Reason::Unseen);
    }
};

QTEST_GUILESS_MAIN(TestHistoryReader)
#include "tst_historyreader.moc"
