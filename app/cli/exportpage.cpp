// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/exportpage.h"

#include "core/family/registry.h"
#include "core/model/names.h"

#include <QDateTime>
#include <QDir>
#include <QFile>

#include <sys/resource.h>
#include <unistd.h>

namespace lockscope {

namespace {

using Type = MetricsText::Type;

constexpr std::array<QByteArrayView, LockCounts::states> stateNames{"held", "stalled", "problem", "unknown"};
constexpr std::array<QByteArrayView, 3> certaintyNames{"unknown", "at-least", "exact"};

constexpr int problemBits = 16;

void addLocks(MetricsText &page, const LockCounts &counts)
{
    page.begin("lockscope_locks", Type::Gauge, {}, "Locks by family and state.");
    for (const auto &[family, byState] : counts.byFamily) {
        for (size_t state = 0; state < stateNames.size(); ++state)
            page.add(byState[state], {{"family", familyName(family)}, {"state", stateNames[state]}});
    }
    page.begin("lockscope_locks_with_problem", Type::Gauge, {},
               "Locks by problem. A lock may have several problems.");
    for (const Problem problem : problemList(Problems::fromInt((1 << problemBits) - 1))) {
        const auto count = counts.byProblem.find(problem);
        page.add(count == counts.byProblem.end() ? 0 : count->second, {{"problem", problemName(problem)}});
    }
    page.begin("lockscope_locks_without_expiry", Type::Gauge, {},
               "Locks without expiry, whether their library gives its locks one or not.");
    page.add(counts.withoutExpiry);
    page.begin("lockscope_locks_without_expiry_open", Type::Gauge, {},
               "Of these, locks of an unknown family and possible locks: whether they should have one is "
               "unknown.");
    page.add(counts.openExpiry);
    page.begin("lockscope_locks_held_at_least", Type::Gauge, {},
               "Locks that the same owner has held for at least so many seconds. A hold that began before "
               "Lockscope watched counts from its first reading.");
    for (size_t step = 0; step < counts.heldSteps.size(); ++step)
        page.add(counts.heldAtLeast[step], {{"seconds", QByteArray::number(counts.heldSteps[step])}});
    if (counts.longestHold) {
        page.begin("lockscope_longest_hold_seconds", Type::Gauge, "seconds",
                   "Time for which the lock that is held longest has been held, at least.");
        page.add(counts.longestHold->count());
    }
    page.begin("lockscope_waiters", Type::Gauge, {},
               "Waiters by certainty: exact as wait queues were read, or at least so many.");
    page.add(counts.waiters[size_t(WaiterCertainty::Exact)], {{"certainty", "exact"}});
    page.add(counts.waiters[size_t(WaiterCertainty::AtLeast)], {{"certainty", "at-least"}});
    page.begin("lockscope_locks_by_waiters", Type::Gauge, {},
               "Locks by the certainty of their number of waiters. Polling clients cannot be counted.");
    for (size_t certainty = 0; certainty < certaintyNames.size(); ++certainty)
        page.add(counts.byWaiterCertainty[certainty], {{"certainty", certaintyNames[certainty]}});
    page.begin("lockscope_dead_waiters", Type::Gauge, {}, "Queued waiters that will never be woken.");
    page.add(counts.deadWaiters);
    page.begin(
        "lockscope_possible_locks", Type::Gauge, {},
        "Keys with a lock's name and a content of unknown meaning. They are in no other count of locks.");
    page.add(counts.possible);
    page.begin("lockscope_hidden_keys", Type::Gauge, {},
               "Keys that match a pattern and are probably no locks.");
    page.add(counts.hidden);
}

void addFeed(MetricsText &page, FeedMode feed)
{
    // Keyed tracking finds new locks by scanning alone.
    const bool isPolling = feed == FeedMode::KeyedTracking || feed == FeedMode::Polling;
    page.begin("lockscope_feed", Type::StateSet, {}, "How changes arrive, the weakest mode of all patterns.");
    page.addState("tracking", feed == FeedMode::Tracking);
    page.addState("notifications", feed == FeedMode::Notifications);
    page.addState("polling", isPolling);
}

void addCounters(MetricsText &page, const ExportFigures &figures)
{
    page.begin("lockscope_events", Type::Counter, {},
               "Events of locks by kind. Of changes between two readings only the last is seen.");
    for (size_t kind = 0; kind < figures.events.size(); ++kind)
        page.add(figures.events[kind], {{"event", eventName(static_cast<EventKind>(kind))}});
    page.begin("lockscope_disconnections", Type::Counter, {}, "Lost connections to the server.");
    page.add(figures.disconnections);
    page.begin("lockscope_scans", Type::Counter, {}, "Full scans.");
    page.add(figures.scans);
    page.begin("lockscope_scan_server_seconds", Type::Counter, "seconds",
               "Server time of full scans, as charged to the load budget.");
    page.addSeconds(figures.scanServerTime.count());
}

void addContention(MetricsText &page, const std::vector<ContentionTally::Series> &all)
{
    const auto addHistogram = [&](QByteArrayView name, QByteArrayView help, auto lengths) {
        page.begin(name, Type::Histogram, "seconds", help);
        for (const auto &[family, pattern, counts] : all) {
            if (const LengthHistogram &each = counts.*lengths; !each.isEmpty())
                page.addHistogram(LengthHistogram::boundsMs, each.counts, double(each.sumMs) / 1000,
                                  {{"family", family}, {"pattern", pattern}});
        }
    };
    addHistogram("lockscope_hold_seconds",
                 "Exact lengths of ended holds that were seen whole, without forced ends. At least so many.",
                 &ContentionTally::Counts::holds);
    addHistogram(
        "lockscope_wait_seconds",
        "Ended waits of waiters that a queue names, at least: since first seen, without polling clients.",
        &ContentionTally::Counts::waits);
    page.begin("lockscope_waited_seconds", Type::Counter, "seconds",
               "Waiting time of all waiters seen, at least: polling clients leave no trace.");
    for (const auto &series : all)
        page.addSeconds(double(series.counts.waitedMs) / 1000,
                        {{"family", series.family}, {"pattern", series.pattern}});
}

void addPollers(MetricsText &page, const PollerEstimate &pollers)
{
    page.begin("lockscope_polling_clients", Type::Gauge, {},
               "Estimate of clients that poll: they send only commands with which locks are polled.");
    page.add(pollers.clients);
    page.begin("lockscope_polling_clients_low", Type::Gauge, {},
               "Lower end of its error bar, if the attempts that failed were for locks.");
    page.add(pollers.low);
    page.begin("lockscope_polling_clients_high", Type::Gauge, {},
               "Upper end of its error bar: with clients that may poll slowly, or are new.");
    page.add(pollers.high);
}

void addProcess(MetricsText &page, const ProcessFigures &process)
{
    page.begin("process_cpu_seconds", Type::Counter, "seconds", "User and system CPU time spent.");
    page.addSeconds(std::chrono::duration<double>(process.cpuTime).count());
    page.begin("process_resident_memory_bytes", Type::Gauge, "bytes", "Resident memory size.");
    page.add(process.residentBytes);
    page.begin("process_open_fds", Type::Gauge, {}, "Open file descriptors.");
    page.add(process.openFiles);
    page.begin("process_start_time_seconds", Type::Gauge, "seconds",
               "Start time of the process since the Unix epoch.");
    page.addSeconds(double(process.startedMs) / 1000);
}

} // namespace

ProcessFigures ProcessFigures::now()
{
    static const qint64 startedMs = QDateTime::currentMSecsSinceEpoch();
    ProcessFigures figures;
    figures.startedMs = startedMs;
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto timeOf = [](const timeval &time) {
        return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
    };
    figures.cpuTime = timeOf(used.ru_utime) + timeOf(used.ru_stime);
    QFile memory(QStringLiteral("/proc/self/statm")); // total and resident, in pages
    if (memory.open(QIODevice::ReadOnly))
        figures.residentBytes = memory.readAll().split(' ').value(1).toLongLong() * ::sysconf(_SC_PAGESIZE);
    figures.openFiles = QDir(QStringLiteral("/proc/self/fd"))
                            .entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System)
                            .size();
    return figures;
}

