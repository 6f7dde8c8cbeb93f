// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/bannerchoice.h"
#include "tests/support/told.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint start = TimePoint() + 1h;

using Events = QList<MonitorReport>;

NodeStatus node(const char *name, Link::State state)
{
    NodeStatus status;
    status.name = QLatin1String(name);
    status.state = state;
    status.isDecided = true;
    if (state != Link::State::Ready)
        status.error = Error(ErrorKind::ConnectionRefused);
    return status;
}

ClusterStatus cluster(Link::State second)
{
    ClusterStatus status;
    status.keepers = std::make_shared<const ClusterStatus::Keepers>();
    status.nodes = {node("a:1", Link::State::Ready), node("b:1", second)};
    return status;
}

ClusterStatus group(int missing)
{
    ClusterStatus status;
    status.isGroup = true;
    for (int i = 0; i < 3; ++i)
        status.nodes.append(node("s", i < missing ? Link::State::Backoff : Link::State::Ready));
    return status;
}

ClusterStatus replica()
{
    ClusterStatus status;
    status.nodes = {node("r:1", Link::State::Ready)};
    status.nodes.first().replicaOf.emplace();
    status.nodes.first().replicaOf->isUp = false;
    return status;
}

ClusterStatus bySentinels(bool isFailingOver)
{
    ClusterStatus status;
    status.nodes = {node("p:1", Link::State::Ready)};
    status.sentinels.emplace();
    status.sentinels->known = 3;
    status.sentinels->isFailingOver = isFailingOver;
    status.sentinels->answering = isFailingOver ? 3 : 0;
    return status;
}

ConnectionStatus refused()
{
    ConnectionStatus status = statusOf(Link::State::Refused);
    status.error = Error(ErrorKind::WrongPassword);
    return status;
}

ConnectionStatus retrying(milliseconds in)
{
    ConnectionStatus status = statusOf(Link::State::Backoff);
    status.error = Error(ErrorKind::ConnectionRefused);
    status.nextTryAt = start + in;
    return status;
}

ServerReset flush()
{
    ServerReset reset;
    reset.cause = ServerReset::Cause::Flush;
    reset.locks = 3;
    return reset;
}

PermissionStatus forbidden()
{
    PermissionStatus status;
    status.unreadable = 2;
    status.lost = 2;
    PermissionStatus::Missing missing;
    missing.refusal.command = "hgetall";
    status.missing = {missing};
    return status;
}

} // namespace

class BannerChoiceTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void ofAServer_data();
    void ofAServer();
    void ofARecording_data();
    void ofARecording();
};

/// What was told, and how many deadlocks are shown; then the banner.
void BannerChoiceTest::ofAServer_data()
{
    QTest::addColumn<Events>("events");
    QTest::addColumn<int>("deadlocks");
    QTest::addColumn<QString>("text"); ///< its begin; empty: there is none
    QTest::addColumn<QString>("detail");
    QTest::addColumn<BannerStep>("step");
    const MonitorReport ready = statusOf(Link::State::Ready);
    const auto row = [](const char *name, const Events &events, int deadlocks, const char *text,
                        const char *detail, BannerStep step) {
        QTest::newRow(name) << events << deadlocks << QString::fromUtf8(text) << QString::fromUtf8(detail)
                            << step;
    };
    row("all is well", {ready}, 0, "", "", BannerStep::None);
    row("closed", {}, 0, "", "", BannerStep::None);
    row("connecting", {statusOf(Link::State::Connecting)}, 0, "Connecting to orders again",
        "The data shown is", BannerStep::None);
    row("lost", {ready, retrying(2s)}, 1, "orders refused the connection",
        "The data shown is 5.0 s old. Next attempt in 2 s.", BannerStep::RetryNow);
    row("lost, trying", {ready, retrying(0s)}, 0, "orders refused",
        "The data shown is 5.0 s old. Connecting now.", BannerStep::RetryNow);
    row("lost, failing over", {bySentinels(true), retrying(2s)}, 0, "orders refused",
        "The data shown is 5.0 s old. Next attempt in 2 s. A failover is under way.", BannerStep::RetryNow);
    row("refused", {ready, refused()}, 0, "", "The data shown is", BannerStep::EditConnection);
    row("a node before a deadlock", {ready, cluster(Link::State::Backoff)}, 1,
        "b:1 is not available: its locks are not shown", "", BannerStep::RetryNow);
    row("all nodes there", {ready, cluster(Link::State::Ready)}, 0, "", "", BannerStep::None);
    row("one member", {ready, group(1)}, 0,
        "1 server(s) of the Redlock group are not available: locks are known only from the others", "",
        BannerStep::RetryNow);
    row("the majority", {ready, group(2)}, 0,
        "2 server(s) of the Redlock group are not available: no lock can be acquired", "",
        BannerStep::RetryNow);
    row("a replica", {ready, replica()}, 0, "The replica has no link to", "", BannerStep::None);
    row("no Sentinel", {ready, bySentinels(false)}, 0, "No Sentinel answers", "p:1 is still connected",
        BannerStep::None);
    row("trouble", {ready, Error(ErrorKind::Loading)}, 1, "orders is still loading its data",
        "Still connected; retrying.", BannerStep::None);
    row("an incomplete scan", {ready, Error(ErrorKind::EndlessScan)}, 0, "",
        "Still connected; scans again within a minute, or now with F5.", BannerStep::None);
    row("a deadlock before a reset", {ready, flush()}, 1, "1 deadlock(s): these owners wait for each other",
        "a waits.", BannerStep::ShowWaits);
    row("deadlocks", {ready}, 2, "2 deadlock(s): these owners wait", "a waits.", BannerStep::ShowWaits);
    row("a reset before permissions", {ready, flush(), forbidden()}, 0, "The database was flushed",
        "Holders were", BannerStep::DismissResets);
    row("permissions", {ready, forbidden()}, 0, "", "", BannerStep::CopyGrant);
    row("a refusal of which permissions tell", {ready, Error(ErrorKind::NoPermission)}, 0, "", "",
        BannerStep::None);
}

