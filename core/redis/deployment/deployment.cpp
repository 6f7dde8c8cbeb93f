// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/deployment.h"

#include "core/redis/deployment/anylink.h"
#include "core/redis/deployment/reachableaddress.h"
#include "core/redis/deployment/routedbatch.h"
#include "core/redis/whendone.h"

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {

constexpr auto replicationInterval = 1s;
constexpr auto steadyInterval = 5s;      // between looks at the topology, where nothing seems to change
constexpr auto troubledInterval = 200ms; // and where a node is missing
constexpr auto answerPatience = 500ms;   // then another node is asked: the first may hang
constexpr qsizetype maxUntold = 16;      // nodes that redirections name and the topology does not
constexpr auto newsFor = 30s;
constexpr auto lastingInterval = 2s; // where it has been missing for longer
constexpr auto olderViewRefusedFor = 10s;

} // namespace

Deployment::Deployment(const ServerAddress &address, Connection::Options options, QObject *parent)
    : QObject(parent),
      m_address(address),
      m_options(std::move(options)),
      m_link(new AnyLink(*this)) // NOLINT(cppcoreguidelines-owning-memory): a child
{
    for (const NodeAddress &member : address.members)
        m_shards.append(new Shard(*this, address.member(member), m_options)); // NOLINT: a child
    if (m_shards.isEmpty())
        m_shards.append(
            new Shard(*this, address, m_options)); // NOLINT(cppcoreguidelines-owning-memory): a child
    m_refresh.setParent(this);                     // so that it moves to another thread with us
    m_refresh.setSingleShot(true);
    connect(&m_refresh, &QTimer::timeout, this, &Deployment::refresh);
    m_replication.setParent(this);
    m_replication.setInterval(replicationInterval);
    connect(&m_replication, &QTimer::timeout, this,
            isGroup() ? &Deployment::pollMembers : &Deployment::pollReplication);
    if (!address.isBySentinels())
        return;
    m_sentinels =
        new SentinelWatch(address, m_options, this); // NOLINT(cppcoreguidelines-owning-memory): a child
    connect(m_sentinels, &SentinelWatch::decided, this, &Deployment::takeDecision);
    connect(m_sentinels, &SentinelWatch::failed, this, &Deployment::takeIndecision);
    connect(m_sentinels, &SentinelWatch::switched, this,
            [this](const NodeAddress &primary, const ServerAddress &teller) {
                // At once: the one before may come back, and be taken for what it was. It is confirmed by what they
                // answer when they are asked.
                if (!m_address.readsReplica)
                    m_shards.first()->takeName(reachableAddress(primary, m_address, teller));
            });
}

Deployment::~Deployment()
{
    close();
    // What is still under way tells of its end while there is somebody to tell of.
    const QObjectList left = children();
    for (QObject *child : left) {
        if (auto *batch = dynamic_cast<RoutedBatch *>(child))
            delete batch; // NOLINT(cppcoreguidelines-owning-memory)
    }
}

Link &Deployment::link()
{
    return *m_link;
}

std::optional<SentinelStatus> Deployment::sentinels() const
{
    return m_sentinels ? std::optional(m_sentinels->status()) : std::nullopt;
}

void Deployment::open()
{
    m_isOpen = true;
    if (m_sentinels)
        m_sentinels->open();
    for (Shard *shard : std::as_const(m_shards))
        shard->open();
}

void Deployment::close()
{
    m_isOpen = false;
    m_refresh.stop();
    m_replication.stop();
    if (m_sentinels)
        m_sentinels->close();
    const QList<Shard *> shards = m_shards;
    for (Shard *shard : shards)
        shard->close();
    for (Connection *node : std::as_const(m_otherNodes))
        node->close();
    if (m_scout)
        m_scout->close();
    emit m_link->closed();
}

void Deployment::retryNow()
{
    for (Shard *shard : std::as_const(m_shards)) {
        shard->retryNow();
        shard->open();
    }
    if (m_sentinels)
        m_sentinels->retryNow();
    if (m_isCluster)
        requestTopology();
}

Shard *Deployment::shardOf(QByteArrayView key) const
{
    if (isGroup())
        return nullptr;
    return m_isCluster ? m_bySlot[static_cast<size_t>(slotOf(key))] : m_shards.first();
}

int Deployment::slotsWithoutNode() const
{
    return m_topology.shards.isEmpty() ? 0 : slotCount - static_cast<int>(m_covered.count());
}

