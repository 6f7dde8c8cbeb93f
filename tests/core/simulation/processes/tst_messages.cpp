// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/processes/messages.h"

#include "core/simulation/model/planfields.h"
#include "tests/core/simulation/model/unusualplan.h"

#include <QRegularExpression>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// What the other end makes of it.
template <typename Content, typename Message>
std::optional<Content> received(const Message &message)
{
    MessageReader<Message> reader;
    reader.append(encode(message));
    const std::optional<Message> read = reader.next();
    if (!read || reader.isBroken() || reader.next())
        return std::nullopt;
    return std::get<Content>(*read);
}

WorkersStatus sampleStatus()
{
    WorkersStatus status;
    status.views = {WorkerView{}, WorkerView{WorkerState::Holding, 3, 2, 17us, 40}};
    WorkerStats &total = status.total;
    total.attempts = 1;
    total.acquired = 2;
    total.refused = 3;
    total.timedOut = 4;
    total.lost = 5;
    total.errors = 6;
    total.crashes = 7;
    total.pauses = 8;
    total.commands = 9;
    total.execsRefused = 10;
    for (int i = 1; i < 3000; ++i)
        total.wait.record(microseconds(i * i));
    total.hold.record(5ms);
    status.log = {{LogLine::What::Paused, 1, 2, 3us, 4}};
    TraceEntry entry{.kind = TraceEntry::Kind::Woken, .worker = 3, .lock = 2, .other = 1};
    entry.at = 5us;
    entry.since = 4us;
    entry.until = 6us;
    status.trace = RunTrace({entry, entry}, 7, 8us);
    status.error = Error{ErrorKind::WrongPassword, "no"};
    status.hasEnded = true;
    return status;
}

} // namespace

class TestMessages : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void aConfigSurvives();
    void anOrderSurvives();
    void anEventSurvives();
    void aStatusSurvives();
    void aReasonOfOursSurvives();
    void theRestSurvives();
    void aStreamMayBeCutAnywhere();
    void whatIsNoMessageIsRefused_data();
    void whatIsNoMessageIsRefused();
    void noBitHarmsTheReader();
};

void TestMessages::aConfigSurvives()
{
    ChildConfig config;
    config.run.server.transport = ServerAddress::Transport::Tls;
    config.run.server.host = QStringLiteral("redis.example");
    config.run.server.port = 6390;
    config.run.server.database = 3;
    config.run.server.user = "worker";
    config.run.server.password = QByteArray("se\0cret\n", 8);
    config.run.server.caFile = QStringLiteral("/ca.pem");
    config.run.server.certificateFile = QStringLiteral("/certificate.pem");
    config.run.server.keyFile = QStringLiteral("/key.pem");
    config.run.server.serverName = QStringLiteral("name");
    config.run.server.insecure = true;
    config.run.plan = unusualPlan();
    config.run.plan.reentry = 2;
    config.run.keys = {"sim:a:1", QByteArray("sim:\0\n:2", 8)};
    config.first = 4;
    config.count = 3;
    config.run.isTraced = true;
    config.run.start = TimePoint(123'456'789'012'345ns);

    const Plan usual;
    const auto same = received<ChildConfig>(MessageToChild(config));
    QVERIFY(same);
    QVERIFY(same->run.server == config.run.server);
    QCOMPARE(same->run.plan, config.run.plan);
    for (const PlanField &field : planFields()) {
        const auto isUsual = [&](auto member) {
            return memberOf(std::as_const(config.run.plan), member) == memberOf(std::as_const(usual), member);
        };
        QVERIFY2(!std::visit(isUsual, field.member), field.name);
    }
    QCOMPARE(same->run.keys, config.run.keys);
    QCOMPARE(same->first, 4);
    QCOMPARE(same->count, 3);
    QVERIFY(same->run.isTraced);
    QVERIFY(same->run.start == config.run.start);
}

void TestMessages::anOrderSurvives()
{
    const auto same = received<ChildOrder>(
        MessageToChild(ChildOrder{ChildOrder::Kind::OpenRound, 12, TimePoint(987'654'321ns)}));
    QVERIFY(same);
    QVERIFY(same->kind == ChildOrder::Kind::OpenRound);
    QCOMPARE(same->worker, 12);
    QVERIFY(same->at == TimePoint(987'654'321ns));
}

void TestMessages::anEventSurvives()
{
    RefereeEvent event;
    event.kind = RefereeEvent::Kind::Renewed;
    event.lock = 2;
    event.worker = 9;
    event.at = -5us;
    event.fence = 1'700'000'000'000'000;
    event.asked = 3us;
    event.leaseEnds = 4us;
    event.granted = 5us;
    event.waited = 6us;
    event.byTimer = true;
    const auto same = received<RefereeEvent>(MessageToParent(event));
    QVERIFY(same);
    QVERIFY(same->kind == event.kind && same->lock == 2 && same->worker == 9 && same->at == -5us);
    QVERIFY(same->fence == event.fence && same->asked == 3us && same->leaseEnds == 4us);
    QVERIFY(same->granted == 5us && same->waited == 6us && same->byTimer);
}

