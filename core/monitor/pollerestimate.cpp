// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/pollerestimate.h"

#include "core/read/channellocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr std::array acquiring{"set", "setnx", "hsetnx", "eval", "evalsha", "fcall"};
constexpr std::array reading{"get", "pttl", "ttl", "exists", "hget"};
constexpr quint16 all = (1 << PollerEstimator::window) - 1;
constexpr milliseconds nearAtMost = 50ms;
constexpr milliseconds farAtLeast = 500ms;
constexpr int fewestActive = PollerEstimator::window / 3; // of a client that may poll slowly
constexpr double slowest = 0.5;      // commands a second, of a client that is always active
constexpr double fastestPoll = 2000; // the same; a script's commands are counted beside it

bool isOneOf(const auto &names, QByteArrayView command)
{
    return std::ranges::any_of(names, [command](const char *name) { return command == name; });
}

/// Replicas, the blocked, subscribers and those that use MONITOR do not poll; our own connections do not either.
bool isLeftOut(QByteArrayView client)
{
    const QByteArray flags = clientField(client, "flags");
    return std::ranges::any_of(flags, [](char flag) { return QByteArrayView("SMObP").contains(flag); }) ||
           clientField(client, "name").startsWith("lockscope");
}

} // namespace

void PollerEstimator::takeClients(QByteArrayView list, milliseconds phase)
{
    const auto shift = [](quint16 &bits, bool bit) { bits = quint16(((bits << 1) | int(bit)) & all); };
    m_samples = std::min(m_samples + 1, window);
    shift(m_near, phase <= nearAtMost);
    shift(m_far, phase >= farAtLeast);
    QHash<quint64, Seen> before = std::exchange(m_clients, {});
    while (!list.isEmpty()) {
        const qsizetype end = list.indexOf('\n');
        const QByteArrayView client = end < 0 ? list : list.first(end);
        list = end < 0 ? QByteArrayView() : list.sliced(end + 1);
        const quint64 id = clientField(' ' + client.toByteArray(), "id").toULongLong();
        if (id == 0 || isLeftOut(client))
            continue;
        const QByteArray command = clientField(client, "cmd").toLower();
        const qint64 idle = clientField(client, "idle").toLongLong();
        const bool acquires = isOneOf(acquiring, command);
        Seen seen = before.value(id);
        shift(seen.there, true);
        shift(seen.polled, acquires || isOneOf(reading, command));
        shift(seen.wrote, acquires);
        shift(seen.active, idle <= 1);
        shift(seen.fresh, idle == 0);
        m_clients.insert(id, seen);
    }
}

void PollerEstimator::takeCounts(qint64 attempts, qint64 changes, milliseconds time)
{
    if (attempts < 0 || changes < 0 || time <= 0ms) // restarted
        return;
    const double seconds = std::chrono::duration<double>(time).count();
    m_successes = double(std::min(attempts, changes)) / seconds;
    m_failures = double(std::max<qint64>(attempts - changes, 0)) / seconds;
    m_isCounted = true;
}

/// True for a reader that polls slowly, such as every 250 ms: most samples just after a full second come before its
/// next command, and none that comes long after it.
bool PollerEstimator::isSlow(const Seen &seen) const
{
    const int near = std::popcount(m_near);
    const int stale = std::popcount(quint16(m_near & ~seen.fresh));
    return near > 0 && 6 * stale >= 5 * near && (m_far & ~seen.fresh) == 0;
}

std::optional<PollerEstimate> PollerEstimator::estimate(bool areLocksHeld) const
{
    if (m_samples < window || !m_isCounted)
        return std::nullopt;
    qint64 acquirers = 0, readers = 0, maybe = 0;
    for (const Seen &seen : m_clients) {
        if (seen.polled != seen.there)
            continue;
        const bool isSteady = seen.there == all && seen.active == all;
        if (isSteady && seen.wrote != 0)
            ++acquirers;
        else if (isSteady && isSlow(seen))
            ++readers;
        else if (std::popcount(seen.active) >= std::min(fewestActive, std::popcount(seen.there)))
            ++maybe;
    }
    PollerEstimate told{acquirers + readers, 0, acquirers + readers + maybe};
    if (!areLocksHeld)
        return PollerEstimate{0, 0, told.high};
    // Each of them that is no poller has acquired as often as it was active.
    const auto others = qint64(std::min(std::ceil(m_successes / slowest), 1e9));
    const auto needed = qint64(std::ceil(m_failures / fastestPoll));
    told.low = std::min(std::max(acquirers - others, needed), acquirers);
    return told;
}

} // namespace lockscope
