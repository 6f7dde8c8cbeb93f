// SPDX-License-Identifier: GPL-3.0-or-later
// `record` and `replay` as they are used: an incident is recorded headless, and explained from the recording alone.
#include "tests/support/recordedfile.h"
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QFile>
#include <QTemporaryDir>

#include <csignal>

using namespace lockscope;

namespace {

constexpr int patienceMs = 30'000;
const QByteArray client = "7c9e6679-7425-40de-944b-e07fc1f90ae7:";

/// The program, recording.
class RecordingProgram
{
public:
    RecordingProgram(const RedisServer &server, const QString &path, const QStringList &options = {})
    {
        m_process.start(CliProgram::path(),
                        QStringList{QStringLiteral("-s"), server.socketPath(), QStringLiteral("record"), path,
                                    QStringLiteral("--json")} +
                            options);
        if (!QTest::qWaitFor([this] { return m_process.canReadLine(); }, patienceMs))
            qFatal("no line: %s", m_process.readAllStandardError().constData());
        keptJson("record", m_process.readLine());
    }
    ~RecordingProgram()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    void kill()
    {
        m_process.kill();
        m_process.waitForFinished(patienceMs);
    }
    /// Its exit status; -1: it died.
    int end()
    {
        m_process.terminate();
        return m_process.waitForFinished(patienceMs) && m_process.exitStatus() == QProcess::NormalExit
                   ? m_process.exitCode()
                   : -1;
    }
    QByteArray rest() { return keptJson("record", m_process.readAllStandardOutput()); }
    QByteArray errors() { return m_process.readAllStandardError(); }

private:
    QProcess m_process;
};

Ran replayed(const QString &path, const QList<QByteArray> &options = {})
{
    return CliProgram::run(QList<QByteArray>{"replay", QFile::encodeName(path)} + options);
}

QStringList eventsIn(const QByteArray &lines)
{
    QStringList events;
    for (const QByteArray &line : lines.split('\n')) {
        if (!line.isEmpty())
            events.append(jsonIn(line)[QStringLiteral("event")].toString() + u' ' +
                          jsonIn(line)[QStringLiteral("key")].toString());
    }
    return events;
}

bool tells(const QString &path, const QString &event)
{
    return eventsIn(replayed(path, {"--json"}).out).contains(event);
}

} // namespace

class TestCliRecord : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void anIncidentIsFoundAgain();
    void verifyDecidesAboutIt();
    void aClockThatWasSetIsTold();
    void whatWasWrittenSurvivesAKill();
    void wrongCallsAreRefused();
    void whatIsToldLate();
    void whoMadeOthersWait();
    void contradictingOrders();
    void nodesAndWhatWasBefore();

private:
    CliProgram m_cli;
};