QByteArray exportPage(const ExportFigures &figures, MetricsText::Format format)
{
    MetricsText page(format);
    page.begin("lockscope_build", Type::Info, {}, "Version of Lockscope.");
    page.add(1, {{"version", LOCKSCOPE_VERSION}});
    page.begin("lockscope_up", Type::Gauge, {}, "1 while connected to the server.");
    page.add(figures.isConnected ? 1 : 0);
    if (!figures.downReason.isEmpty()) {
        page.begin("lockscope_down_reason", Type::Gauge, {}, "Why the server is not connected.");
        page.add(1, {{"reason", figures.downReason}});
    }
    page.begin("lockscope_nodes", Type::Gauge, {},
               "Servers by state: one, the nodes of a cluster, or a Redlock group.");
    page.add(figures.nodesReady, {{"state", "ready"}});
    page.add(figures.nodesMissing, {{"state", "missing"}});
    if (figures.isScanComplete) {
        page.begin("lockscope_scan_complete", Type::Gauge, {},
                   "1 if the last full scan and what stands beside locks could be read; 0 if something may "
                   "be missing.");
        page.add(*figures.isScanComplete ? 1 : 0);
    }
    if (figures.dataAge) {
        page.begin("lockscope_data_age_seconds", Type::Gauge, "seconds",
                   "Age of what is known of the locks.");
        page.addSeconds(figures.dataAge->count());
    }
    if (figures.feed)
        addFeed(page, *figures.feed);
    if (figures.locks)
        addLocks(page, *figures.locks);
    if (figures.deadlocks) {
        page.begin("lockscope_deadlocks", Type::Gauge, {}, "Cycles of owners that wait for each other.");
        page.add(*figures.deadlocks);
    }
    if (figures.unreadable) {
        page.begin("lockscope_unreadable_keys", Type::Gauge, {},
                   "Keys that match a pattern and that this login may not read.");
        page.add(*figures.unreadable);
    }
    if (figures.eviction) {
        page.begin(
            "lockscope_server_evicted_keys", Type::Gauge, {},
            "Keys of all kinds that the server has evicted since its start. Only where it may evict locks.");
        page.add(figures.eviction->evicted);
    }
    addContention(page, figures.contention);
    page.begin("lockscope_order_inversions", Type::Counter, {},
               "Pairs of locks that two threads acquired in opposite order, at least: of owners that name "
               "their thread.");
    page.add(figures.inversions);
    if (figures.pollers)
        addPollers(page, *figures.pollers);
    addCounters(page, figures);
    addProcess(page, figures.process);
    return page.finish();
}

} // namespace lockscope
