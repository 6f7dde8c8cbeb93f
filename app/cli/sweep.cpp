// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep.h"

#include "app/cli/json.h"
#include "app/words.h"
#include "core/base/match.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/monitor/missingpermissions.h"
#include "core/monitor/scanguard.h"
#include "core/read/companionreader.h"
#include "core/read/companions.h"
#include "core/read/groupreading.h"
#include "core/read/inspector.h"
#include "core/redis/whendone.h"
#include "core/state/lockfilter.h"
#include "core/state/lockstate.h"
#include "core/words/messages.h"
#include "core/words/servermessages.h"
#include "core/words/texts.h"

#include <QDateTime>

#include <algorithm>
#include <memory>
#include <utility>

namespace lockscope {

namespace {

constexpr qsizetype maxDoubted = 500;        // read once more, all at once
constexpr qsizetype readAtOnce = 500;        // keys
constexpr qint64 quietSweepMs = 1000;        // a list that comes at once needs no progress
constexpr qint64 maxBytes = qint64(2) << 30; // of locks: a server without end must not fill our memory
constexpr qsizetype noServer = -1;           // it is no Redlock group

} // namespace

QString keysInWords(qint64 number)
{
    return Texts::tr("%1 key(s)", nullptr, plural(number)).arg(grouped(number));
}

QString locksInWords(qint64 number)
{
    return Texts::tr("%1 lock(s)", nullptr, plural(number)).arg(grouped(number));
}

SweepCommand::SweepCommand(Options options) : SessionCommand(std::move(options), Kind::Once)
{
    m_running.start();
}

void SweepCommand::take(const MonitorReport &event)
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
    if (diff.withdrawn)
        m_locks.removeIf([&diff](const Lock &lock) { return diff.withdrawn(lock.key()); });
    for (const WatchedLock &watched : diff.changed)
        m_locks.add(watched.lock);
    for (const LockKey &key : diff.removed)
        m_locks.remove(key);
    if (m_locks.bytes() > maxBytes)
        m_locks.sort(); // a Redlock group tells a lock once for each server
    if (m_locks.bytes() > maxBytes)
        errorOccurred(
            Error{ErrorKind::TooManyLocks,
                  Phrase(QT_TRANSLATE_NOOP("phrases", "the limit of %1 locks is reached"), m_locks.size())});
}

/// A list with gaps would look like a list of all: it is printed only where it can say so.
void SweepCommand::errorOccurred(const Error &why)
{
    if (!isIncomplete(why.kind))
        return fail(why);
    if (isFinished() || std::exchange(m_isSwept, true))
        return;
    m_incomplete = why;
    m_locks.sort();
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
    m_locks.sort();
    if (deployment().isGroup())
        return readDoubted(stats);
    if (watched().cluster().hasSeveral() || !stats.areKeysKnown())
        return readEnded(endedLocks(), stats);
    // Fewer keys than locks: all went at once meanwhile, or most of them.
    whenDone(listener(), link().send({"DBSIZE"}), [this, stats](const Result<Reply> &keys) {
        const bool areGone = keys && keys->isInteger() && keys->integer < m_locks.size();
        readEnded(endedLocks(areGone), stats);
    });
}

QList<LockKey> SweepCommand::endedLocks(bool areAllDoubted) const
{
    const TimePoint now = Clock::now();
    QList<LockKey> keys;
    for (const Lock &lock : m_locks) {
        if (areAllDoubted || (lock.deadline && lock.deadline->latest < now))
            keys.append(lock.key());
    }
    return keys;
}

