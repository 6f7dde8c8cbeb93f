// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/referee/coordinator.h"
#include "tests/support/redisserver.h"

#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>

#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;
using Kind = RefereeEvent::Kind;

namespace {

RefereeEvent made(Kind kind, int worker, int lock = 0)
{
    RefereeEvent event;
    event.kind = kind;
    event.worker = worker;
    event.lock = lock;
    return event;
}

/// Every beginning of some bytes, and the bytes with more behind them.
template <typename Read>
void verifyOnlyTheWhole(const QByteArray &bytes, Read read)
{
    QVERIFY(read(bytes));
    for (qsizetype length = 0; length < bytes.size(); ++length)
        QVERIFY2(!read(bytes.left(length)), QByteArray::number(length));
    QVERIFY(!read(bytes + "abcd"));
    QVERIFY(!read("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"));
}

} // namespace

class TestBoard : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void aChargeSurvives();
    void aStatusSurvives();
    void aRoundSurvives();
    void eventsComeInOrder();
    void eventsOfManyHaveOneOrder();
    void theClockIsTheBoards();
    void whatIsReadIsGone();
    void aLostBoardIsNoticed();
};

void TestBoard::aChargeSurvives()
{
    board::ChildConfig charge;
    charge.server.transport = ServerAddress::Transport::Tls;
    charge.server.host = QStringLiteral("redis.example");
    charge.server.port = 6390;
    charge.server.database = 3;
    charge.server.user = "worker";
    charge.server.password = QByteArray("se\0cret\n", 8);
    charge.server.caFile = QStringLiteral("/ca.pem");
    charge.server.certificateFile = QStringLiteral("/certificate.pem");
    charge.server.keyFile = QStringLiteral("/key.pem");
    charge.server.serverName = QStringLiteral("name");
    charge.server.insecure = true;
    charge.board.transport = ServerAddress::Transport::Unix;
    charge.board.socketPath = QStringLiteral("/tmp/s");
    charge.plan.name = "charged";
    charge.plan.workers = 7;
    charge.plan.algorithm = {StrategyKind::TokenSet, ReleaseMethod::CheckThenDelete, WakeMethod::Backoff};
    Iteration visit;
    visit.startAt = 5ms;
    visit.fault = Fault::PauseInRelease;
    charge.plan.script = {{visit}, {visit, visit}};
    charge.keys = {"sim:a:1", QByteArray("sim:\0\n:2", 8)};
    charge.process = 2;
    charge.first = 4;
    charge.count = 3;
    charge.start = TimePoint(123'456'789'012'345ns);

    const QByteArray line = board::written(charge);
    QCOMPARE(line.count('\n'), 1);
    QVERIFY(line.endsWith('\n'));
    const std::optional<board::ChildConfig> read = board::readConfig(line);
    QVERIFY(read);
    QVERIFY(read->server == charge.server);
    QVERIFY(read->board == charge.board);
    QCOMPARE(read->plan.toJson(), charge.plan.toJson());
    QCOMPARE(read->keys, charge.keys);
    QCOMPARE(read->process, 2);
    QCOMPARE(read->first, 4);
    QCOMPARE(read->count, 3);
    QVERIFY(read->start == charge.start);
    for (const QByteArray &bad : {QByteArray(), QByteArray("\n"), QByteArray("stop\n"), line.left(40),
                                  line.chopped(9), QByteArray(200, '\xFF')})
        QVERIFY(!board::readConfig(bad));
}