void BannerChoiceTest::ofAServer()
{
    QFETCH(Events, events);
    QFETCH(int, deadlocks);
    QFETCH(QString, text);
    QFETCH(QString, detail);
    QFETCH(BannerStep, step);
    MonitorState watched;
    for (const MonitorReport &event : events)
        watched.take(event, start, 0);
    const auto choice = chooseBanner({.watched = watched,
                                      .serverName = QStringLiteral("orders"),
                                      .user = "monitor",
                                      .now = start,
                                      .age = 5s,
                                      .deadlocks = deadlocks,
                                      .cycle = {QStringLiteral("a waits")}});
    const bool isExpected = !text.isEmpty() || !detail.isEmpty() || step != BannerStep::None;
    QCOMPARE(choice.has_value(), isExpected);
    if (!choice)
        return;
    QVERIFY2(text.isEmpty() || choice->text.startsWith(text), qPrintable(choice->text));
    QVERIFY2(detail.isEmpty() || choice->detail.startsWith(detail), qPrintable(choice->detail));
    QCOMPARE(choice->step, step);
    QCOMPARE(stepText(step).isEmpty(), step == BannerStep::None);
}

void BannerChoiceTest::ofARecording_data()
{
    QTest::addColumn<ReplayFacts>("replay");
    QTest::addColumn<int>("deadlocks");
    QTest::addColumn<QString>("text");
    QTest::addColumn<BannerStep>("step");
    const auto row = [](const char *name, const ReplayFacts &replay, int deadlocks, const char *text,
                        BannerStep step) {
        QTest::newRow(name) << replay << deadlocks << QString::fromUtf8(text) << step;
    };
    row("all is known", {}, 0, "", BannerStep::None);
    row("a part of it is told", {true, GapCause::NotWatched, true}, 1, "This moment is being read",
        BannerStep::None);
    row("a gap", {false, GapCause::NotWatched, true}, 1, "Not all locks are known at this moment",
        BannerStep::GoToKnown);
    row("a gap up to the end", {false, GapCause::NotWatched, false}, 0, "Not all locks are known",
        BannerStep::None);
    row("a deadlock", {}, 1, "1 deadlock(s): these owners", BannerStep::ShowWaits);
}

void BannerChoiceTest::ofARecording()
{
    QFETCH(ReplayFacts, replay);
    QFETCH(int, deadlocks);
    QFETCH(QString, text);
    QFETCH(BannerStep, step);
    const MonitorState watched; // a recording's banner does not speak of a connection
    const auto choice = chooseReplayBanner({.watched = watched,
                                            .serverName = QStringLiteral("recording"),
                                            .user = {},
                                            .now = start,
                                            .age = {},
                                            .deadlocks = deadlocks,
                                            .cycle = {QStringLiteral("a waits")}},
                                           replay);
    QCOMPARE(choice.has_value(), !text.isEmpty());
    if (!choice)
        return;
    QVERIFY2(choice->text.startsWith(text), qPrintable(choice->text));
    QCOMPARE(choice->step, step);
}

QTEST_MAIN(BannerChoiceTest)
#include "tst_bannerchoice.moc"