Link &Deployment::linkFor(QByteArrayView key)
{
    Shard *shard = shardOf(key);
    return shard ? static_cast<Link &>(*shard) : *m_link;
}

Shard *Deployment::anyReady() const
{
    const auto ready = std::ranges::find_if(
        m_shards, [](const Shard *shard) { return shard->state() == Link::State::Ready; });
    return ready == m_shards.end() ? nullptr : *ready;
}

void Deployment::loggedIn(Shard &shard)
{
    if (isGroup())
        return takeMember(shard);
    const bool isOfCluster = shard.server().mode == "cluster";
    if (m_sentinels) {
        m_sentinels->ask(); // whether it still is the one
        return;
    }
    if (!isOfCluster && !m_isCluster) {
        shard.confirm();
        watchReplication();
        return shardChanged();
    }
    if (!isOfCluster)
        return shard.distrust(Phrase(QT_TRANSLATE_NOOP("phrases", "it has left the cluster")));
    m_isCluster = true;
    requestTopology(&shard);
}

void Deployment::shardLost(Shard &shard)
{
    if (!isGroup())
        m_replication.stop();
    m_link->follow(shard);
    emit nodesChanged();
    if (m_sentinels && m_isOpen)
        m_sentinels->ask();
    if (m_isCluster || m_sentinels)
        scheduleRefresh();
}

void Deployment::shardChanged()
{
    m_link->follow(*m_shards.first());
    emit nodesChanged();
}

void Deployment::refresh()
{
    if (m_sentinels)
        m_sentinels->ask();
    else
        requestTopology();
}

/// One request at a time; others get the same answer.
void Deployment::requestTopology(Shard *preferred)
{
    if (!m_isCluster || !m_askedUntil.hasExpired())
        return;
    Connection *via = preferred ? &preferred->m_connection : nullptr;
    for (qsizetype i = 0; i < m_shards.size() && !via; ++i) {
        Connection &next = m_shards[++m_nextAsked % m_shards.size()]->m_connection;
        if (next.state() == Link::State::Ready)
            via = &next;
    }
    if (!via && m_scout && m_scout->state() == Link::State::Ready)
        via = m_scout;
    if (!via)
        return scout();
    CommandBatch question;
    question.add({"CLUSTER", "SLOTS"});
    question.add({"CLUSTER", "INFO"});
    if (m_asksShards)
        question.add({"CLUSTER", "SHARDS"});
    m_askedUntil = QDeadlineTimer(answerPatience);
    m_refresh.start(answerPatience);
    whenDone(this, via->send(question),
             [this, from = QPointer(via)](const Result<std::vector<Reply>> &replies) {
                 m_askedUntil = QDeadlineTimer();
                 m_refresh.stop();
                 takeTopology(from, replies);
             });
}

void Deployment::takeTopology(Connection *asked, const Result<std::vector<Reply>> &replies)
{
    if (!replies || !asked) // its own signal tells
        return scheduleRefresh();
    // CLUSTER SHARDS knows of nodes without slots, too, but not every version says there who has which.
    const Reply &ranges = (*replies)[0];
    const Reply *shards = replies->size() > 2 ? &(*replies)[2] : nullptr;
    const bool hasShards = shards && !shards->isError();
    if (shards && shards->isError()) {
        const ErrorKind kind = serverError(shards->text).kind;
        m_asksShards = kind != ErrorKind::NoPermission && kind != ErrorKind::ServerError;
    }
    Result<ClusterTopology> topology =
        ClusterTopology::parse(ranges.isError() && hasShards ? *shards : ranges, (*replies)[1]);
    if (topology) {
        if (hasShards) {
            if (const auto all = ClusterTopology::parse(*shards, (*replies)[1]); all && all->isWhole)
                topology->addNodes(*all);
        }
        apply(std::move(*topology), asked->address());
    } else if (m_topology.shards.isEmpty()) {
        const Error why = topology.error();
        Shard &first = *m_shards.first();
        if (requiresUserAction(why.kind)) {
            first.refuse(why);
            return shardChanged();
        }
        first.m_connection.fail(why);
        return;
    }
    confirmShards();
    scheduleRefresh();
}

ServerAddress Deployment::addressOf(const NodeAddress &node, const ServerAddress &teller) const
{
    return reachableAddress(node, m_address, teller);
}

