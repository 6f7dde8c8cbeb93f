// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep.h"

#include "app/cli/json.h"
#include "app/words.h"
#include "core/base/match.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/monitor/missingpermissions.h"
#include "core/monitor/scanguard.h"
#include "core/read/companions.h"
#include "core/read/groupreading.h"
#include "core/redis/whendone.h"
#include "core/state/lockfilter.h"
#include "core/state/lockstate.h"
#include "core/words/messages.h"
#include "core/words/servermessages.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr qsizetype maxDoubted = 500; // read once more, all at once
constexpr qint64 quietSweepMs = 1000; // a list that comes at once needs no progress

} // namespace

QString keysInWords(qint64 number)
{
    return Words::tr("%1 key(s)", nullptr, plural(number)).arg(grouped(number));
}

QString locksInWords(qint64 number)
{
    return Words::tr("%1 lock(s)", nullptr, plural(number)).arg(grouped(number));
}

SweepCommand::SweepCommand(Options options) : SessionCommand(std::move(options), Kind::Once)
{
    m_running.start();
}

void SweepCommand::take(const WatchEvent &event)
{
    std::visit(
        Match{[this](const LockDiff &diff) { takeDiff(diff); },
              [this](const ScanStats &stats) { stats.complete ? takeScan(stats) : showProgress(stats); },
              [this](const PermissionStatus &status) { m_permissions = status; }, [](const auto &) {}},
        event);
}

void SweepCommand::takeDiff(const LockDiff &diff)
{
    if (m_isSwept) // what comes later is not of this list
        return;
    for (const WatchedLock &watched : diff.changed)
        m_locks.insert(watched.key(), watched.lock);
    for (const LockKey &key : diff.removed)
        m_locks.remove(key);
}

/// A list with gaps would look like a list of all: it is printed only where it can say so.
void SweepCommand::errorOccurred(const Error &why)
{
    if (!isIncomplete(why.kind))
        return fail(why);
    if (isFinished() || std::exchange(m_isSwept, true))
        return;
    m_incomplete = why;
    complete(watched().scan());
}

void SweepCommand::showProgress(const ScanStats &soFar)
{
    if (m_isSwept || m_running.elapsed() < quietSweepMs)
        return;
    const QString keys = soFar.keyspace > 0 ? Words::tr("%1 of %2 key(s)", nullptr, plural(soFar.keyspace))
                                                  .arg(grouped(soFar.keysScanned), grouped(soFar.keyspace))
                                            : keysInWords(soFar.keysScanned);
    console::progress(Words::tr("%1, %2", "keys scanned, locks found").arg(keys, locksInWords(soFar.locks)));
}

void SweepCommand::takeScan(const ScanStats &stats)
{
    if (std::exchange(m_isSwept, true))
        return;
    if (deployment().isGroup())
        return readDoubted(stats);
    readCompanions(link(), m_locks.values(), [this, stats] { complete(stats); });
}

/// The servers were scanned one key after the other, each at its own pace: where they do not agree, all are asked at once.
void SweepCommand::readDoubted(const ScanStats &stats)
{
    const QList<Link *> servers = groupLinks();
    QList<LockKey> doubted;
    for (const Lock &lock : std::as_const(m_locks)) {
        const bool areAlike = lock.quorum->agreeing + lock.quorum->unknown == servers.size();
        if (!areAlike && !isNoLock(lock) && doubted.size() < maxDoubted)
            doubted.append(lock.key());
    }
    const auto left = std::make_shared<qsizetype>(doubted.size());
    if (doubted.isEmpty())
        return readBeside(0, stats);
    for (const LockKey &key : std::as_const(doubted)) {
        whenDone(listener(), GroupReading::start(servers, key, listener()),
                 [this, key, left, stats](const GroupReading::Answer &found) {
                     if (found && found->lock)
                         m_locks[key] = *found->lock;
                     else if (found && found->unknown == 0)
                         m_locks.remove(key);
                     if (--*left == 0)
                         readBeside(0, stats);
                 });
    }
}

/// What stands beside the locks of a Redlock group is read on the server whose reading is shown.
void SweepCommand::readBeside(qsizetype server, const ScanStats &stats)
{
    const QList<Link *> servers = groupLinks();
    if (server == servers.size())
        return complete(stats);
    QList<Lock> own;
    for (const Lock &lock : std::as_const(m_locks)) {
        if (lock.quorum->shownMember == server)
            own.append(lock);
    }
    if (servers[server]->state() != Link::State::Ready || own.isEmpty())
        return readBeside(server + 1, stats);
    readCompanions(*servers[server], own, [this, server, stats] { readBeside(server + 1, stats); });
}