void TestCliRecord::anIncidentIsFoundAgain()
{
    const RedisServer server;
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("incident"));
    server.cli({"HSET", "lock:early", client + "1", "1"});
    server.cli({"PEXPIRE", "lock:early", "600000"});
    RecordingProgram recording(server, path);
    QTRY_VERIFY_WITH_TIMEOUT(tells(path, QStringLiteral("found lock:early")), patienceMs);
    server.cli({"HSET", "lock:forgotten", client + "2", "1"});
    QTRY_VERIFY_WITH_TIMEOUT(tells(path, QStringLiteral("acquired lock:forgotten")), patienceMs);
    const qint64 then = QDateTime::currentMSecsSinceEpoch();
    server.cli({"DEL", "lock:forgotten"});
    QTRY_VERIFY_WITH_TIMEOUT(tells(path, QStringLiteral("released lock:forgotten")), patienceMs);
    QCOMPARE(recording.end(), 0);
    const QJsonObject ended = jsonIn(recording.rest());
    QVERIFY(ended[QStringLiteral("events")].toInt() >= 3);
    QCOMPARE(ended[QStringLiteral("lost")].toInt(), 0);

    // The moment before it was released.
    const Ran picture = replayed(path, {"--at", QByteArray::number(then), "--json"});
    VERIFY_EXIT(picture, 0);
    const QJsonArray locks = jsonIn(picture.out)[QStringLiteral("locks")].toArray();
    QCOMPARE(locks.size(), 2);
    QCOMPARE(locks[1].toObject()[QStringLiteral("key")].toString(), QStringLiteral("lock:forgotten"));
    QVERIFY(jsonIn(picture.out)[QStringLiteral("complete")].toBool());
    const qint64 left = locks[0].toObject()[QStringLiteral("ttl_ms")].toInteger();
    QVERIFY2(left > 0 && left <= 600'000, QByteArray::number(left));
    const QJsonObject forgotten = locks[1].toObject(); // what watching had told
    QVERIFY2(forgotten[QStringLiteral("held_at_most_ms")].isDouble() &&
                 forgotten.contains(QStringLiteral("state")),
             picture.out);
    const Ran table = replayed(path, {"--at", QByteArray::number(then)});
    VERIFY_EXIT(table, 0);
    QVERIFY2(table.out.contains("lock:forgotten") && table.out.contains("none"), table.out);

    const Ran some = replayed(path, {"--json", "--from", QByteArray::number(then), "--pattern", "lock:f*"});
    VERIFY_EXIT(some, 0);
    const QStringList events = eventsIn(some.out);
    QVERIFY(events.contains(QStringLiteral("released lock:forgotten")));
    QVERIFY(!events.contains(QStringLiteral("acquired lock:forgotten")));
    const Ran info = replayed(path, {"--info", "--json"});
    VERIFY_EXIT(info, 0);
    QCOMPARE(jsonIn(info.out)[QStringLiteral("events")].toInt(), ended[QStringLiteral("events")].toInt());
    VERIFY_EXIT(replayed(path, {"--info"}), 0);
    VERIFY_EXIT(replayed(path), 0);
}

void TestCliRecord::verifyDecidesAboutIt()
{
    const RedisServer server;
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("recording"));
    const auto verify = [&](const QByteArray &pattern) {
        return CliProgram::run({"verify", QFile::encodeName(path), "--pattern", pattern});
    };
    const auto counts = [&](const QByteArray &event, int count) {
        return eventsIn(replayed(path, {"--json"}).out).count(QString::fromLatin1(event)) == count;
    };
    server.cli({"HSET", "lock:early", client + "1", "1"});
    RecordingProgram recording(server, path, {QStringLiteral("--pattern"), QStringLiteral("lock:*")});
    QTRY_VERIFY_WITH_TIMEOUT(counts("found lock:early", 1), patienceMs);
    for (int i = 1; i <= 2; ++i) {
        server.cli({"HSET", "lock:clean", client + QByteArray::number(i), "1"});
        QTRY_VERIFY_WITH_TIMEOUT(counts("acquired lock:clean", i), patienceMs);
        server.cli({"DEL", "lock:clean"});
        QTRY_VERIFY_WITH_TIMEOUT(counts("released lock:clean", i), patienceMs);
    }
    server.cli({"EVAL",
                "redis.call('hset', KEYS[1], ARGV[1], 1, ARGV[2], 1) redis.call('pexpire', KEYS[1], 600000)",
                "1", "lock:both", client + "1", client + "2"});
    QTRY_VERIFY_WITH_TIMEOUT(tells(path, QStringLiteral("acquired lock:both")), patienceMs);
    QCOMPARE(recording.end(), 0);
    VERIFY_EXIT(verify("lock:clean"), 0);
    const Ran both = verify("lock:both");
    VERIFY_EXIT(both, 1);
    QVERIFY2(both.out.contains("held the lock at once."), both.out);
}

/// No end lies before its begin.
void TestCliRecord::aClockThatWasSetIsTold()
{
    RecordedFile recorded;
    recorded.setWatched(true);
    recorded.pass(std::chrono::minutes(2));
    recorded.confirm();
    recorded.setClock(-std::chrono::hours(1));
    recorded.pass(std::chrono::minutes(1));
    recorded.confirm();
    Ran info = replayed(recorded.path(), {"--info", "--json"});
    VERIFY_EXIT(info, 0);
    const QJsonObject told = jsonIn(info.out);
    QVERIFY2(told[QStringLiteral("from")].toInteger() < told[QStringLiteral("until")].toInteger(), info.out);
    info = replayed(recorded.path(), {"--info"});
    QCOMPARE(info.out.count("Clock set from"), 1);
}

