// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/deploymentmonitor.h"

#include "core/base/match.h"
#include "core/monitor/deploymentpart.h"
#include "core/monitor/scanguard.h"

#include <QHash>

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto doubtInterval = 250ms;
constexpr size_t fewNodes = 64;        // a change of any of them is told at once
constexpr auto manyNodesEvery = 200ms; // of more it costs as much as of all

} // namespace

DeploymentMonitor::DeploymentMonitor(Deployment &deployment, MonitorOptions options, QObject *parent)
    : QObject(parent), m_deployment(deployment), m_options(std::move(options))
{
    m_options.keepsLocks = m_options.keepsLocks || deployment.isGroup(); // which compares them
    if (deployment.isGroup())
        m_quorums = std::make_unique<QuorumTable>(
            deployment.shards().size(), m_options.maxLocks, [this](qsizetype server, const LockKey &key) {
                return m_parts[static_cast<size_t>(server)]->monitor.isUnreadable(key);
            });
    m_doubtCheck.setParent(this); // so that it moves to another thread with us
    m_doubtCheck.setInterval(doubtInterval);
    connect(&m_doubtCheck, &QTimer::timeout, this, &DeploymentMonitor::settleDoubts);
    for (Shard *shard : deployment.shards())
        addPart(*shard);
    updateCluster();
    connect(&deployment, &Deployment::shardsChanged, this, &DeploymentMonitor::takeShards);
    m_nodesChange.setParent(this);
    m_nodesChange.setSingleShot(true);
    connect(&m_nodesChange, &QTimer::timeout, this, &DeploymentMonitor::takeNodes);
    connect(&deployment, &Deployment::nodesChanged, this, [this] {
        if (m_parts.size() <= fewNodes)
            takeNodes();
        else if (!m_nodesChange.isActive())
            m_nodesChange.start(manyNodesEvery);
    });
}

DeploymentMonitor::~DeploymentMonitor() = default;

void DeploymentMonitor::takeNodes()
{
    updateCluster();
    if (!m_deployment.isCluster() && !m_deployment.isGroup())
        return;
    tellConfirmed(); // the rest may have waited for one that is gone
    tellScan(true);
    tellFeed();
}

DeploymentMonitor::Part *DeploymentMonitor::partOf(Shard *shard) const
{
    return m_byShard.value(shard);
}

DeploymentMonitor::Part *DeploymentMonitor::partOf(const LockKey &key) const
{
    return partOf(m_deployment.shardOf(key.bytes));
}

void DeploymentMonitor::addPart(Shard &shard)
{
    Part &part = *m_parts.emplace_back(
        std::make_unique<Part>(shard, m_options.ofOneNode(std::ssize(m_deployment.shards()))));
    m_byShard.insert(&shard, &part);
    LockMonitor *monitor = &part.monitor;
    monitor->setParent(this); // so that it moves to another thread with us
    part.index = static_cast<qsizetype>(m_parts.size()) - 1;
    connect(monitor, &LockMonitor::reported, this,
            [this, &part](const MonitorReport &event) { take(part, event); });
    connect(monitor, &LockMonitor::foreignKeysFound, this, &DeploymentMonitor::requestRead);
    connect(monitor, &LockMonitor::waitsSeen, this, [this, &part](const QList<WaitEdge> &waits) {
        part.waits = waits;
        part.hasNewWaits = true;
        findDeadlocks();
    });
    connect(&shard, &Link::connectionLost, monitor, [&part] {
        part.whole.reset();
        part.confirmedAt.reset();
    });
    if (m_quorums) {
        const auto forget = [this, &part] { setKnown(part, false); };
        connect(&shard, &Link::connectionLost, this, forget);
        connect(&shard, &Link::connectionRefused, this, forget);
    }
}