void TestBoard::aStatusSurvives()
{
    board::Status status;
    WorkerView view;
    view.state = WorkerState::Holding;
    view.lock = 3;
    view.holds = 2;
    view.since = 17us;
    view.acquired = 40;
    status.views = {WorkerView{}, view};
    WorkerStats tally;
    tally.attempts = 1;
    tally.acquired = 2;
    tally.refused = 3;
    tally.timedOut = 4;
    tally.lost = 5;
    tally.errors = 6;
    tally.crashes = 7;
    tally.pauses = 8;
    tally.commands = 9;
    tally.execsRefused = 10;
    for (int i = 1; i < 3000; ++i)
        tally.wait.record(microseconds(i * i));
    tally.hold.record(5ms);
    status.workerStats = {WorkerStats{}, tally};
    status.log = {{LogLine::What::Paused, 1, 2, 3us, 4}};
    status.error = Error{ErrorKind::WrongPassword, "no"};
    status.commandsByNobody = 11;
    status.hasEnded = true;
    status.isIncomplete = true;

    const QByteArray bytes = board::written(status);
    QVERIFY2(bytes.size() < 20'000,
             QByteArray::number(bytes.size())); // ten times a second, for every process
    const std::optional<board::Status> read = board::readStatus(bytes);
    QVERIFY(read);
    QCOMPARE(read->views.size(), 2);
    QVERIFY(read->views[0].state == WorkerState::Starting && read->views[0].lock == -1);
    QVERIFY(read->views[1].state == WorkerState::Holding && read->views[1].lock == 3);
    QVERIFY(read->views[1].holds == 2 && read->views[1].since == 17us && read->views[1].acquired == 40);
    const WorkerStats &same = read->workerStats[1];
    QCOMPARE(QList<qint64>({same.attempts, same.acquired, same.refused, same.timedOut, same.lost, same.errors,
                            same.crashes, same.pauses, same.commands}),
             QList<qint64>({1, 2, 3, 4, 5, 6, 7, 8, 9}));
    QCOMPARE(same.execsRefused, 10);
    QCOMPARE(same.wait.toJson(), tally.wait.toJson());
    QCOMPARE(same.hold.toJson(), tally.hold.toJson());
    QCOMPARE(read->workerStats[0].wait.count(), 0);
    QCOMPARE(read->log.size(), 1);
    QVERIFY(read->log[0].what == LogLine::What::Paused && read->log[0].worker == 1 &&
            read->log[0].lock == 2 && read->log[0].at == 3us && read->log[0].wallMs == 4);
    QVERIFY(read->error == status.error);
    QCOMPARE(read->commandsByNobody, 11);
    QVERIFY(read->hasEnded && read->isIncomplete);
    QVERIFY(!board::readStatus(board::written(board::Status{}))->error);
    verifyOnlyTheWhole(bytes, board::readStatus);
}

void TestBoard::aRoundSurvives()
{
    const QByteArray bytes = board::written(Round{4, 12, 1, 3ms, 5ms, false});
    const std::optional<Round> read = board::readRound(bytes);
    QVERIFY(read);
    QCOMPARE(read->number, 4);
    QCOMPARE(read->tried, 12);
    QCOMPARE(read->winners, 1);
    QCOMPARE(read->firstTry, microseconds(3ms));
    QCOMPARE(read->lastTry, microseconds(5ms));
    verifyOnlyTheWhole(bytes, board::readRound);
}

void TestBoard::eventsComeInOrder()
{
    const RedisServer server;
    const auto referee = BoardReferee::open(server.socketAddress());
    QVERIFY(referee);
    const std::unique_ptr<RefereeClient> first = (*referee)->admit();
    const std::unique_ptr<RefereeClient> second = (*referee)->admit();
    RefereeEvent enter = made(Kind::Enter, 1, 2);
    enter.fence = 1'700'000'000'000'000;
    enter.asked = 3us;
    enter.leaseEnds = 4us;
    enter.granted = 5us;
    enter.waited = 6us;
    enter.byTimer = true;
    first->take(enter);
    second->take(made(Kind::Enter, 9, 2));
    second->take(made(Kind::Enter, 9, 0)); // another lock
    second->take(made(Kind::Deleting, 9, 2));
    first->take(made(Kind::Leave, 1, 2));
    second->take(made(Kind::Crash, 9, 2));
    first->take(made(Kind::Enter, 1, 2));
    const Result<QList<RefereeEvent>> events = (*referee)->read();
    QVERIFY(events);
    QList<int> workers;
    QList<int> before;
    for (const RefereeEvent &event : *events) {
        workers.append(event.worker);
        if (event.kind == Kind::Enter)
            before.append(event.insideBefore);
    }
    QCOMPARE(workers, QList<int>({1, 9, 9, 9, 1, 9, 1}));
    QCOMPARE(before, QList<int>({0, 1, 0, 0}));
    const RefereeEvent &same = events->front();
    QVERIFY(same.kind == Kind::Enter && same.lock == 2 && same.fence == enter.fence && same.asked == 3us);
    QVERIFY(same.leaseEnds == 4us && same.granted == 5us && same.waited == 6us && same.byTimer);
    QVERIFY(std::ranges::is_sorted(*events, {}, &RefereeEvent::at));
}

