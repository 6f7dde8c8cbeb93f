// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/pollerwatch.h"

#include "core/redis/info.h"
#include "core/redis/whendone.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr int share = 100; // a sample's cost of the time between two: 1%
constexpr int countsEach = 6;
constexpr qint64 mostClients = 10'000;               // the server would not answer others for long
constexpr std::chrono::microseconds costOfClient{3}; // until it is known
constexpr double listWithItsWay = 1.5; // relative to the server's statistics, which know no writing
constexpr std::chrono::microseconds costOfInfo{100};
constexpr std::chrono::microseconds mostCost{1s};    // whatever the server says
constexpr milliseconds nearPhase{10}, farPhase{700}; // in a second of the server
constexpr const char *attempts[]{"cmdstat_set:",  "cmdstat_setnx:",   "cmdstat_hsetnx:",
                                 "cmdstat_eval:", "cmdstat_evalsha:", "cmdstat_fcall:"};

/// A figure of a command's line in INFO commandstats; 0 if missing.
qint64 figureOf(const QByteArray &commandStats, const QByteArray &line, const char *name)
{
    const qsizetype at = commandStats.indexOf('\n' + line);
    if (at < 0)
        return 0;
    const QByteArray figures = commandStats.mid(at, commandStats.indexOf('\r', at) - at);
    const qsizetype from = figures.indexOf(name) + qsizetype(qstrlen(name));
    return figures.mid(from, figures.indexOf(',', from) - from).toLongLong();
}

} // namespace

PollerWatch::PollerWatch(const ServerAddress &address)
    : m_connection(address, {.clientName = "lockscope-pollers", .readOnly = true})
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &PollerWatch::sample);
    connect(&m_connection, &Connection::ready, this, &PollerWatch::begin);
    connect(&m_connection, &Connection::connectionLost, this, [this] { ++m_generation; });
    connect(&m_connection, &Connection::connectionRefused, this, &PollerWatch::giveUp);
}

/// Before members are destroyed: closing the connection finishes pending replies.
PollerWatch::~PollerWatch()
{
    m_hasGivenUp = true;
    ++m_generation;
    m_connection.close();
}

void PollerWatch::setActive(bool isActive)
{
    if (m_hasGivenUp || std::exchange(m_isActive, isActive) == isActive)
        return;
    ++m_generation;
    m_timer.stop();
    m_estimator.clear();
    isActive ? m_connection.open() : m_connection.close();
}

void PollerWatch::giveUp()
{
    m_hasGivenUp = true;
    ++m_generation;
    m_timer.stop();
    m_estimator.clear();
    QMetaObject::invokeMethod(&m_connection, &Connection::close, Qt::QueuedConnection);
}

void PollerWatch::begin()
{
    ++m_generation;
    m_estimator.clear();
    m_counts.reset();
    m_samples = 0;
    whenDone(this, m_connection.send({"INFO", "clients"}),
             [this, begun = m_generation](const Result<Reply> &info) {
                 if (begun != m_generation)
                     return;
                 const auto clients = info ? infoNumber(info->text, "connected_clients") : std::nullopt;
                 if (!clients || *clients > mostClients)
                     return giveUp();
                 m_cost = *clients * costOfClient;
                 sample();
             });
}

void PollerWatch::sample()
{
    CommandBatch batch;
    batch.add({"INFO", "server"});
    batch.add({"CLIENT", "LIST"});
    if (m_samples++ % countsEach == 0) {
        batch.add({"INFO", "commandstats"});
        batch.add({"INFO", "persistence"});
    }
    whenDone(this, m_connection.send(batch),
             [this, begun = m_generation, sentAt = Clock::now()](const Result<std::vector<Reply>> &replies) {
                 if (begun == m_generation && replies)
                     take(*replies, sentAt);
             });
}

void PollerWatch::take(const std::vector<Reply> &replies, TimePoint sentAt)
{
    const auto serverTime = infoNumber(replies[0].text, "server_time_usec");
    const bool areThere = std::ranges::all_of(replies, &Reply::isText); // without permission not
    if (!serverTime || !areThere || replies[1].text.count('\n') > mostClients)
        return giveUp();
    const auto phase = milliseconds(*serverTime / 1000 % 1000);
    m_estimator.takeClients(replies[1].text, phase);
    if (replies.size() > 2)
        takeCounts(replies[2].text, replies[3].text, sentAt);
    schedule(phase, sentAt);
}

void PollerWatch::takeCounts(const QByteArray &commands, const QByteArray &persistence, TimePoint at)
{
    Counts counts{.changes = infoNumber(persistence, "rdb_changes_since_last_save").value_or(0),
                  .savedAt = infoNumber(persistence, "rdb_last_save_time").value_or(0),
                  .at = at};
    for (const char *line : attempts)
        counts.attempts += figureOf(commands, line, "calls=");
    const QByteArray list =
        commands.contains("cmdstat_client|list:") ? "cmdstat_client|list:" : "cmdstat_client:";
    counts.lists = figureOf(commands, list, "calls=");
    counts.listTime = std::chrono::microseconds(figureOf(commands, list, "usec="));
    if (const qint64 lists = m_counts ? counts.lists - m_counts->lists : 0; lists > 0) {
        const auto each = (counts.listTime - m_counts->listTime) / lists;
        m_cost = costOfInfo + std::chrono::ceil<std::chrono::microseconds>(
                                  listWithItsWay * std::min<std::chrono::microseconds>(each, mostCost));
    }
    if (m_counts && m_counts->savedAt == counts.savedAt) // a save takes the changes back
        m_estimator.takeCounts(counts.attempts - m_counts->attempts, counts.changes - m_counts->changes,
                               std::chrono::duration_cast<milliseconds>(at - m_counts->at));
    m_counts = counts;
}

/// The next phase of the server's second from which on a sample is affordable.
void PollerWatch::schedule(milliseconds phase, TimePoint sentAt)
{
    const auto since = std::chrono::duration_cast<milliseconds>(Clock::now() - sentAt);
    const auto pause = std::max<milliseconds>(std::chrono::ceil<milliseconds>(m_cost * share), 100ms);
    const milliseconds earliest = phase + pause;
    const milliseconds second = std::chrono::floor<std::chrono::seconds>(earliest);
    milliseconds at = second + nearPhase;
    if (at < earliest)
        at = second + (earliest <= second + farPhase ? farPhase : 1s + nearPhase);
    m_timer.start(std::max<milliseconds>(at - phase - since, 1ms));
}

} // namespace lockscope