void DeploymentMonitor::take(Part &part, const MonitorReport &event)
{
    std::visit(Match{[&](const LockDiff &diff) {
                         if (!m_quorums && diff.withdrawn && m_parts.size() > 1) {
                             LockDiff own = diff;
                             own.withdrawn = [this, &part](const LockKey &key) {
                                 return partOf(key) == &part;
                             };
                             return emit reported(own);
                         }
                         if (!m_quorums)
                             return emit reported(diff);
                         tellMembers(m_quorums->apply(part.index, diff, Clock::now()));
                     },
                     [&](const DataConfirmed &confirmed) {
                         const bool isNews = !part.confirmedAt;
                         part.confirmedAt = part.knownAt = confirmed.at;
                         if (isNews)
                             updateCluster();
                         tellConfirmed();
                     },
                     [&](const ScanStats &stats) {
                         part.scan = stats;
                         if (stats.complete)
                             part.whole = stats;
                         if (stats.complete && m_quorums)
                             setKnown(part, true);
                         tellScan(stats.complete);
                     },
                     [&](const FeedStatus &status) {
                         part.feed = status;
                         tellFeed();
                     },
                     [&](const PermissionStatus &status) {
                         part.permissions = status;
                         tellPermissions();
                     },
                     [&](const QList<Deadlock> &deadlocks) {
                         if (!m_quorums)
                             return emit reported(deadlocks);
                         part.deadlocks = deadlocks;
                         tellMembersDeadlocks();
                     },
                     [&](const Error &why) {
                         if (m_quorums && isIncomplete(why.kind)) // what it does not tell may be there
                             setKnown(part, false);
                         emit reported(why);
                     },
                     [&](ServerReset reset) {
                         if (m_quorums) {
                             reset.to = part.shard.nodeName();
                             reset.stillHeld = m_quorums->heldWithout(part.index);
                         }
                         emit reported(reset);
                     },
                     [&](const auto &other) { emit reported(other); }},
               event);
}

void DeploymentMonitor::setKnown(Part &part, bool isKnown)
{
    tellMembers(m_quorums->setKnown(part.index, isKnown, Clock::now()));
}

void DeploymentMonitor::tellMembersDeadlocks()
{
    QList<Deadlock> all;
    for (const auto &part : m_parts)
        all += notIn(part->deadlocks, all);
    if (all != std::exchange(m_toldDeadlocks, all))
        emit reported(all);
}

/// Reports each lock once, by the reports of all servers.
void DeploymentMonitor::tellMembers(const LockDiff &diff)
{
    if (!diff.isEmpty())
        emit reported(diff);
    if (m_quorums->takeOverflow())
        emit reported(Error(ErrorKind::TooManyLocks));
    // Where a server tells no changes, what it is asked for by name is read soon all the same. Not from within what a monitor
    // tells: it may tell more at once, and that would come before what it told first.
    if (const QList<LockKey> doubted = m_quorums->takeDoubts(); !doubted.isEmpty())
        QMetaObject::invokeMethod(
            this, [this, doubted] { requestRead(doubted); }, Qt::QueuedConnection);
    if (m_quorums->hasDoubts() && !m_doubtCheck.isActive())
        m_doubtCheck.start();
}

void DeploymentMonitor::settleDoubts()
{
    if (const std::optional<TimePoint> at = confirmedAt())
        tellMembers(m_quorums->confirm(*at, Clock::now()));
    if (!m_quorums->hasDoubts())
        m_doubtCheck.stop();
}

/// Runs before other listeners: each key always has one monitor.
void DeploymentMonitor::takeShards()
{
    for (Shard *shard : m_deployment.shards()) {
        if (partOf(shard))
            continue;
        addPart(*shard);
        m_parts.back()->monitor.setVisible(m_visible);
        if (m_isStarted)
            m_parts.back()->monitor.start();
    }
    for (const auto &part : m_parts) {
        part->monitor.setNodes(m_deployment.shards().size());
        part->monitor.setKeyFilter([this, shard = &part->shard](const LockKey &key) {
            return m_deployment.shardOf(key.bytes) == shard;
        });
    }
    handOver();
    const QSet<Shard *> left(m_deployment.shards().begin(), m_deployment.shards().end());
    m_byShard.removeIf([&](const auto &part) { return !left.contains(part.key()); });
    std::erase_if(m_parts, [&](const auto &part) { return !left.contains(&part->shard); });
    m_haveMoved = true;
    updateCluster();
    tellFeed();
    tellPermissions();
}

void DeploymentMonitor::handOver()
{
    QHash<Part *, QList<MigratedLock>> byKeeper;
    LockDiff lost;
    for (const auto &part : m_parts) {
        for (MigratedLock &lock : part->monitor.handOver()) {
            if (Part *keeper = partOf(lock.watched.key()))
                byKeeper[keeper].append(std::move(lock));
            else // nobody keeps its slot
                lost.removed.append(lock.watched.key());
        }
    }
    for (auto at = byKeeper.cbegin(); at != byKeeper.cend(); ++at)
        at.key()->monitor.takeOver(*at);
    if (!lost.isEmpty())
        emit reported(lost);
}

