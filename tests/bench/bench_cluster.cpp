// SPDX-License-Identifier: GPL-3.0-or-later
// What a cluster costs, and how soon the picture is true again after a primary has died, while slots move, and under races.
// --only sweep,failover,migration,races,nodes: these parts; --smoke: seconds, figures without a meaning.
#include "tests/bench/clusterwatch.h"
#include "tests/bench/clusterwriters.h"
#include "tests/bench/processtime.h"
#include "tests/bench/series.h"
#include "tests/bench/waituntil.h"

#include "core/act/lockoperations.h"
#include "core/family/registry.h"
#include "core/redis/blockingconnection.h"
#include "core/redis/whendone.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QtTest>

#include <atomic>
#include <cstdio>
#include <random>
#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

struct ClusterScale
{
    int keys;
    int locks;
    int rounds;
    int changesPerSecond;
    int migrated;
    int races;
    int nodes;
    int locksOnNodes;
};
const ClusterScale fullScale{1'000'000, 100'000, 7, 1000, 1000, 1000, 100, 1'000'000};
const ClusterScale smokeScale{3000, 300, 1, 100, 60, 30, 6, 600};

double seconds(Clock::duration time)
{
    return std::chrono::duration<double>(time).count();
}

QByteArray keyOf(int number, const ClusterScale &scale)
{
    const bool isLock = number % (scale.keys / scale.locks) == 0;
    return (isLock ? "lock:" : "data:") + QByteArray::number(number);
}

/// Sends each command to the node that keeps its key.
void fill(const ClusterScale &scale, const std::vector<ServerAddress> &nodes)
{
    for (size_t node = 0; node < nodes.size(); ++node) {
        BlockingConnection connection(nodes[node], {.commandDeadline = 30s});
        if (!connection.open())
            qFatal("no connection");
        CommandBatch batch;
        const auto send = [&] {
            if (!batch.isEmpty() && !connection.send(batch))
                qFatal("can't write");
            batch = {};
        };
        for (int i = 0; i < scale.keys; ++i) {
            const QByteArray key = keyOf(i, scale);
            if (static_cast<size_t>(slotOf(key)) * nodes.size() / slotCount != node)
                continue;
            batch.add({"SET", key, "0123456789abcdef", "PX", "36000000"});
            if (batch.size() == 1000)
                send();
        }
        send();
    }
}

/// One pass from a cold start, at this share of each node's core. What it told is counted afterwards.
double sweepOf(const ServerAddress &address, int locks, double share = 1)
{
    MonitorOptions options;
    options.listens = false;
    options.share = options.firstScanShare = share;
    ClusterWatch watch(address, options);
    watch.isReadLater = true;
    const TimePoint begun = watch.openAndRead(share >= 1);
    if (!waitUntil([&] { return !watch.sweeps.empty(); }, 300s))
        qFatal("the sweep did not end");
    const double taken = seconds(Clock::now() - begun);
    QSet<LockKey> found;
    for (const LockDiff &diff : std::as_const(watch.told)) {
        for (const WatchedLock &lock : diff.changed)
            found.insert(lock.key());
    }
    if (found.size() != locks)
        qFatal("%lld of %d locks", static_cast<long long>(found.size()), locks);
    return taken;
}

void sweep(const ClusterScale &scale)
{
    const RedisServer alone;
    RedisCluster cluster(3, false);
    fill(scale, {alone.socketAddress()});
    fill(scale,
         {cluster.node(0).socketAddress(), cluster.node(1).socketAddress(), cluster.node(2).socketAddress()});
    Series ratio;
    Series one;
    Series three;
    Series ownCpu;
    Series aloneCpu;
    Series nodesCpu;
    for (int round = 0; round < scale.rounds; ++round) {
        const double server = processorSeconds(alone.pid());
        const double a = sweepOf(alone.tcpAddress(), scale.locks);
        aloneCpu.add(processorSeconds(alone.pid()) - server);
        const double own = processorSeconds(0);
        const double nodes = processorSeconds(cluster.node(0).pid()) +
                             processorSeconds(cluster.node(1).pid()) +
                             processorSeconds(cluster.node(2).pid());
        const double b = sweepOf(cluster.node(0).tcpAddress(), scale.locks);
        ownCpu.add(processorSeconds(0) - own);
        nodesCpu.add(processorSeconds(cluster.node(0).pid()) + processorSeconds(cluster.node(1).pid()) +
                     processorSeconds(cluster.node(2).pid()) - nodes);
        one.add(a);
        three.add(b);
        ratio.add(b / a);
    }
    std::printf("sweep of %d keys, %d locks: one server %s s, three primaries %s s, ratio %s\n", scale.keys,
                scale.locks, one.text(2).constData(), three.text(2).constData(), ratio.ratio().constData());
    std::printf("processor time of it: the one server %s s; the three together %s s, and the reader %s s\n",
                aloneCpu.text(2).constData(), nodesCpu.text(2).constData(), ownCpu.text(2).constData());
    Series usual;
    const double share = MonitorOptions().firstScanShare;
    for (int round = 0; round < scale.rounds; ++round) {
        const double a = sweepOf(alone.tcpAddress(), scale.locks, share);
        usual.add(sweepOf(cluster.node(0).tcpAddress(), scale.locks, share) / a);
    }
    std::printf("the same at %.0f%% of each node's core, as a first scan has it: ratio %s\n", share * 100,
                usual.ratio().constData());
}

/// What the nodes hold now, by asking each primary.
QHash<QByteArray, QByteArray> truth(RedisCluster &cluster)
{
    QHash<QByteArray, QByteArray> all;
    for (int i = 0; i < cluster.size(); ++i) {
        BlockingConnection node(cluster.node(i).tcpAddress(), {});
        if (!node.open() || node.server().role != "master")
            continue;
        const auto keys = node.send({"KEYS", "lock:*"});
        for (const Reply &key : keys ? keys->elements : std::vector<Reply>()) {
            if (const auto owner = node.send({"GET", key.text}); owner && owner->isText())
                all.insert(key.text, owner->text);
        }
    }
    return all;
}

void failover(const ClusterScale &scale, RedisCluster::Coverage coverage)
{
    const bool isFull = coverage == RedisCluster::Coverage::Full;
    RedisCluster cluster(3, true, coverage);
    QByteArray held;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 50; ++j) {
            held = cluster.keyOn(cluster.node(i), "lock:held" + QByteArray::number(j) + ":%1");
            cluster.node(i).cli({"SET", held, "owner"});
        }
    }
    ClusterWatch watch(cluster.node(2).tcpAddress());
    watch.open();
    waitUntil([&] { return !watch.sweeps.empty(); });
    ClusterWriters writers(cluster, 3, scale.changesPerSecond);
    QTest::qWait(1000);
    const double paceBefore = writers.perSecond(); // those of the dead node wait for its heir
    const QString dead = cluster.node(0).tcpAddress().toDisplayString();
    int staleOthers = 0;
    const TimePoint killedAt = Clock::now();
    cluster.node(0).kill();
    // Up again: the replica says that it is a primary of a cluster that is whole.
    std::optional<TimePoint> upAt;
    std::atomic<bool> isUp = false;
    std::jthread observer([&](const std::stop_token &stop) {
        while (!stop.stop_requested()) {
            if (cluster.node(3).cli({"ROLE"}).startsWith("master") &&
                cluster.node(3).cli({"CLUSTER", "INFO"}).contains("cluster_state:ok")) {
                isUp = true;
                return;
            }
            std::this_thread::sleep_for(10ms);
        }
    });
    const QString heir = cluster.node(3).tcpAddress().toDisplayString();
    const bool isTrue = waitUntil([&] {
        if (isUp && !upAt)
            upAt = Clock::now();
        for (const NodeStatus &node : watch.monitor.cluster().nodes)
            staleOthers += node.name != dead && node.name != heir && !node.isCurrent ? 1 : 0;
        if (!upAt)
            return false;
        const auto nodes = watch.monitor.cluster().nodes;
        return std::ranges::all_of(
                   nodes, [&](const NodeStatus &node) { return node.isCurrent && node.name != dead; }) &&
               watch.confirmedAt > *upAt;
    });
    const double after = upAt ? seconds(Clock::now() - *upAt) : -1;
    const double down = upAt ? seconds(*upAt - killedAt) : -1;
    writers.stop();
    const TimePoint stopped = Clock::now();
    waitUntil([&] { return watch.confirmedAt > stopped; });
    QTest::qWait(200);
    const bool isRight = watch.locks == truth(cluster);
    std::printf("failover, %s coverage, %.0f changes a second before it, %lld in all: cluster down %.2f s, "
                "picture true %.2f "
                "s after it was "
                "up again, "
                "others not current at %d looks, the end's picture %s\n",
                isFull ? "full" : "partial", paceBefore, static_cast<long long>(writers.changes()), down,
                isTrue ? after : -1.0, staleOthers, isRight ? "right" : "WRONG");
}

