// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/list.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/cli/table.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/monitor/companionpermissions.h"
#include "core/monitor/scanguard.h"
#include "core/read/companions.h"
#include "core/read/groupreading.h"
#include "core/redis/whendone.h"
#include "core/words/messages.h"
#include "core/words/quorummessages.h"
#include "core/words/servermessages.h"

#include <QDateTime>
#include <QJsonArray>

#include <algorithm>
#include <limits>

namespace lockscope {

namespace {

constexpr qsizetype maxDoubted = 500; // read once more, all at once
constexpr qint64 silentMs = 1000;     // a list that comes at once needs no progress

/// For the choice between one and several; no language needs more of a large number than its end.
int plural(qint64 number)
{
    return static_cast<int>(number <= 1'000'000'000 ? number : 1'000'000'000 + number % 1'000'000'000);
}

QString keysInWords(qint64 number)
{
    return Words::tr("%1 key(s)", nullptr, plural(number)).arg(grouped(number));
}

QString locksInWords(qint64 number)
{
    return Words::tr("%1 lock(s)", nullptr, plural(number)).arg(grouped(number));
}

QString hiddenInWords(qint64 number)
{
    return Words::tr("Hidden: %1, probably no locks. Show with --all.").arg(keysInWords(number));
}

QString stateOf(const Lock &lock)
{
    if (isHidden(lock))
        return Words::tr("no lock", "state");
    if (lock.quorum && !lock.quorum->isHeld && !lock.owners.isEmpty() &&
        !lock.problems) // whether anybody holds it
        return Words::tr("unknown", "state");
    return lock.problems ? Words::tr("problem", "state") : Words::tr("held", "state");
}

QString listedPatterns(const QList<QByteArray> &patterns)
{
    QStringList names;
    for (const QByteArray &pattern : patterns)
        names.append(printable(pattern, 60));
    return names.join(u' ');
}

/// What was looked for, and what finds the rest.
QString patternsInWords(const QList<QByteArray> &patterns)
{
    return Words::tr("Patterns used: %1. To find locks under other names, use --pattern or the verb search.")
               .arg(listedPatterns(patterns)) +
           u'\n';
}

QString outsideInWords(const Outside &outside)
{
    constexpr qsizetype patternsTold = 5;
    if (outside.names == 0)
        return {};
    QList<QByteArray> patterns;
    for (const OutsidePattern &each : outside.patterns.first(std::min(patternsTold, outside.patterns.size())))
        patterns.append(each.pattern);
    return Words::tr("%1 more key(s) look like locks but match no pattern. Patterns for them: %2", nullptr,
                     plural(outside.names))
               .arg(grouped(outside.names), listedPatterns(patterns)) +
           u'\n';
}

MonitorOptions onePass(MonitorOptions options)
{
    options.listens = false;                          // it ends before anything could be told
    options.waitersInterval = std::chrono::hours(24); // looked at once, in the end
    return options;
}

QString ttlInWords(const Lock &lock, TimePoint now)
{
    if (const auto ttl = ttlAt(lock, now))
        return describe(*ttl);
    return lock.leaseOf == LeaseOf::Unknown ? Words::tr("unknown", "TTL") : Words::tr("none", "no TTL");
}

QStringList rowOf(const Lock &lock, TimePoint now)
{
    const LockOwner first = lock.owners.value(0);
    QString owner = printable(first.owner.bytes, 60);
    if (lock.owners.size() > 1)
        owner = Words::tr("%1 and %n more", nullptr, static_cast<int>(lock.owners.size() - 1)).arg(owner);
    const QString holds =
        first.holdCount ? QString::number(*first.holdCount) : printable(first.rawHoldCount, 20);
    QStringList problems;
    for (const Problem problem : problemList(lock.problems))
        problems.append(QString::fromLatin1(problemName(problem)));
    QStringList row{stateOf(lock),
                    QString::fromLatin1(familyName(lock.family)),
                    printable(lock.key().bytes),
                    owner,
                    holds,
                    ttlInWords(lock, now)};
    if (lock.quorum)
        row.append(quorumText(*lock.quorum));
    row.append(problems.join(u' '));
    return row;
}

} // namespace

MonitorOptions monitorOptions(const Options &options)
{
    MonitorOptions monitor;
    if (!options.patterns.isEmpty())
        monitor.patterns = options.patterns;
    if (options.share) { // of each node, as the user says
        monitor.share = monitor.firstScanShare = *options.share;
        monitor.shareOfNodes = std::numeric_limits<double>::infinity();
    }
    return monitor;
}

bool isFullSpeed(const Options &options)
{
    return options.share.value_or(0) >= 1;
}

ListCommand::ListCommand(Options options)
    : Command(std::move(options), false), m_monitor(deployment(), onePass(monitorOptions(this->options())))
{
    m_running.start();
    connect(&m_monitor, &DeploymentMonitor::changed, this, [this](const LockDiff &diff) {
        if (m_isSwept) // what comes later is not of this list
            return;
        for (const WatchedLock &watched : diff.changed)
            m_locks.insert(watched.key(), watched.lock);
        for (const LockKey &key : diff.removed)
            m_locks.remove(key);
    });
    connect(&m_monitor, &DeploymentMonitor::scanProgressed, this, &ListCommand::showProgress);
    connect(&m_monitor, &DeploymentMonitor::permissionsChanged, this,
            [this](const PermissionStatus &status) { m_permissions = status; });
    connect(&m_monitor, &DeploymentMonitor::scanFinished, this, &ListCommand::takeScan);
    connect(&m_monitor, &DeploymentMonitor::errorOccurred, this, &ListCommand::errorOccurred);
}

void ListCommand::run()
{
    if (isFullSpeed(options()))
        m_monitor.scanNow();
    m_monitor.start();
}

/// A list with gaps would look like a list of all: it is printed only where it can say so.
void ListCommand::errorOccurred(const Error &why)
{
    if (!isIncomplete(why.kind))
        return fail(why);
    if (isFinished() || std::exchange(m_isSwept, true))
        return;
    m_incomplete = why;
    hide();
    print(m_soFar);
}

void ListCommand::showProgress(const ScanStats &soFar)
{
    m_soFar = soFar;
    if (isFinished() || m_running.elapsed() < silentMs)
        return;
    const QString keys = soFar.keyspace > 0 ? Words::tr("%1 of %2 key(s)", nullptr, plural(soFar.keyspace))
                                                  .arg(grouped(soFar.keysScanned), grouped(soFar.keyspace))
                                            : keysInWords(soFar.keysScanned);
    console::progress(Words::tr("%1, %2", "keys scanned, locks found").arg(keys, locksInWords(soFar.locks)));
}

void ListCommand::takeScan(const ScanStats &stats)
{
    if (isFinished() || !stats.complete || std::exchange(m_isSwept, true))
        return;
    if (deployment().isGroup())
        return readDoubted(stats);
    readCompanions(link(), m_locks.values(), [this, stats] {
        hide();
        print(stats);
    });
}

/// The servers were scanned one key after the other, each at its own pace: where they do not agree, all are asked at once.
void ListCommand::readDoubted(const ScanStats &stats)
{
    const QList<Link *> servers = groupLinks();
    QList<LockKey> doubted;
    for (const Lock &lock : std::as_const(m_locks)) {
        const bool areAlike = lock.quorum->agreeing + lock.quorum->unknown == servers.size();
        if (!areAlike && !isHidden(lock) && doubted.size() < maxDoubted)
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
void ListCommand::readBeside(qsizetype server, const ScanStats &stats)
{
    const QList<Link *> servers = groupLinks();
    if (server == servers.size()) {
        hide();
        return print(stats);
    }
    QList<Lock> own;
    for (const Lock &lock : std::as_const(m_locks)) {
        if (lock.quorum->shownMember == server)
            own.append(lock);
    }
    if (servers[server]->state() != Link::State::Ready || own.isEmpty())
        return readBeside(server + 1, stats);
    readCompanions(*servers[server], own, [this, server, stats] { readBeside(server + 1, stats); });
}

void ListCommand::readCompanions(Link &server, const QList<Lock> &locks, const std::function<void()> &then)
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

/// After what stands beside them is known: a bare number may be a semaphore.
void ListCommand::hide()
{
    m_hidden = std::ranges::count_if(m_locks, isHidden);
    if (!options().all)
        m_locks.removeIf([](const auto &known) { return isHidden(known.value()); });
}

void ListCommand::print(const ScanStats &stats)
{
    if (isFinished())
        return;
    console::progress({});
    const bool isUnknown =
        (m_incomplete || stats.nodesMissing > 0) && m_locks.isEmpty(); // that there are none is not known
    const QByteArray result = options().json ? json(stats)
                              : isUnknown    ? QByteArray()
                                             : humanText(stats).toUtf8();
    warnOfUnread(m_permissions, m_unreadBeside);
    warnOfReplica();
    if (stats.nodesMissing > 0)
        warnOfMissing(m_monitor.cluster().missing());
    if (m_incomplete)
        finish(*m_incomplete, result);
    else
        finish(stats.nodesMissing > 0 || stats.unreadable > 0 || m_unreadBeside > 0 ? ExitStatus::Unavailable
                                                                                    : ExitStatus::Done,
               result);
}

/// Empty where there is one server alone that somebody has given.
QJsonArray ListCommand::nodesJson() const
{
    const ClusterStatus &cluster = m_monitor.cluster();
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

QJsonObject ListCommand::serverJson() const
{
    if (deployment().isGroup()) // each of them is a server of its own
        return {{QStringLiteral("mode"), QStringLiteral("redlock")}, {QStringLiteral("nodes"), nodesJson()}};
    return toJson(server(), deployment().isBySentinels(), nodesJson());
}

QByteArray ListCommand::json(const ScanStats &stats) const
{
    const TimePoint now = Clock::now();
    const qint64 wallMs = QDateTime::currentMSecsSinceEpoch();
    QJsonArray locks;
    for (const Lock &lock : m_locks)
        locks.append(lockJson(lock, now, wallMs, groupServers()));
    QJsonObject list{{QStringLiteral("server"), serverJson()},
                     {QStringLiteral("sweep"), toJson(stats)},
                     {QStringLiteral("unreadable"), stats.unreadable},
                     {QStringLiteral("hidden"), m_hidden},
                     {QStringLiteral("locks"), locks}};
    if (stats.outside)
        list[QStringLiteral("outside")] = toJson(*stats.outside);
    if (m_incomplete || stats.nodesMissing > 0 || stats.unreadable > 0 || m_unreadBeside > 0)
        list[QStringLiteral("complete")] = false;
    return jsonLine(list);
}

QString ListCommand::humanText(const ScanStats &stats) const
{
    const QString keys = stats.areKeysKnown() ? keysInWords(stats.keysScanned)
                                              : Words::tr("a keyspace of unknown size", "Scanned %2 in %3.");
    const QString time = describe(std::chrono::duration_cast<milliseconds>(stats.wallTime));
    const QString more = (m_hidden == 0 || options().all ? QString() : hiddenInWords(m_hidden) + u'\n') +
                         (stats.outside ? outsideInWords(*stats.outside) : QString());
    if (m_locks.isEmpty() && stats.unreadable > 0)
        return Words::tr("No locks could be read at %1. Unreadable keys: %2. %3 scanned in %4.")
                   .arg(serverName(), grouped(stats.unreadable), keys, time) +
               u'\n' + more;
    if (m_locks.isEmpty() && m_unreadBeside > 0)
        return Words::tr("No locks known at %1: the companion keys of %2 cannot be read. Scanned %3 in %4.")
                   .arg(serverName(), keysInWords(m_unreadBeside), keys, time) +
               u'\n' + more;
    if (m_locks.isEmpty())
        return Words::tr("No locks at %1. Scanned %2 in %3.").arg(serverName(), keys, time) + u'\n' +
               patternsInWords(m_monitor.options().patterns) + more;
    QStringList heading{Words::tr("STATE", "column of a table"), Words::tr("FAMILY", "column of a table"),
                        Words::tr("KEY", "column of a table"),   Words::tr("OWNER", "column of a table"),
                        Words::tr("HOLDS", "column of a table"), Words::tr("TTL", "column of a table")};
    if (deployment().isGroup())
        heading.append(Words::tr("SERVERS", "column of a table"));
    heading.append(Words::tr("PROBLEMS", "column of a table"));
    Table table(heading);
    for (const Lock &lock : m_locks)
        table.add(rowOf(lock, Clock::now()), bool(lock.problems));
    const auto errorOccurred =
        std::ranges::count_if(m_locks, [](const Lock &lock) { return bool(lock.problems); });
    return table.text(console::hasColor()) +
           Words::tr("%1 (%2 with problems). Scanned %3 in %4.")
               .arg(locksInWords(m_locks.size()), grouped(errorOccurred), keys, time) +
           (stats.unreadable > 0 ? u' ' + Words::tr("Unreadable keys: %1.").arg(grouped(stats.unreadable))
                                 : QString()) +
           u'\n' + more;
}

} // namespace lockscope