void TestCliRecord::whatWasWrittenSurvivesAKill()
{
    const RedisServer server;
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("recording"));
    for (int round = 0; round < 3; ++round) {
        RecordingProgram recording(server, path);
        const QByteArray key = "lock:" + QByteArray::number(round);
        server.cli({"SET", key, "owner", "PX", "600000"});
        const QString acquired = QStringLiteral("acquired ") + QString::fromLatin1(key);
        const QString found = QStringLiteral("found ") + QString::fromLatin1(key);
        QTRY_VERIFY_WITH_TIMEOUT(tells(path, acquired) || tells(path, found), patienceMs);
        recording.kill();
        VERIFY_EXIT(replayed(path, {"--info"}), 0);
        QVERIFY(tells(path, acquired) || tells(path, found));
    }
    const QJsonArray gaps =
        jsonIn(replayed(path, {"--info", "--json"}).out)[QStringLiteral("gaps")].toArray();
    const auto pauses = std::ranges::count_if(gaps, [](const QJsonValue &gap) {
        return gap.toObject()[QStringLiteral("cause")].toString() == QStringLiteral("not-recorded");
    });
    QCOMPARE(pauses, 2);
}

void TestCliRecord::wrongCallsAreRefused()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("file"));
    VERIFY_EXIT(replayed(path), 3);
    QFile foreign(path);
    QVERIFY(foreign.open(QIODevice::WriteOnly));
    foreign.write("somebody's");
    foreign.close();
    const Ran refused = replayed(path);
    VERIFY_EXIT(refused, 3);
    QVERIFY2(refused.err.contains("is not a Lockscope recording"), refused.err);
    const Ran kept = CliProgram::run({"-p", "1", "record", QFile::encodeName(path)});
    VERIFY_EXIT(kept, 5);
    VERIFY_EXIT(CliProgram::run({"replay"}), 2);
    VERIFY_EXIT(CliProgram::run({"record"}), 2);
    VERIFY_EXIT(replayed(path, {"--at", "noon"}), 2);
    VERIFY_EXIT(replayed(path, {"--at", "12:00", "--info"}), 2);
    VERIFY_EXIT(replayed(path, {"--blame", "--info"}), 2);
    VERIFY_EXIT(replayed(path, {"--by", "owner"}), 2);
    VERIFY_EXIT(replayed(path, {"--blame", "--by", "color"}), 2);
    VERIFY_EXIT(CliProgram::run({"record", "x", "--max-size", "lots"}), 2);
}

