// SPDX-License-Identifier: GPL-3.0-or-later
// A million events of a recording looked through afterwards: contradicting orders of locks, 50 seeded among them and 20
// within a common outer lock, and who made whom wait. --smoke: fewer events.
#include "core/family/registry.h"
#include "core/history/blame.h"
#include "core/history/lockorder.h"

#include <QCoreApplication>

#include <cstdio>
#include <ctime>
#include <random>

using namespace lockscope;

namespace {

constexpr qint64 start = 1'790'000'000'000;
constexpr int inversions = 50;
constexpr int gated = 20;
constexpr int threads = 200;

double cpuMs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

class Teller
{
public:
    /// Acquires these one after another, with one waiter behind the last, then releases them.
    void nested(int thread, const QByteArrayList &locks)
    {
        for (const QByteArray &lock : locks)
            tell(EventKind::Acquired, thread, lock);
        wait(thread, locks.last(), true);
        wait(thread, locks.last(), false);
        for (const QByteArray &lock : locks)
            tell(EventKind::Released, thread, lock);
    }
    const LockHistory &history() const { return m_history; }
    qint64 events() const { return m_events; }
    qint64 now() const { return start + m_now; }

private:
    static QByteArray idOf(int thread)
    {
        return "3b2c1a09-8f7e-4d6c-9b5a-493827160504:" + QByteArray::number(thread);
    }
    void tell(EventKind kind, int thread, const QByteArray &lock)
    {
        LockEvent event;
        event.kind = kind;
        event.address.key = LockKey(lock);
        event.family = m_family;
        event.owners = {{OwnerId(idOf(thread)), "1", 1}};
        event.wallMs = start + m_now;
        LockDiff diff;
        diff.events = {event};
        m_history.apply(diff, start + m_now++);
        ++m_events;
    }
    void wait(int thread, const QByteArray &lock, bool isWaiting)
    {
        CompanionState companions;
        if (isWaiting)
            companions.waiters.queue = {Waiter{OwnerId(idOf(thread + threads)), {}}};
        companions.waiters.count = companions.waiters.queue.size();
        companions.waiters.certainty = WaiterCertainty::Exact;
        WatchedLock watched;
        watched.lock.address.key = LockKey(lock);
        watched.lock.family = m_family;
        watched.lock.owners = {{OwnerId(idOf(thread)), "1", 1}};
        watched.lock.companions = CompanionStatePtr(companions);
        LockDiff diff;
        diff.changed = {watched};
        m_history.apply(diff, start + m_now++);
    }

    Family m_family = *familyFromName("redisson-fair");
    LockHistory m_history{30'000'000, qint64(1) << 30};
    qint64 m_now = 0;
    qint64 m_events = 0;
};

void fill(Teller &teller, qint64 events)
{
    std::mt19937 random(1);
    const qint64 rounds = events / 4;
    for (qint64 i = 0; i < rounds; ++i) {
        // Always from a lower number to a higher one.
        const int outer = int(random() % 2000), inner = outer + 1 + int(random() % 50);
        teller.nested(int(random() % threads),
                      {"lock:" + QByteArray::number(outer), "lock:" + QByteArray::number(inner)});
        const qint64 step = std::max<qint64>(rounds / (inversions + gated), 1);
        if (i % step != step / 2 || i / step >= inversions + gated)
            continue;
        const QByteArray number = QByteArray::number(i / step), one = "one:" + number,
                         other = "other:" + number;
        const bool isGated = i / step >= inversions;
        const QByteArrayList gate = isGated ? QByteArrayList{"gate:" + number} : QByteArrayList();
        teller.nested(1, gate + QByteArrayList{one, other});
        teller.nested(2, gate + QByteArrayList{other, one});
    }
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const bool isSmoke = QCoreApplication::arguments().contains(QStringLiteral("--smoke"));
    Teller teller;
    fill(teller, isSmoke ? 20'000 : 1'000'000);

    double begun = cpuMs();
    const LockOrders orders = lockOrdersIn(teller.history(), start, teller.now());
    const double orderMs = cpuMs() - begun;
    qint64 found = 0, harmless = 0, wrong = 0;
    for (const OrderCycle &cycle : orders.cycles) {
        const bool isSeeded = cycle.orders.first().outer.bytes.startsWith("one:") && cycle.orders.size() == 2;
        found += isSeeded && cycle.risk == OrderCycle::Risk::Deadlock && cycle.gate.isEmpty();
        harmless += isSeeded && cycle.risk == OrderCycle::Risk::Gated;
        wrong += !isSeeded;
    }
    begun = cpuMs();
    const Blame blame = blameIn(teller.history(), start, teller.now());
    const double blameMs = cpuMs() - begun;

    const bool isMet = found == inversions && harmless == gated && wrong == 0;
    std::printf("%lld events, %lld orders of two locks: %lld of %d inversions, %lld of %d gated told as "
                "harmless, %lld "
                "others: %s\n",
                static_cast<long long>(teller.events()), static_cast<long long>(orders.orders),
                static_cast<long long>(found), inversions, static_cast<long long>(harmless), gated,
                static_cast<long long>(wrong), isMet ? "met" : "MISSED");
    std::printf("orders and their cycles  %8.0f ms   <= 2000 ms: %s\n", orderMs,
                orderMs <= 2000 ? "met" : "MISSED");
    std::printf("blame, %zu episodes  %8.0f ms   <= 2000 ms: %s\n", blame.episodes.size(), blameMs,
                blameMs <= 2000 ? "met" : "MISSED");
    return isMet ? 0 : 1;
}
