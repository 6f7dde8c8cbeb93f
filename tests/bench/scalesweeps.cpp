// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/leastprivilege.h"
#include "tests/bench/plainscan.h"
#include "tests/bench/scalerows.h"
#include "tests/bench/scaletable.h"
#include "tests/bench/watcher.h"

#include <algorithm>
#include <functional>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

const QByteArray onePattern = "lock:*";
const QByteArray restricted = "restricted";
constexpr auto settling = 500ms; // what follows a scan, the feed's own start among it
constexpr double enough = 0.99;  // of the locks: some are between two owners at any moment

struct Cost
{
    double wallMs = 0;
    double cpuMs = 0;
};

/// Only scans that were asked for; else all as it is by default.
MonitorOptions sweepsOnRequest(const QList<QByteArray> &patterns)
{
    MonitorOptions options;
    options.patterns = patterns;
    options.scanInterval = 1h;
    return options;
}

double inMs(std::chrono::duration<double, std::milli> time)
{
    return time.count();
}

QByteArray inUs(std::chrono::duration<double, std::micro> time)
{
    return QByteArray::number(time.count(), 'f', 0);
}

class SweepBench
{
public:
    SweepBench(Stage &stage, const SweepRows &rows)
        : m_stage(stage), m_rows(rows), m_client(stage.socketPath())
    {
    }

    bool round(bool ownLeads);
    bool redisCliRound();
    /// As a user with the rights that a monitor needs.
    bool restrictedRound();
    /// Among keys whose names are those of a family, and that are no locks.
    bool nominatedRound();
    bool makeUser();
    bool makeNominated();
    void print() const;

private:
    std::optional<Cost> costOf(const std::function<bool()> &work);
    std::optional<Cost> costOfSweep(Watcher &watcher);
    std::optional<Cost> scanAlone();
    struct Both
    {
        Cost first;
        Cost again;
    };
    std::optional<Both> ours(const QList<QByteArray> &patterns, const QByteArray &user = {});

    Stage &m_stage;
    const SweepRows m_rows;
    PlainClient m_client;
    qint64 m_count = 500; // until a scan of ours has said
    PairedTimes m_againWall;
    PairedTimes m_againCpu;
    PairedTimes m_firstWall;
    PairedTimes m_threeWall;
    PairedTimes m_threeFirstWall;
    PairedTimes m_restrictedWall;
    PairedTimes m_nominatedFirstWall;
    PairedTimes m_nominatedWall;
    PairedTimes m_cliWall;
};

std::optional<Cost> SweepBench::costOf(const std::function<bool()> &work)
{
    const auto cpu = m_stage.figures().cpu();
    const TimePoint begin = Clock::now();
    if (!work())
        return std::nullopt;
    const auto wall = Clock::now() - begin;
    return Cost{inMs(wall), inMs(m_stage.figures().cpu() - cpu)};
}

std::optional<Cost> SweepBench::scanAlone()
{
    return costOf([this] { return scanOnly(m_client, onePattern, m_count); });
}

std::optional<Cost> SweepBench::costOfSweep(Watcher &watcher)
{
    m_stage.figures().reset();
    const std::optional<Cost> cost = costOf([&] {
        const std::optional<Watcher::Scan> scan = watcher.scan();
        if (scan)
            m_count = scan->stats.count;
        return scan.has_value();
    });
    // A scan that left out a state would be no scan.
    const auto reads = static_cast<double>(m_stage.figures().calls("pttl"));
    if (reads < enough * static_cast<double>(m_stage.crowd().held()))
        return std::nullopt;
    return cost;
}

std::optional<SweepBench::Both> SweepBench::ours(const QList<QByteArray> &patterns, const QByteArray &user)
{
    ServerAddress address = m_stage.address();
    address.user = user;
    Watcher watcher(address, sweepsOnRequest(patterns));
    const std::optional<Cost> first = costOfSweep(watcher);
    if (!first)
        return std::nullopt;
    runFor(settling);
    const std::optional<Cost> again = costOfSweep(watcher);
    if (!again)
        return std::nullopt;
    return Both{*first, *again};
}

bool SweepBench::round(bool ownLeads)
{
    std::optional<Cost> alone = ownLeads ? std::nullopt : scanAlone();
    const std::optional<Both> one = ours({onePattern});
    if (ownLeads)
        alone = scanAlone();
    if (!one || !alone)
        return false;
    m_againWall.add(one->again.wallMs, alone->wallMs);
    m_againCpu.add(one->again.cpuMs, alone->cpuMs);
    if (!m_rows.first)
        return true;
    m_firstWall.add(one->first.wallMs, alone->wallMs);
    const std::optional<Both> three = ours(MonitorOptions().patterns);
    if (!three)
        return false;
    m_threeFirstWall.add(three->first.wallMs, alone->wallMs);
    m_threeWall.add(three->again.wallMs, alone->wallMs);
    return true;
}

bool SweepBench::redisCliRound()
{
    const std::optional<Both> one = ours({onePattern});
    const std::optional<Cost> cli =
        costOf([this] { return scanByRedisCli(m_stage.socketPath(), onePattern); });
    if (!one || !cli)
        return false;
    m_cliWall.add(one->again.wallMs, cli->wallMs);
    return true;
}