void DeploymentMonitor::updateCluster()
{
    ClusterStatus status;
    QList<Shard *> shards = m_deployment.shards();
    status.isGroup = m_deployment.isGroup();
    if (!status.isGroup)
        std::ranges::sort(shards, {}, [](const Shard *shard) { return shard->nodeName(); });
    for (Shard *shard : std::as_const(shards)) {
        NodeStatus node;
        if (m_deployment.isCluster() || m_deployment.isBySentinels() || m_deployment.isGroup())
            node.name = shard->nodeName();
        node.address = {shard->address().host, shard->address().port};
        node.isReplica = shard->server().isReplica();
        node.replicaOf = shard->server().replicaOf;
        node.state = shard->state();
        if (node.state != Link::State::Ready && node.state != Link::State::Connecting)
            node.error = shard->lastError();
        node.isDecided = shard->isDecided();
        node.slotTotal = static_cast<int>(shard->nodes().slotSet.count());
        if (const Part *part = partOf(shard)) {
            node.confirmedAt = part->knownAt;
            node.isCurrent = node.isReady() && part->confirmedAt;
        }
        status.nodes.append(node);
    }
    if (m_haveMoved && m_deployment.isCluster() && !m_deployment.topology().shards.isEmpty()) {
        m_haveMoved = false;
        auto keepers = std::make_shared<ClusterStatus::Keepers>();
        QHash<const Shard *, qint16> places;
        for (qint16 i = 0; i < shards.size(); ++i)
            places.insert(shards[i], i);
        for (size_t slot = 0; slot < slotCount; ++slot)
            (*keepers)[slot] = places.value(m_deployment.keeperOf(slot), -1);
        m_keepers = std::move(keepers);
    }
    status.keepers = m_keepers;
    status.sentinels = m_deployment.sentinels();
    status.labelNodes();
    status.findUnknownSlots();
    m_cluster = status;
    emit reported(m_cluster);
}

bool DeploymentMonitor::counts(const Part &part) const
{
    return part.shard.state() == Link::State::Ready || m_parts.size() == 1;
}

/// The least of the ready nodes; absent while one of them is unknown.
std::optional<TimePoint> DeploymentMonitor::confirmedAt() const
{
    std::optional<TimePoint> at;
    for (const auto &part : m_parts) {
        if (!counts(*part))
            continue;
        if (!part->confirmedAt)
            return std::nullopt;
        at = std::min(at.value_or(TimePoint::max()), *part->confirmedAt);
    }
    return at;
}

void DeploymentMonitor::tellConfirmed()
{
    if (const std::optional<TimePoint> at = confirmedAt())
        emit reported(DataConfirmed{*at});
}

void DeploymentMonitor::tellScan(bool finished)
{
    if (m_nodesChange.isActive()) { // what is told of the nodes is not behind it
        m_nodesChange.stop();
        updateCluster();
    }
    ScanStats all;
    all.complete = true;
    all.slotsMissing = m_deployment.slotsWithoutNode();
    bool hasOutside = true;
    UnlistedNames outside;
    qint64 weight = 0;
    for (const auto &part : m_parts) {
        if (!counts(*part)) {
            ++all.nodesMissing;
            continue;
        }
        const ScanStats &one = finished && part->whole ? *part->whole : part->scan;
        all.complete = all.complete && part->whole.has_value();
        all.progress += one.progress * static_cast<double>(std::max<qint64>(one.keyspace, 1));
        weight += std::max<qint64>(one.keyspace, 1);
        all.add(one);
        hasOutside = hasOutside && one.outside;
        if (one.outside)
            outside.add(*one.outside);
    }
    if (weight == 0)
        return;
    all.progress /= static_cast<double>(weight);
    if (hasOutside)
        all.outside = outside;
    if (m_quorums) { // each is on several servers
        all.locks = m_quorums->size() - m_quorums->hidden();
        all.hidden = m_quorums->hidden();
    }
    if (finished && !all.complete)
        return;
    all.complete = finished;
    emit reported(all);
}

/// Reports the worst mode of all nodes for each pattern.
void DeploymentMonitor::tellFeed()
{
    FeedStatus all;
    for (const auto &part : m_parts) {
        const FeedStatus &one = part->feed;
        if (!counts(*part))
            continue;
        for (const FeedStatus::Route &route : one.routes) {
            const auto known = std::ranges::find(all.routes, route.pattern, &FeedStatus::Route::pattern);
            if (known == all.routes.end())
                all.routes.append(route);
            else
                known->feed = std::max(known->feed, route.feed);
        }
        if (!all.fallbackReason)
            all.fallbackReason = one.fallbackReason;
        if (one.incident && (!all.incident || all.incident->at < one.incident->at))
            all.incident = one.incident;
    }
    emit reported(all);
}