void migration(const ClusterScale &scale)
{
    RedisCluster cluster(3, false);
    QByteArrayList tags;
    for (int i = 0; tags.size() < 20; ++i) {
        if (slotOf(QByteArray::number(i)) < slotCount / 3)
            tags << QByteArray::number(i);
    }
    for (int i = 0; i < scale.migrated; ++i)
        cluster.node(0).cli(
            {"SET", "lock:m" + QByteArray::number(i) + ":{" + tags[i % tags.size()] + '}', "owner"});
    ClusterWatch watch(cluster.node(2).tcpAddress());
    watch.open();
    waitUntil([&] { return !watch.sweeps.empty(); });
    const qsizetype before = watch.locks.size();
    watch.counted = "lock:m";
    watch.looksAtFewest = true;
    watch.events = 0;
    watch.fewest = before;
    ClusterWriters writers(cluster, 3, scale.changesPerSecond);
    std::atomic<bool> hasEnded = false;
    std::jthread mover([&] {
        RedisServer &joined = cluster.join();
        for (const QByteArray &tag : tags)
            cluster.moveSlot(slotOf(tag), cluster.node(0), joined);
        for (const QByteArray &tag : tags) // and it leaves again
            cluster.moveSlot(slotOf(tag), joined, cluster.node(1));
        hasEnded = true;
    });
    waitUntil([&] { return hasEnded.load(); }, 300s);
    const TimePoint ended = Clock::now();
    waitUntil([&] { return watch.confirmedAt > ended && watch.monitor.cluster().nodes.size() == 3; });
    const double pace = writers.perSecond();
    writers.stop();
    const TimePoint stopped = Clock::now();
    waitUntil([&] { return watch.confirmedAt > stopped; });
    QTest::qWait(2000);
    const bool isRight = watch.locks == truth(cluster);
    const auto left = std::ranges::count_if(watch.locks.keyBegin(), watch.locks.keyEnd(),
                                            [](const QByteArray &key) { return key.startsWith("lock:m"); });
    std::printf(
        "migration of %lld locks to a node that joins and leaves, under %.0f other changes a second: %lld at "
        "the end, at least %lld at any time, events %lld, the end's picture %s\n",
        static_cast<long long>(before), pace, static_cast<long long>(left),
        static_cast<long long>(watch.fewest), static_cast<long long>(watch.events),
        isRight ? "right" : "WRONG");
}