bool SweepBench::makeUser()
{
    const AclRequest request{.patterns = MonitorOptions().patterns};
    bool isMade = m_client.send({"ACL", "SETUSER", restricted, "on", "nopass"}).has_value();
    for (const QByteArray &rule : aclRules(aclRights(request), request))
        isMade = isMade && m_client.send({"ACL", "SETUSER", restricted, rule}).has_value();
    return isMade;
}

bool SweepBench::restrictedRound()
{
    const std::optional<Both> three = ours(MonitorOptions().patterns, restricted);
    const std::optional<Cost> alone = scanAlone();
    if (three && alone)
        m_restrictedWall.add(three->first.wallMs, alone->wallMs);
    return three && alone;
}

bool SweepBench::makeNominated()
{
    return makeOthers(m_client, "job-lock:default:", m_stage.size().others / 2);
}

bool SweepBench::nominatedRound()
{
    const std::optional<Both> three = ours(MonitorOptions().patterns);
    const std::optional<Cost> alone = scanAlone();
    if (!three || !alone)
        return false;
    m_nominatedFirstWall.add(three->first.wallMs, alone->wallMs);
    m_nominatedWall.add(three->again.wallMs, alone->wallMs);
    return true;
}

void SweepBench::print() const
{
    const QByteArray on = ", " + m_stage.size().name;
    const QByteArray peer = "SCAN alone, COUNT " + QByteArray::number(m_count);
    printRow(m_againWall.row("re-sweep with all states" + on + ": wall", peer, "ms", 0, m_rows.wallTarget));
    if (m_rows.cpuTarget > 0)
        printRow(m_againCpu.row("re-sweep with all states" + on + ": server CPU", peer, "ms", 0,
                                m_rows.cpuTarget));
    if (!m_cliWall.isEmpty())
        printRow(
            m_cliWall.row("re-sweep with all states" + on + ": wall", "redis-cli --scan", "ms", 0, 0.15));
    if (!m_firstWall.isEmpty()) {
        constexpr double target = 1.6;
        printRow(m_firstWall.row("first sweep" + on + ": wall", peer, "ms", 0, target));
        printRow(
            m_threeFirstWall.row("first sweep, default patterns" + on + ": wall", peer, "ms", 0, target));
        printRow(m_threeWall.row("re-sweep, default patterns" + on + ": wall", peer, "ms", 0, target));
        constexpr double targetAmongNominated = 2.2;
        const QByteArray among = ", half of the rest named as locks" + on + ": wall";
        printRow(m_nominatedFirstWall.row("first sweep" + among, peer, "ms", 0, targetAmongNominated));
        printRow(m_nominatedWall.row("re-sweep" + among, peer, "ms", 0, target));
        printRow(m_restrictedWall.row("first sweep as the user of acl monitor" + on + ": wall", peer, "ms", 0,
                                      target));
    }
}

} // namespace

bool benchSweeps(Stage &stage, const BenchScale &scale, const SweepRows &rows)
{
    constexpr int maxCliRounds = 3; // they take ten times as long
    SweepBench bench(stage, rows);
    bool good = true;
    for (int round = 0; good && round < scale.rounds; ++round)
        good = bench.round(round % 2 == 0);
    for (int round = 0; good && rows.redisCli && round < std::min(scale.rounds, maxCliRounds); ++round)
        good = bench.redisCliRound();
    const int fewer = rows.first ? (scale.rounds + 1) / 2 : 0;
    good = good && (!rows.first || bench.makeUser());
    for (int round = 0; good && round < fewer; ++round)
        good = bench.restrictedRound();
    good = good && (!rows.first || bench.makeNominated()); // the last: what follows has more keys
    for (int round = 0; good && round < fewer; ++round)
        good = bench.nominatedRound();
    if (good)
        bench.print();
    else
        printNotMeasured("sweeps, " + stage.size().name, "a sweep did not end, or did not read all locks");
    return good;
}

bool benchLongestCommand(Stage &stage)
{
    constexpr int scans = 3;
    constexpr std::chrono::duration<double, std::micro> limit = 1ms;
    const QByteArray what = "longest command of a sweep, " + stage.size().name + ": p99.9";
    qint64 count = 0;
    stage.figures().reset();
    {
        Watcher watcher(stage.address(), sweepsOnRequest({onePattern}));
        for (int i = 0; i < scans; ++i) {
            const auto scan = watcher.scan();
            if (!scan) {
                printNotMeasured(what, "a sweep did not end");
                return false;
            }
            count = scan->stats.count;
        }
    }
    const ServerFigures::Longest own = stage.figures().longest(monitorCommands);
    // What the same machine does to the same pages when nobody reads between them.
    stage.figures().reset();
    PlainClient client(stage.socketPath());
    for (int i = 0; i < scans; ++i)
        scanOnly(client, onePattern, count);
    const ServerFigures::Longest alone = stage.figures().longest({"scan"});
    printRow({what, inUs(own.time) + " us (" + own.command + ')',
              "SCAN alone, COUNT " + QByteArray::number(count) + ": " + inUs(alone.time) + " us",
              alone.time.count() > 0 ? QByteArray::number(own.time / alone.time, 'f', 2) : QByteArray(),
              "<= 1000 us", own.time <= limit});
    return true;
}

} // namespace lockscope