void SweepCommand::readCompanions(Link &server, const QList<Lock> &locks, const std::function<void()> &then)
{
    whenDone(
        listener(), companions::inspect(server, locks), [this, then](const Result<companions::Seen> &seen) {
            if (!seen && deployment().isGroup()) { // the rest is there all the same
                ++m_unreadBeside;
                return then();
            }
            if (!seen) {
                if (seen.error().kind != ErrorKind::OutcomeUnknown) // else connectionLost() tells the cause
                    fail(seen.error());
                return;
            }
            for (const Lock &lock : seen->locks)
                m_locks.insert(lock.key(), lock);
            m_unreadBeside = std::ranges::count_if(
                m_locks, [](const Lock &lock) { return lock.beside->unread != Unread::Nothing; });
            m_permissions.missing.removeIf([](const PermissionStatus::Missing &missing) {
                return missing.use == PermissionStatus::Use::Companions;
            });
            m_permissions.missing += missingCompanions(seen->forbidden);
            then();
        });
}

/// What is hidden is decided after what stands beside them is known: a bare number may be a semaphore.
void SweepCommand::complete(const ScanStats &stats)
{
    if (isFinished())
        return;
    m_hidden = std::ranges::count_if(m_locks, isHidden);
    if (!options().all)
        m_locks.removeIf([](const auto &known) { return isHidden(known.value()); });
    if (!options().filter.isEmpty()) { // which makes sense: where the nodes are was not known before
        const LockFilter filter = *LockFilter::parse(options().filter, {}, watched().cluster());
        const TimePoint now = Clock::now();
        const qint64 wallMs = QDateTime::currentMSecsSinceEpoch();
        m_filteredOut = m_locks.removeIf(
            [&](const auto &known) { return !filter.matches(readOnce(known.value(), now, wallMs), now); });
    }
    console::progress({});
    print(stats);
}

qint64 SweepCommand::possible() const
{
    return std::ranges::count_if(m_locks, isPossible);
}

bool SweepCommand::isWhole(const ScanStats &stats) const
{
    return !m_incomplete && stats.isWhole() && m_unreadBeside == 0;
}

void SweepCommand::warnOfGaps(const ScanStats &stats)
{
    warnOfUnread(m_permissions, m_unreadBeside);
    warnOfReplica();
    if (stats.eviction)
        console::setFieldError(describe(*stats.eviction));
    if (stats.nodesMissing > 0)
        warnOfMissing(watched().cluster().missing());
    for (const QString &gap : gapsInWords(stats))
        console::setFieldError(gap);
}

/// Empty where there is one server alone that somebody has given.
QJsonArray SweepCommand::nodesJson() const
{
    const ClusterStatus &cluster = watched().cluster();
    QJsonArray nodes;
    const bool isAlone = !cluster.hasSeveral() && !cluster.sentinels;
    if (isAlone && !server().isReplica())
        return nodes;
    QHash<QString, qint64> locks;
    for (const Lock &lock : m_locks) {
        if (const NodeStatus *node = cluster.nodeOf(lock.key()))
            ++locks[node->name];
        for (qsizetype i = 0; lock.quorum && i < cluster.nodes.size(); ++i)
            locks[cluster.nodes[i].name] +=
                lock.quorum->members[i].state == MemberReading::State::Held ? 1 : 0;
    }
    for (NodeStatus node : cluster.nodes) {
        const qint64 own = locks.value(node.name);
        if (node.name.isEmpty())
            node.name = serverName();
        nodes.append(toJson(node, own));
    }
    return nodes;
}

QJsonObject SweepCommand::serverJson() const
{
    if (deployment().isGroup()) // each of them is a server of its own
        return {{QStringLiteral("mode"), QStringLiteral("redlock")}, {QStringLiteral("nodes"), nodesJson()}};
    return toJson(server(), deployment().isBySentinels(), nodesJson());
}

QString outsideInWords(const Outside &outside)
{
    constexpr qsizetype patternsTold = 12;
    qsizetype told = 0;
    QString options;
    for (const OutsidePattern &each : outside.patterns) {
        // What would have to be escaped can't be typed as it stands.
        const QString pattern = QString::fromUtf8(each.pattern);
        if (told == patternsTold || pattern.contains(u'\'') || pattern.contains(u'\\') ||
            pattern != printable(each.pattern))
            continue;
        options += QStringLiteral(" --pattern '%1'").arg(pattern);
        ++told;
    }
    const QString text =
        Words::tr("%1 more key(s) may be locks, but match no pattern. To read these instead:%2", nullptr,
                  plural(outside.names))
            .arg(grouped(outside.names), options);
    const qsizetype more = outside.patterns.size() - told;
    return more > 0 ? text + u' ' + Words::tr("(and %1 more: --json)").arg(grouped(more)) : text;
}

} // namespace lockscope
