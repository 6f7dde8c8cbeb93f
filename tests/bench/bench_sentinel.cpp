// SPDX-License-Identifier: GPL-3.0-or-later
// Failovers by real Sentinels, with a primary that comes back and takes locks that nobody else will ever have: how soon the
// new one is followed, and whether anything of the old one is shown as live. Times count from the first +switch-master that a
// subscriber of the bench's own hears. --smoke: one of them.
#include "tests/bench/series.h"
#include "tests/bench/waituntil.h"

#include "core/redis/blockingconnection.h"
#include "tests/support/deploymentwatcher.h"
#include "tests/support/sentinelgroup.h"

#include <QCoreApplication>

#include <cstdio>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr auto straysFor = 4s; // after the failover: a Sentinel lets the old primary be for longer

/// Hears of failovers beside what is measured.
class Herald : public QObject
{
public:
    explicit Herald(SentinelGroup &group)
    {
        for (int i = 0; i < 3; ++i) {
            Connection *connection =
                m_connections
                    .emplace_back(std::make_unique<Connection>(
                        group.sentinel(i).tcpAddress(),
                        Connection::Options{.acceptsPush = true, .expectsSentinel = true}))
                    .get();
            connect(connection, &Link::ready, this, [connection] {
                connection->send({"SUBSCRIBE", switchChannel});
            });
            connect(connection, &Connection::pushReceived, this, [this](const Reply &message) {
                if (!heardAt)
                    heardAt = Clock::now();
                // "<name> <old host> <old port> <new host> <new port>"
                namedPort = message.elements.back().text.split(' ').last().toUShort();
            });
            connection->open();
        }
    }

    std::optional<TimePoint> heardAt;
    quint16 namedPort = 0; ///< of the primary, by the last failover

private:
    std::vector<std::unique_ptr<Connection>> m_connections;
};

struct Followed
{
    double seconds = 0; ///< from the switch to a picture that is true, and newer than the switch
    int liveLooks =
        0;          ///< looks, a millisecond apart, at which the old one was the one shown, after the switch
    int strays = 0; ///< locks of the old one's alone that were shown
    int wrong = 0;  ///< in the end
    bool wentBack =
        false; ///< starved Sentinels have made the old one the primary again: from there on it was no old one
};

/// How the primary goes: it dies, or it hangs and comes back as if nothing had been.
Followed failOver(SentinelGroup &group, DeploymentWatcher &watcher, Herald &herald, bool hangs, int round)
{
    Followed followed;
    const int old = group.primary();
    RedisServer &gone = group.server(old);
    const QString oldName = gone.tcpAddress().toDisplayString();
    herald.heardAt.reset();
    const QByteArray form = "lock:round" + QByteArray::number(round) + ':';
    for (int i = 0; i < 50; ++i)
        gone.cli({"SET", form + QByteArray::number(i), "owner", "PX", "600000"});
    gone.cli({"WAIT", "1", "1000"});
    if (hangs)
        gone.pause();
    else
        gone.kill();
    if (!waitUntil([&] { return herald.heardAt.has_value(); }, 120s))
        qFatal("no failover");
    const TimePoint switchedAt = *herald.heardAt;
    hangs ? gone.resume() : gone.start();
    BlockingConnection stray(gone.tcpAddress(), {.commandDeadline = 500ms});
    std::optional<TimePoint> trueAt;
    int written = 0;
    const auto look = [&] {
        followed.wentBack = followed.wentBack || herald.namedPort == gone.port();
        if (followed.wentBack)
            return true;
        const bool isLive = watcher.deployment.link().state() == Link::State::Ready;
        const QString shown = watcher.deployment.shards().first()->nodeName();
        followed.liveLooks += isLive && shown == oldName ? 1 : 0;
        if (!trueAt && isLive && shown != oldName && watcher.confirmedAt > switchedAt)
            trueAt = Clock::now();
        if (stray.isOpen() || stray.open()) {
            stray.send({"SET", "lock:stray" + QByteArray::number(written++ % 100), "zombie", "PX", "600000"});
        }
        for (auto lock = watcher.locks.cbegin(); lock != watcher.locks.cend(); ++lock)
            followed.strays += lock->lock.owners.value(0).owner.bytes == "zombie" ? 1 : 0;
        return Clock::now() - switchedAt > straysFor;
    };
    waitUntil(look, straysFor + 10s);
    followed.seconds = trueAt ? std::chrono::duration<double>(*trueAt - switchedAt).count() : -1;
    if (!watcher.waitUntilConfirmed())
        qFatal("nothing is confirmed");
    const QByteArrayList keys = group.server(group.primary()).cli({"KEYS", "lock:*"}).split('\n');
    const qsizetype there = keys.contains(QByteArray()) ? 0 : keys.size();
    followed.wrong = static_cast<int>(std::abs(there - watcher.locks.size()));
    return followed;
}

/// Until the one that is no primary any more has become a replica.
void waitUntilInStep(SentinelGroup &group)
{
    const auto isInStep = [&group] {
        for (int i = 0; i < group.size(); ++i) {
            if (i != group.primary() && !group.server(i).cli({"ROLE"}).startsWith("slave"))
                return false;
        }
        return true;
    };
    if (!waitUntil(isInStep, 180s) || !group.waitUntilInStep())
        qFatal("the old primary did not become a replica");
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const int rounds = app.arguments().contains(QStringLiteral("--smoke")) ? 1 : 20;
    std::setbuf(stdout, nullptr);
    SentinelGroup group;
    Herald herald(group);
    DeploymentWatcher watcher(group.address());
    if (!waitUntil([&] { return watcher.scanFinished.size() > 0; }))
        qFatal("no picture");
    Series times;
    double longest = 0;
    int liveLooks = 0;
    int strays = 0;
    int wrong = 0;
    int unfollowed = 0;
    int returns = 0;
    for (int i = 0; i < rounds; ++i) {
        waitUntilInStep(group);
        const Followed followed = failOver(group, watcher, herald, i % 2 == 1, i);
        times.add(followed.seconds);
        longest = std::max(longest, followed.seconds);
        unfollowed += followed.seconds < 0 && !followed.wentBack ? 1 : 0;
        returns += followed.wentBack ? 1 : 0;
        liveLooks += followed.liveLooks;
        strays += followed.strays;
        wrong += followed.wrong;
    }
    std::printf("%d failovers, every second one by a hang instead of a kill: picture true %s s after "
                "+switch-master, at most %.3f s; not followed %d; undone by the Sentinels meanwhile %d\n",
                rounds, times.text(3).constData(), longest, unfollowed, returns);
    std::printf(
        "looks at which the old primary was shown as live after it: %d; locks of its own that were shown: "
        "%d; wrong in the end: %d\n",
        liveLooks, strays, wrong);
    return 0;
}