void TestMessages::aStatusSurvives()
{
    const WorkersStatus status = sampleStatus();
    const QByteArray bytes = encode(MessageToParent(status));
    QVERIFY2(bytes.size() < 20'000, // ten times a second, for every process
             QByteArray::number(bytes.size()));
    const auto same = received<WorkersStatus>(MessageToParent(status));
    QVERIFY(same);
    QCOMPARE(same->views.size(), 2);
    QVERIFY(same->views[0].state == WorkerState::Starting && same->views[0].lock == -1);
    QVERIFY(same->views[1].state == WorkerState::Holding && same->views[1].lock == 3);
    QVERIFY(same->views[1].holds == 2 && same->views[1].since == 17us && same->views[1].acquired == 40);
    const WorkerStats &total = same->total;
    QCOMPARE(QList<qint64>({total.attempts, total.acquired, total.refused, total.timedOut, total.lost,
                            total.errors, total.crashes, total.pauses, total.commands, total.execsRefused}),
             QList<qint64>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    QVERIFY(total.wait == status.total.wait && total.hold == status.total.hold);
    QCOMPARE(same->log.size(), 1);
    QVERIFY(same->log[0].what == LogLine::What::Paused && same->log[0].worker == 1 &&
            same->log[0].lock == 2 && same->log[0].at == 3us && same->log[0].wallMs == 4);
    QVERIFY(same->trace.entries() == status.trace.entries());
    QCOMPARE(same->trace.leftOut(), 7);
    QVERIFY(same->trace.fullAt() == 8us);
    QVERIFY(same->error == status.error);
    QVERIFY(same->hasEnded);
    QVERIFY(!received<WorkersStatus>(MessageToParent(WorkersStatus{}))->error);
}

/// Not its translation: the parent may speak another language, and logs are English.
void TestMessages::aReasonOfOursSurvives()
{
    WorkersStatus status;
    status.error = Error{ErrorKind::InvalidArgument, Phrase("of %1 bytes", 3)};
    const auto same = received<WorkersStatus>(MessageToParent(status));
    QVERIFY(same && same->error);
    QCOMPARE(same->error->text(), "of 3 bytes");
}

void TestMessages::theRestSurvives()
{
    const auto round = received<Round>(MessageToParent(Round{4, 12, 1, 3ms, 5ms, false}));
    QVERIFY(round);
    QCOMPARE(round->number, 4);
    QCOMPARE(round->tried, 12);
    QCOMPARE(round->winners, 1);
    QCOMPARE(round->firstTry, microseconds(3ms));
    QCOMPARE(round->lastTry, microseconds(5ms));
    QCOMPARE(received<EventMark>(MessageToParent(EventMark{77us}))->at, 77us);
    QCOMPARE(received<KillResult>(MessageToParent(KillResult{8}))->worker, 8);
}

void TestMessages::aStreamMayBeCutAnywhere()
{
    const QByteArray stream = encode(MessageToParent(EventMark{1us})) +
                              encode(MessageToParent(sampleStatus())) +
                              encode(MessageToParent(KillResult{8}));
    for (const qsizetype step : {1, 2, 3, 7, 1000, 100'000}) {
        MessageReader<MessageToParent> reader;
        QList<size_t> kinds;
        for (qsizetype at = 0; at < stream.size(); at += step) {
            reader.append(stream.mid(at, step));
            while (const auto message = reader.next())
                kinds.append(message->index());
        }
        QVERIFY(!reader.isBroken());
        QCOMPARE(kinds, QList<size_t>({1, 4, 3}));
    }
}

void TestMessages::whatIsNoMessageIsRefused_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray good = encode(MessageToParent(KillResult{8}));
    const auto framed = [](const QByteArray &content) {
        return QByteArray("\0\0\0", 3) + char(content.size()) + content;
    };
    QTest::newRow("text") << QByteArray("a warning of some library\n");
    QTest::newRow("a huge one") << QByteArray(20, '\xFF');
    QTest::newRow("nothing") << framed({});
    QTest::newRow("an unknown kind") << framed(QByteArray("\x09", 1));
    QTest::newRow("too short") << framed(good.mid(4).chopped(1));
    QTest::newRow("too long") << framed(good.mid(4) + "x");
    QTest::newRow("a list without an end")
        << framed(QByteArray("\x04\xFF\xFF\xFF\xFF", 5) + QByteArray(20, '\xFF'));
}

void TestMessages::whatIsNoMessageIsRefused()
{
    QFETCH(const QByteArray, bytes);
    MessageReader<MessageToParent> reader;
    reader.append(bytes);
    QVERIFY(!reader.next());
    QVERIFY(reader.isBroken());
    reader.append(encode(MessageToParent(KillResult{8})));
    QVERIFY(!reader.next()); // where it would begin is not known any more
}

void TestMessages::noBitHarmsTheReader()
{
    const QByteArray good = encode(MessageToParent(sampleStatus()));
    for (qsizetype bit = 0; bit < good.size() * 8; bit += 13) {
        QByteArray bad = good;
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
        MessageReader<MessageToParent> reader;
        reader.append(bad);
        reader.next();
    }
}

QTEST_GUILESS_MAIN(TestMessages)
#include "tst_messages.moc"