/// As many insides as there are: a mutex would say the same.
void TestBoard::eventsOfManyHaveOneOrder()
{
    const RedisServer server;
    const auto referee = BoardReferee::open(server.socketAddress());
    QVERIFY(referee);
    constexpr int each = 100;
    {
        std::vector<std::jthread> threads;
        for (int worker = 0; worker < 4; ++worker)
            threads.emplace_back([&referee, worker] {
                const std::unique_ptr<RefereeClient> witness = (*referee)->admit();
                for (int i = 0; i < each; ++i) {
                    witness->take(made(Kind::Enter, worker));
                    witness->take(made(Kind::Leave, worker));
                }
            });
    }
    const Result<QList<RefereeEvent>> events = (*referee)->read();
    QVERIFY(events);
    QCOMPARE(events->size(), 4 * each * 2);
    int inside = 0;
    for (const RefereeEvent &event : *events) {
        if (event.kind == Kind::Enter)
            QCOMPARE(event.insideBefore, inside);
        inside += event.kind == Kind::Enter ? 1 : -1;
    }
    QCOMPARE(inside, 0);
}

void TestBoard::theClockIsTheBoards()
{
    const RedisServer server;
    const auto referee = BoardReferee::open(server.socketAddress());
    QVERIFY(referee);
    const std::unique_ptr<RefereeClient> witness = (*referee)->admit();
    const TimePoint before = Clock::now();
    witness->take(made(Kind::Enter, 0));
    const TimePoint after = Clock::now();
    const Result<QList<RefereeEvent>> events = (*referee)->read();
    QVERIFY(events && events->size() == 1);
    QVERIFY((*referee)->onClock(before) <= events->front().at);
    QVERIFY((*referee)->onClock(after) >= events->front().at - 1s); // no later than a look took
    QCOMPARE((*referee)->onClock(before + 3s) - (*referee)->onClock(before), microseconds(3s));
}

/// A run of ten minutes must not fill the board.
void TestBoard::whatIsReadIsGone()
{
    const RedisServer server;
    const auto referee = BoardReferee::open(server.socketAddress());
    QVERIFY(referee);
    const std::unique_ptr<RefereeClient> witness = (*referee)->admit();
    for (int i = 0; i < 3; ++i) {
        witness->take(made(Kind::Enter, 0));
        witness->take(made(Kind::Leave, 0));
        QCOMPARE((*referee)->read()->size(), 2);
        QCOMPARE(server.cli({"EXISTS", "log"}), "0");
        QCOMPARE((*referee)->read()->size(), 0);
    }
    QVERIFY(!(*referee)->isIncomplete());
}

void TestBoard::aLostBoardIsNoticed()
{
    RedisServer server;
    const auto referee = BoardReferee::open(server.socketAddress());
    QVERIFY(referee);
    const std::unique_ptr<RefereeClient> witness = (*referee)->admit();
    witness->take(made(Kind::Enter, 0));
    server.kill();
    QVERIFY(!(*referee)->isIncomplete());
    witness->take(made(Kind::Leave, 0));
    QVERIFY((*referee)->isIncomplete());
    QVERIFY(!(*referee)->read());
    QVERIFY(!BoardReferee::open(server.socketAddress()));
}

QTEST_GUILESS_MAIN(TestBoard)
#include "tst_coordinator.moc"