Connection *Deployment::connectionTo(const NodeAddress &node, const ServerAddress &teller)
{
    const ServerAddress address = addressOf(node, teller);
    for (Shard *shard : m_shards) {
        if (shard->address() == address)
            return &shard->m_connection;
    }
    const auto other = std::ranges::find_if(
        m_otherNodes, [&](const Connection *connection) { return connection->address() == address; });
    if (other != m_otherNodes.end())
        return *other;
    // One that keeps no slots yet, or of which the topology has not told. Until it does, by its address.
    const QByteArray id = m_otherAddresses.key(address);
    if (id.isEmpty() && m_otherNodes.size() >= m_otherAddresses.size() + maxUntold)
        return nullptr;
    return &openOther(id.isEmpty() ? address.toDisplayString().toUtf8() : id, address);
}

Connection &Deployment::openOther(const QByteArray &id, const ServerAddress &address)
{
    Connection *&connection = m_otherNodes[id];
    if (!connection) {
        connection =
            new Connection(address, m_options, this); // NOLINT(cppcoreguidelines-owning-memory): a child
        connection->open();
    }
    return *connection;
}

void Deployment::apply(ClusterTopology topology, const ServerAddress &teller)
{
    // A node that was cut off may not know yet what has happened.
    if (topology.epoch >= 0 && topology.epoch < m_topology.epoch && m_epochHolds &&
        !m_epochHolds->hasExpired())
        return;
    m_epochHolds = QDeadlineTimer(olderViewRefusedFor);
    QList<ClusterShard> keepers;
    SlotSet covered;
    for (const ClusterShard &shard : std::as_const(topology.shards)) {
        covered |= shard.slotSet;
        if (shard.slotSet.any())
            keepers.append(shard);
    }
    const auto isKeeper = [&](const QByteArray &id) {
        return std::ranges::any_of(keepers,
                                   [&](const ClusterShard &keeper) { return keeper.primary.id == id; });
    };
    QList<Shard *> before = m_shards;
    const auto takeFirst = [&before](auto isSo) -> Shard * {
        const auto found = std::ranges::find_if(before, isSo);
        if (found == before.end())
            return nullptr;
        Shard *shard = *found;
        before.erase(found);
        return shard;
    };
    QList<Shard *> after(keepers.size(), nullptr);
    const auto match = [&](auto isSo) {
        for (qsizetype i = 0; i < keepers.size(); ++i) {
            if (!after[i])
                after[i] = takeFirst([&](const Shard *shard) { return isSo(*shard, keepers[i]); });
        }
    };
    match([](const Shard &shard, const ClusterShard &keeper) {
        return shard.m_nodes.primary.id == keeper.primary.id;
    });
    match([&](const Shard &shard, const ClusterShard &keeper) { // one of its replicas has taken over
        return shard.m_nodes.hasNode(keeper.primary.id) && !isKeeper(shard.m_nodes.primary.id);
    });
    match([&](const Shard &shard, const ClusterShard &keeper) {
        return shard.m_nodes.primary.id.isEmpty() &&
               shard.address() == addressOf(keeper.primary.address, teller);
    });
    match([](const Shard &shard, const ClusterShard &) { return shard.m_nodes.primary.id.isEmpty(); });
    QList<Shard *> added;
    bool isSame = before.isEmpty();
    for (qsizetype i = 0; i < keepers.size(); ++i) {
        const ServerAddress address = addressOf(keepers[i].primary.address, teller);
        if (!after[i]) {
            after[i] =
                new Shard(*this, address, m_options); // NOLINT(cppcoreguidelines-owning-memory): a child
            added.append(after[i]);
        }
        // What nobody has for a moment stays where it was.
        keepers[i].slotSet |= after[i]->m_nodes.slotSet & ~covered;
        isSame = isSame && after[i]->m_nodes == keepers[i];
    }
    m_topology = std::move(topology);
    const bool isCoveredAlike = std::exchange(m_covered, covered) == covered;
    if (isSame) {
        keepOtherNodes(teller);
        if (!isCoveredAlike)
            emit nodesChanged();
        return;
    }
    m_shards = after;
    m_bySlot.fill(nullptr);
    for (qsizetype i = 0; i < after.size(); ++i) {
        const SlotSet &own = keepers[i].slotSet;
        Shard *const keeper = after[i];
        for (size_t slot = 0; slot < slotCount; ++slot) {
            if (own.test(slot))
                m_bySlot[slot] = keeper;
        }
    }
    for (qsizetype i = 0; i < after.size(); ++i)
        after[i]->setNodes(keepers[i], addressOf(keepers[i].primary.address, teller));
    keepOtherNodes(teller);
    emit shardsChanged();
    for (Shard *shard : std::as_const(added))
        shard->open();
    for (Shard *gone : std::as_const(before)) {
        gone->close(); // whoever waits for it hears of that
        gone->deleteLater();
    }
    emit nodesChanged();
}