/// Scripts that all nodes have run to their end. A replica gets their writes, never the scripts; what a node sends elsewhere, or
/// does not know, it counts as rejected or failed.
qint64 scriptsRun(RedisCluster &cluster)
{
    static const QRegularExpression line(
        QStringLiteral("^cmdstat_(?:eval|evalsha|fcall):calls=(\\d+),.*failed_calls=(\\d+)"),
        QRegularExpression::MultilineOption);
    qint64 run = 0;
    for (int i = 0; i < cluster.size(); ++i) {
        const QString info = QString::fromLatin1(cluster.node(i).cli({"INFO", "commandstats"}));
        for (auto found = line.globalMatch(info); found.hasNext();) {
            const QRegularExpressionMatch counts = found.next();
            run += counts.captured(1).toLongLong() - counts.captured(2).toLongLong();
        }
    }
    return run;
}

/// Each race: somebody else takes the lock while we end its owner's hold, and its slot is being moved.
void races(const ClusterScale &scale)
{
    RedisCluster cluster(3, true);
    QTemporaryDir directory;
    AuditLog audit(directory.filePath(QStringLiteral("audit.jsonl")));
    Deployment deployment(cluster.node(2).tcpAddress(), {});
    LockOperations operations(deployment.link(), audit);
    deployment.open();
    waitUntil([&] { return deployment.link().state() == Link::State::Ready; });
    int outcomes[3] = {}; // expired, refused as changed or gone, unknown or an error
    int wrong = 0;
    const QByteArray tag = cluster.keyOn(cluster.node(0), "%1");
    const int slot = slotOf(tag);
    std::atomic<bool> hasEnded = false;
    std::jthread mover([&](const std::stop_token &stop) {
        for (int i = 0; !stop.stop_requested(); ++i) {
            cluster.moveSlot(slot, cluster.node(i % 2), cluster.node((i + 1) % 2));
            if (i % 20 == 19) { // a failover in order, now and then
                cluster.node(4).cli({"CLUSTER", "FAILOVER"});
                std::this_thread::sleep_for(1500ms);
                cluster.node(1).cli({"CLUSTER", "FAILOVER"});
                std::this_thread::sleep_for(1500ms);
            }
        }
    });
    Deployment other(cluster.node(1).tcpAddress(), {});
    other.open();
    waitUntil([&] { return other.link().state() == Link::State::Ready; });
    std::mt19937 random(7);
    for (int race = 0; race < scale.races; ++race) {
        const QByteArray key = "lock:r" + QByteArray::number(race) + ":{" + tag + '}';
        std::optional<bool> isSet;
        for (int attempt = 0; attempt < 100 && !isSet.value_or(false); ++attempt) {
            isSet.reset();
            whenDone(&other, other.link().send({"SET", key, "anna", "PX", "600000"}),
                     [&](const Result<Reply> &reply) { isSet = reply.has_value(); });
            waitUntil([&] { return isSet.has_value(); });
            if (!*isSet)
                QTest::qWait(50);
        }
        ActionRequest request;
        request.action = Action::ForceExpire;
        request.family = plainToken();
        request.key = LockKey(key);
        request.expected = {LockOwner{OwnerId("anna"), {}, 1}};
        std::optional<Result<ActionResult>> done;
        std::optional<bool> isTaken;
        const auto act = [&] {
            whenDone(&operations, operations.run(request),
                     [&](const Result<ActionResult> &result) { done = result; });
        };
        // Bert takes it over, as he may: whatever we do must leave him alone.
        const auto take = [&] {
            whenDone(&other, other.link().send({"SET", key, "bert", "PX", "600000"}),
                     [&](const Result<Reply> &reply) { isTaken = reply.has_value(); });
        };
        if (random() % 2 == 0) {
            act();
            take();
        } else {
            take();
            act();
        }
        waitUntil([&] { return done && isTaken; });
        QTest::qWait(static_cast<int>(random() % 4));
        std::optional<QByteArray> owner;
        for (int attempt = 0; attempt < 100 && !owner; ++attempt) {
            std::optional<Result<Reply>> read;
            whenDone(&other, other.link().send({"GET", key}),
                     [&](const Result<Reply> &reply) { read = reply; });
            waitUntil([&] { return read.has_value(); });
            if (*read)
                owner = (*read)->text;
            else
                QTest::qWait(50);
        }
        const bool isUnknown = !done || !*done || (*done)->outcome == Outcome::Unknown;
        const bool isExpired = !isUnknown && (*done)->outcome == Outcome::Expired;
        ++outcomes[isUnknown ? 2 : isExpired ? 0 : 1];
        if (isTaken.value_or(false) && owner != QByteArray("bert"))
            ++wrong;
    }
    mover.request_stop();
    mover.join();
    // One script for each action that was carried out, and for those that were not or are unknown at most one.
    const qint64 run = scriptsRun(cluster);
    const qint64 repeated = std::max<qint64>(0, run - scale.races);
    std::printf("races during moves and failovers: %d, expired %d, refused %d, unknown or not carried out "
                "%d; wrong: %d; scripts that the nodes have run: %lld, repeated: %s%lld\n",
                scale.races, outcomes[0], outcomes[1], outcomes[2], wrong, static_cast<long long>(run),
                outcomes[2] == 0 ? "" : "at least ", static_cast<long long>(repeated));
}