void SweepCommand::readAgain(QList<LockKey> keys, const std::function<void(const QList<Lock> &)> &then,
                             const std::function<void(const Error &)> &failed, const QList<Lock> &soFar)
{
    if (keys.isEmpty())
        return then(soFar);
    const QList<LockKey> some = keys.last(std::min(keys.size(), readAtOnce));
    keys.resize(keys.size() - some.size());
    const auto left = std::make_shared<qsizetype>(some.size());
    const auto read = std::make_shared<QList<Lock>>();
    const auto takeAll = [=, this] {
        whenDone(listener(), companions::inspect(link(), *read),
                 [=, this](const Result<companions::Seen> &seen) {
                     if (seen)
                         readAgain(keys, then, failed, soFar + seen->locks);
                     else
                         failed(seen.error());
                 });
    };
    for (const LockKey &key : some) {
        whenDone(listener(), inspector::inspect(link().forKey(key.bytes), key),
                 [=](const Result<Inspection> &inspection) {
                     if (!inspection)
                         return failed(inspection.error());
                     if (inspection->lock)
                         read->append(*inspection->lock);
                     if (--*left == 0)
                         takeAll();
                 });
    }
}

/// Those that may be gone by now, or renewed.
void SweepCommand::readEnded(QList<LockKey> keys, const ScanStats &stats)
{
    if (keys.isEmpty()) {
        m_locks.sort();
        return readCompanions(link(), noServer, [this, stats] { complete(stats); });
    }
    const QList<LockKey> some = keys.last(std::min(keys.size(), readAtOnce));
    keys.resize(keys.size() - some.size());
    const auto left = std::make_shared<qsizetype>(some.size());
    for (const LockKey &key : some) {
        whenDone(listener(), inspector::inspect(link().forKey(key.bytes), key),
                 [this, key, left, keys, stats](const Result<Inspection> &read) {
                     if (read && read->lock) {
                         Lock lock = *read->lock;
                         refineFamily(lock);
                         m_locks.add(lock);
                     } else if (read) {
                         m_locks.remove(key);
                     }
                     if (--*left == 0)
                         readEnded(keys, stats);
                 });
    }
}

/// The servers were scanned one key after the other, each at its own pace: where they do not agree, all are asked at once.
void SweepCommand::readDoubted(const ScanStats &stats)
{
    const QList<Link *> servers = groupLinks();
    QList<LockKey> doubted;
    for (const Lock &lock : m_locks) {
        const bool areAlike = lock.quorum->agreeing + lock.quorum->unknown == servers.size();
        if (!areAlike && !isNoLock(lock) && doubted.size() < maxDoubted)
            doubted.append(lock.key());
    }
    const auto left = std::make_shared<qsizetype>(doubted.size());
    if (doubted.isEmpty())
        return readCompanionsFrom(0, stats);
    for (const LockKey &key : std::as_const(doubted)) {
        whenDone(listener(), GroupReading::start(servers, key, listener()),
                 [this, key, left, stats](const GroupReading::Answer &found) {
                     if (found && found->lock)
                         m_locks.add(*found->lock);
                     else if (found && found->unknown == 0)
                         m_locks.remove(key);
                     if (--*left > 0)
                         return;
                     m_locks.sort();
                     readCompanionsFrom(0, stats);
                 });
    }
}

/// What stands beside the locks of a Redlock group is read on the server whose reading is shown.
void SweepCommand::readCompanionsFrom(qsizetype server, const ScanStats &stats)
{
    const QList<Link *> servers = groupLinks();
    if (server == servers.size())
        return complete(stats);
    if (servers[server]->state() != Link::State::Ready)
        return readCompanionsFrom(server + 1, stats);
    readCompanions(*servers[server], server,
                   [this, server, stats] { readCompanionsFrom(server + 1, stats); });
}