/// An event belongs to the time when it happened.
void TestCliRecord::whatIsToldLate()
{
    RecordedFile file;
    file.setWatched(true);
    file.pass(std::chrono::milliseconds(5'100));
    const WatchedLock lock = file.held("lock:a", "owner");
    LockEvent event;
    event.kind = EventKind::Acquired;
    event.address = lock.lock.address;
    event.family = lock.lock.family;
    event.owners = lock.lock.owners;
    event.at = RecordedFile::epoch + file.now();
    event.wallMs = file.wallMs();
    file.pass(std::chrono::milliseconds(300));
    file.tell(LockDiff{.changed = {lock}, .removed = {}, .events = {event}});
    file.pass(std::chrono::seconds(5));
    file.finish();
    const QByteArray between = QByteArray::number(RecordedFile::wallBegin + 5'200);
    QVERIFY(!replayed(file.path(), {"--from", between}).out.contains("lock:a"));
    QVERIFY(replayed(file.path(), {"--to", between}).out.contains("lock:a"));
}

void TestCliRecord::whoMadeOthersWait()
{
    RecordedFile file;
    file.setWatched(true);
    file.pass(std::chrono::seconds(1));
    WatchedLock lock = file.held("lock:a", client + '1');
    CompanionState companions;
    companions.waiters = {WaiterCertainty::Exact, 1, {Waiter{OwnerId(client + '2'), {}}}};
    lock.lock.companions = CompanionStatePtr(companions);
    LockDiff diff;
    diff.changed = {lock};
    file.acquire("lock:a", client + '1');
    file.tell(diff);
    file.pass(std::chrono::seconds(7));
    file.release("lock:a");
    file.finish();

    const Ran blamed = replayed(file.path(), {"--blame"});
    VERIFY_EXIT(blamed, 0);
    QVERIFY2(blamed.out.contains("waited ~7.0 s in 1 episode\n"), blamed.out);
    QVERIFY2(blamed.out.contains(client + '1'), blamed.out);
    const QJsonObject byPair = jsonIn(replayed(file.path(), {"--blame", "--by", "pair", "--json"}).out);
    const QJsonObject pair = byPair[QStringLiteral("ranking")].toArray().at(0).toObject();
    QCOMPARE(pair[QStringLiteral("waited_ms")].toInt(), 7000);
    QCOMPARE(pair[QStringLiteral("blocker")].toString().toLatin1(), client + '1');
    QCOMPARE(pair[QStringLiteral("waiter")].toString().toLatin1(), client + '2');
    const QJsonObject episode = byPair[QStringLiteral("episodes")].toArray().at(0).toObject();
    QCOMPARE(episode[QStringLiteral("lock")].toString(), QStringLiteral("lock:a"));
    QCOMPARE(episode[QStringLiteral("chain")].toArray().size(), 1);
    QVERIFY(jsonIn(replayed(file.path(), {"--blame", "--json", "--pattern", "other:*"})
                       .out)[QStringLiteral("episodes")]
                .toArray()
                .isEmpty());
}

void TestCliRecord::contradictingOrders()
{
    RecordedFile file;
    file.setWatched(true);
    const auto nested = [&file](const QByteArray &owner, const QByteArrayList &locks) {
        for (const QByteArray &lock : locks) {
            file.pass(std::chrono::seconds(1));
            file.acquire(lock, owner);
        }
        file.pass(std::chrono::seconds(1));
        for (const QByteArray &lock : locks)
            file.release(lock);
    };
    nested(client + '1', {"lock:a", "lock:b"});
    nested(client + '2', {"lock:b", "lock:a"});
    file.finish();
    const Ran told = replayed(file.path(), {"--order"});
    VERIFY_EXIT(told, 0);
    QVERIFY2(told.out.startsWith("Can deadlock:\n  lock:a → lock:b, 1 time; at "), told.out);
    const QJsonObject json = jsonIn(replayed(file.path(), {"--order", "--json"}).out);
    QCOMPARE(json[QStringLiteral("orders")].toInt(), 2);
    const QJsonObject cycle = json[QStringLiteral("cycles")].toArray().at(0).toObject();
    QCOMPARE(cycle[QStringLiteral("risk")].toString(), QStringLiteral("deadlock"));
    QCOMPARE(cycle[QStringLiteral("orders")].toArray().size(), 2);
}

/// A cluster's nodes are lost and come back; what was so before `--from` is not told as if it came then.
void TestCliRecord::nodesAndWhatWasBefore()
{
    RecordedFile file;
    WatchState watching = RecordedFile::clusterReady();
    watching.feed.routes = {{"lock:*", FeedMode::Tracking}};
    file.tell(watching);
    file.tell(QList<Deadlock>{{{{LockKey("lock:a"), "a:1", "b:2"}, {LockKey("lock:b"), "b:2", "a:1"}}}});
    file.pass(std::chrono::seconds(10));
    WatchState poor = watching;
    poor.missingNodes = {"10.0.0.2:6379"};
    file.tell(poor);
    file.pass(std::chrono::seconds(10));
    file.tell(watching);
    file.pass(std::chrono::seconds(10));
    file.tell(QList<Deadlock>());
    file.finish();
    QCOMPARE(eventsIn(replayed(file.path(), {"--json"}).out),
             (QStringList{QStringLiteral("feed "), QStringLiteral("deadlock "), QStringLiteral("node-lost "),
                          QStringLiteral("node-ready "), QStringLiteral("deadlock-ended ")}));
    const QByteArray from = QByteArray::number(RecordedFile::wallBegin + 15'000);
    QCOMPARE(eventsIn(replayed(file.path(), {"--json", "--from", from}).out),
             (QStringList{QStringLiteral("node-ready "), QStringLiteral("deadlock-ended ")}));
}

QTEST_GUILESS_MAIN(TestCliRecord)
#include "tst_clirecord.moc"