qint64 statusField(const QByteArray &name)
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray &line : status.readAll().split('\n')) {
        if (line.startsWith(name + ':'))
            return line.sliced(name.size() + 1).simplified().split(' ').first().toLongLong();
    }
    return 0;
}

/// Many nodes: what it takes to watch them.
void nodes(const ClusterScale &scale)
{
    RedisCluster cluster(scale.nodes, false);
    std::vector<ServerAddress> addresses;
    for (int i = 0; i < cluster.size(); ++i)
        addresses.push_back(cluster.node(i).socketAddress());
    ClusterScale all = scale;
    all.keys = all.locks = scale.locksOnNodes;
    fill(all, addresses);
    const qint64 before = statusField("VmRSS");
    MonitorOptions options;
    options.share = options.firstScanShare = 1;
    ClusterWatch watch(cluster.node(0).tcpAddress(), options);
    const TimePoint begun = watch.openAndRead();
    waitUntil([&] { return !watch.sweeps.empty(); }, 300s);
    const double swept = seconds(Clock::now() - begun);
    std::printf("%d nodes, %lld locks: first sweep %.1f s, memory %lld MB more (the picture of this bench "
                "included), threads %lld, "
                "current %lld\n",
                scale.nodes, static_cast<long long>(watch.locks.size()), swept,
                static_cast<long long>((statusField("VmRSS") - before) / 1024),
                static_cast<long long>(statusField("Threads")),
                static_cast<long long>(std::ranges::count_if(
                    watch.monitor.cluster().nodes, [](const NodeStatus &node) { return node.isCurrent; })));
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    const ClusterScale &scale = arguments.contains(QStringLiteral("--smoke")) ? smokeScale : fullScale;
    const qsizetype only = arguments.indexOf(QStringLiteral("--only"));
    const QStringList parts = only < 0 ? QStringList() : arguments.value(only + 1).split(u',');
    const auto isWanted = [&](const char *part) {
        return parts.isEmpty() || parts.contains(QLatin1String(part));
    };
    std::setbuf(stdout, nullptr);
    if (isWanted("sweep"))
        sweep(scale);
    if (isWanted("failover")) {
        failover(scale, RedisCluster::Coverage::Partial);
        failover(scale, RedisCluster::Coverage::Full);
    }
    if (isWanted("migration"))
        migration(scale);
    if (isWanted("races"))
        races(scale);
    if (isWanted("nodes"))
        nodes(scale);
    return 0;
}