/// `server`: of a Redlock group, whose reading they show.
void SweepCommand::readCompanions(Link &link, qsizetype server, const std::function<void()> &then)
{
    const auto asked = std::make_shared<QList<qsizetype>>(); // places of those that are on their way
    const auto place = std::make_shared<qsizetype>(0);
    const auto next = [this, asked, place, server](qsizetype most) {
        QList<Lock> locks;
        asked->clear();
        for (; *place < m_locks.size() && locks.size() < most; ++*place) {
            const Lock lock = m_locks.at(*place);
            if (CompanionReader::isWorthwhile(lock) && (!lock.quorum || lock.quorum->shownMember == server)) {
                locks.append(lock);
                asked->append(*place);
            }
        }
        return locks;
    };
    const auto take = [this, asked](const QList<Lock> &locks) {
        for (qsizetype i = 0; i < locks.size(); ++i) {
            m_locks.replace(asked->at(i), locks[i]);
            m_unreadCompanions += locks[i].companions->unread != Unread::Nothing;
            m_haveWaiters = m_haveWaiters || locks[i].companions->waiters.count > 0;
        }
    };
    whenDone(listener(), companions::inspectAll(link, next, take),
             [this, then](const auto &forbidden) { takeCompanions(forbidden, then); });
}

void SweepCommand::takeCompanions(const Result<QList<CompanionAccess::Forbidden>> &forbidden,
                                  const std::function<void()> &then)
{
    if (!forbidden && deployment().isGroup()) { // the rest is there all the same
        ++m_unreadCompanions;
        return then();
    }
    if (!forbidden) {
        if (forbidden.error().kind != ErrorKind::OutcomeUnknown) // else connectionLost() tells the cause
            fail(forbidden.error());
        return;
    }
    m_permissions.missing.removeIf([](const PermissionStatus::Missing &missing) {
        return missing.use == PermissionStatus::Use::Companions;
    });
    m_permissions.missing += missingCompanions(*forbidden);
    then();
}

/// What is hidden is decided after what stands beside them is known: a bare number may be a semaphore.
void SweepCommand::complete(const ScanStats &stats)
{
    if (isFinished())
        return;
    std::optional<LockFilter> filter;
    if (!options().filter.isEmpty()) // which makes sense: where the nodes are was not known before
        filter = *LockFilter::parse(options().filter, {}, watched().cluster());
    const TimePoint now = Clock::now();
    const qint64 wallMs = QDateTime::currentMSecsSinceEpoch();
    m_locks.removeIf([&](const Lock &lock) {
        const bool isNone = isHidden(lock);
        m_hidden += isNone;
        if (isNone && !options().all)
            return true;
        if (filter && !filter->matches(readOnce(lock, now, wallMs), now)) {
            ++m_filteredOut;
            return true;
        }
        m_possible += isPossible(lock);
        m_problematic += bool(lock.problems);
        return false;
    });
    console::progress({});
    print(stats);
}

bool SweepCommand::isWhole(const ScanStats &stats) const
{
    return !m_incomplete && stats.isWhole() && m_unreadCompanions == 0;
}

void SweepCommand::warnOfGaps(const ScanStats &stats)
{
    warnOfUnread(m_permissions, m_unreadCompanions);
    warnOfReplica();
    if (stats.eviction)
        console::printError(describe(*stats.eviction));
    if (stats.nodesMissing > 0)
        warnOfMissing(watched().cluster().missing());
    for (const QString &gap : gapsInWords(stats))
        console::printError(gap);
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

QString outsideInWords(const UnlistedNames &outside)
{
    constexpr qsizetype patternsTold = 12;
    qsizetype told = 0;
    QString options;
    for (const UnlistedPattern &each : outside.patterns) {
        // What would have to be escaped can't be typed as it stands.
        const QString pattern = QString::fromUtf8(each.pattern);
        if (told == patternsTold || pattern.contains(u'\'') || pattern.contains(u'\\') ||
            pattern != printable(each.pattern))
            continue;
        options += QStringLiteral(" --pattern '%1'").arg(pattern);
        ++told;
    }
    const QString text =
        Words::tr("%1 other key(s) may be locks. Read them with:%2", nullptr, plural(outside.names))
            .arg(grouped(outside.names), options);
    const qsizetype more = outside.patterns.size() - told;
    return more > 0 ? text + u' ' + Words::tr("(and %1 more: --json)").arg(grouped(more)) : text;
}

} // namespace lockscope