/// Closes connections to nodes that are gone, or have slots now.
void Deployment::keepOtherNodes(const ServerAddress &teller)
{
    QHash<QByteArray, NodeAddress> others;
    for (const ClusterShard &shard : std::as_const(m_topology.shards)) {
        if (shard.slotSet.none())
            others.insert(shard.primary.id, shard.primary.address);
        for (const ClusterNode &replica : shard.replicas)
            others.insert(replica.id, replica.address);
    }
    m_otherNodes.removeIf([&](const QHash<QByteArray, Connection *>::iterator &node) {
        const auto found = others.constFind(node.key());
        if (found != others.constEnd()) {
            node.value()->moveTo(addressOf(*found, teller));
            return false;
        }
        node.value()->close();
        node.value()->deleteLater();
        return true;
    });
    m_otherAddresses.clear();
    for (auto node = others.cbegin(); node != others.cend(); ++node)
        m_otherAddresses.insert(node.key(), addressOf(*node, teller));
}

QList<Connection *> Deployment::otherNodes()
{
    QList<Connection *> nodes;
    for (auto node = m_otherAddresses.cbegin(); node != m_otherAddresses.cend(); ++node)
        nodes.append(&openOther(node.key(), *node));
    return nodes;
}

/// Confirms shards by the topology and the node itself.
void Deployment::confirmShards()
{
    if (m_topology.shards.isEmpty())
        return;
    const QList<Shard *> shards = m_shards;
    for (Shard *shard : shards) {
        if (shard->m_connection.state() != Link::State::Ready || shard->m_isConfirmed)
            continue;
        if (shard->m_server.role != "slave") {
            shard->confirm();
            shardChanged();
            continue;
        }
        // It may have taken over since it was asked at login.
        whenDone(shard, shard->m_connection.send({"INFO", "replication"}),
                 [shard](const Result<Reply> &info) {
                     if (info)
                         shard->m_server.role = serverInfoFrom({}, info->text).role;
                 });
    }
}

void Deployment::scheduleRefresh()
{
    const bool isSteady = std::ranges::all_of(
        m_shards, [](const Shard *shard) { return shard->state() == Link::State::Ready; });
    if (isSteady)
        m_troubledSince.invalidate();
    else if (!m_troubledSince.isValid())
        m_troubledSince.start();
    const bool isNews =
        m_troubledSince.isValid() && !m_troubledSince.hasExpired(milliseconds(newsFor).count());
    const auto interval = isSteady ? milliseconds(steadyInterval)
                          : isNews ? milliseconds(troubledInterval)
                                   : lastingInterval;
    if (!m_refresh.isActive() || m_refresh.remainingTimeAsDuration() > interval)
        m_refresh.start(interval);
}

QList<ServerAddress> Deployment::nodeAddresses() const
{
    QList<ServerAddress> addresses;
    for (const Shard *shard : m_shards)
        addresses.append(shard->address());
    for (const ServerAddress &other : m_otherAddresses) {
        if (!addresses.contains(other))
            addresses.append(other);
    }
    return addresses;
}

/// If no known node answers, any other may know the topology.
void Deployment::scout()
{
    scheduleRefresh();
    if (m_scout && (m_scout->state() == Link::State::Connecting || m_scout->state() == Link::State::Ready))
        return;
    QList<ServerAddress> addresses{m_address};
    addresses += m_otherAddresses.values();
    if (m_scout) {
        m_scout->disconnect(this);
        m_scout->deleteLater();
    }
    Connection::Options options = m_options;
    options.reconnect = false;
    m_scout = new Connection(addresses[m_scouted++ % addresses.size()], options,
                             this); // NOLINT(cppcoreguidelines-owning-memory): a child
    connect(m_scout, &Link::ready, this, [this] { requestTopology(); });
    m_scout->open();
}

} // namespace lockscope