/// A snapshot of all waits is complete once each node has reported since the last: cycles in two snapshots
/// were read twice. Lost nodes are left out.
void DeploymentMonitor::findDeadlocks()
{
    QList<WaitEdge> all;
    for (const auto &part : m_parts) {
        if (!counts(*part))
            continue;
        if (!part->hasNewWaits)
            return;
        all += part->waits;
    }
    for (const auto &part : m_parts)
        part->hasNewWaits = false;
    m_deadlocks.take(all);
    if (m_deadlocks.deadlocks() == m_toldDeadlocks)
        return;
    m_toldDeadlocks = m_deadlocks.deadlocks();
    for (const auto &part : m_parts) // each marks those that it knows
        part->monitor.setDeadlocks(m_toldDeadlocks);
    emit reported(m_toldDeadlocks);
}

void DeploymentMonitor::tellPermissions()
{
    PermissionStatus all;
    for (const auto &part : m_parts)
        all.add(part->permissions);
    emit reported(all);
}

template <typename Do>
void DeploymentMonitor::byPart(const QList<LockKey> &keys, Do act)
{
    if (m_parts.size() == 1 || m_quorums) {
        for (const auto &part : m_parts)
            act(part->monitor, keys);
        return;
    }
    QHash<Part *, QList<LockKey>> byKeeper;
    for (const LockKey &key : keys) {
        if (Part *keeper = partOf(key))
            byKeeper[keeper].append(key);
    }
    for (auto at = byKeeper.cbegin(); at != byKeeper.cend(); ++at)
        act(at.key()->monitor, *at);
}

void DeploymentMonitor::start()
{
    m_isStarted = true;
    for (const auto &part : m_parts)
        part->monitor.start();
}

void DeploymentMonitor::scanNow()
{
    for (const auto &part : m_parts)
        part->monitor.scanNow();
}

void DeploymentMonitor::setPatterns(const QList<QByteArray> &patterns, const FamilySet &undiscovered)
{
    m_options.patterns = patterns;
    m_options.undiscovered = undiscovered;
    for (const auto &part : m_parts) {
        part->whole.reset();
        if (m_quorums) // what only the new ones match has not been looked for yet
            setKnown(*part, false);
        part->monitor.setPatterns(patterns, undiscovered);
    }
}

void DeploymentMonitor::setRules(const QList<FamilyRule> &rules)
{
    m_options.rules = rules;
    for (const auto &part : m_parts)
        part->monitor.setRules(rules);
}

void DeploymentMonitor::requestRead(const QList<LockKey> &keys)
{
    byPart(keys, [](LockMonitor &monitor, const QList<LockKey> &own) { monitor.requestRead(own); });
}

void DeploymentMonitor::beginAction(const LockKey &key, int server)
{
    atServer(key, server, [&](LockMonitor &monitor) { monitor.beginAction(key); });
}

void DeploymentMonitor::actionEnded(const LockKey &key, int server)
{
    for (const auto &part : m_parts) { // its slot may have moved meanwhile
        if (!m_quorums || part->index == server)
            part->monitor.actionEnded(key);
    }
    requestRead({key});
}

void DeploymentMonitor::recordForceExpire(const LockKey &key, const QList<LockOwner> &ended, int server)
{
    atServer(key, server, [&](LockMonitor &monitor) { monitor.recordForceExpire(key, ended); });
}

/// In a Redlock group, the given server; otherwise the one with the key.
template <typename Tell>
void DeploymentMonitor::atServer(const LockKey &key, int server, const Tell &tell)
{
    if (m_quorums && server >= 0 && server < static_cast<int>(m_parts.size()))
        return tell(m_parts[static_cast<size_t>(server)]->monitor);
    byPart({key}, [&](LockMonitor &monitor, const QList<LockKey> &) { tell(monitor); });
}

void DeploymentMonitor::setVisible(const QList<LockKey> &keys)
{
    m_visible = keys;
    for (const auto &part : m_parts)
        part->monitor.setVisible({});
    byPart(keys, [](LockMonitor &monitor, const QList<LockKey> &own) { monitor.setVisible(own); });
}

} // namespace lockscope
