// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/list.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/cli/table.h"
#include "app/words.h"
#include "core/lock/besides.h"
#include "core/redis/whendone.h"
#include "core/text/words.h"

#include <QDateTime>
#include <QJsonArray>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qint64 silentMs = 1000; // a list that comes at once needs no progress

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

QString stateOf(const Lock &lock)
{
    if (lock.family == Family::Unknown)
        return Words::tr("no lock", "state");
    return lock.problems ? Words::tr("check", "state") : Words::tr("held", "state");
}

MonitorOptions onePass(MonitorOptions options)
{
    options.listens = false;                          // it ends before anything could be told
    options.waitersInterval = std::chrono::hours(24); // looked at once, in the end
    return options;
}

QStringList rowOf(const Lock &lock, TimePoint now)
{
    const Holder first = lock.holders.value(0);
    QString owner = printable(first.owner.bytes, 60);
    if (lock.holders.size() > 1)
        owner = Words::tr("%1 and %n more", nullptr, static_cast<int>(lock.holders.size() - 1)).arg(owner);
    const QString holds = first.holds ? QString::number(*first.holds) : printable(first.countText, 20);
    const auto ttl = ttlAt(lock, now);
    QStringList problems;
    for (const Problem problem : problemList(lock.problems))
        problems.append(QString::fromLatin1(problemName(problem)));
    return {
        stateOf(lock), QString::fromLatin1(familyName(lock.family)),       printable(lock.key().bytes), owner,
        holds,         ttl ? describe(*ttl) : Words::tr("none", "no TTL"), problems.join(u' ')};
}

} // namespace

MonitorOptions monitorOptions(const Options &options)
{
    MonitorOptions monitor;
    if (!options.patterns.isEmpty())
        monitor.patterns = options.patterns;
    return monitor;
}

List::List(Options options)
    : Command(std::move(options), false), m_monitor(connection(), onePass(monitorOptions(this->options())))
{
    m_running.start();
    connect(&m_monitor, &LockMonitor::changed, this, [this](const LockDiff &diff) {
        if (m_isSwept) // what comes later is not of this list
            return;
        for (const WatchedLock &watched : diff.changed)
            m_locks.insert(watched.key(), watched.lock);
        for (const LockKey &key : diff.removed)
            m_locks.remove(key);
    });
    connect(&m_monitor, &LockMonitor::sweepProgressed, this, &List::showProgress);
    connect(&m_monitor, &LockMonitor::permissionsChanged, this,
            [this](const PermissionStatus &status) { m_permissions = status; });
    connect(&m_monitor, &LockMonitor::swept, this, &List::takeSweep);
    // A list with gaps would look like a list of all.
    connect(&m_monitor, &LockMonitor::troubled, this, &List::fail);
}

void List::run()
{
    m_monitor.sweepNow();
    m_monitor.start();
}

void List::showProgress(const SweepStats &soFar)
{
    if (isFinished() || m_running.elapsed() < silentMs)
        return;
    const QString keys = soFar.keyspace > 0 ? Words::tr("%1 of %2 key(s)", nullptr, plural(soFar.keyspace))
                                                  .arg(grouped(soFar.keysScanned), grouped(soFar.keyspace))
                                            : keysInWords(soFar.keysScanned);
    console::progress(Words::tr("%1, %2", "keys scanned, locks found").arg(keys, locksInWords(soFar.locks)));
}

void List::takeSweep(const SweepStats &stats)
{
    if (isFinished() || !stats.complete || std::exchange(m_isSwept, true))
        return;
    whenDone(listener(), besides::look(connection(), m_locks.values()),
             [this, stats](const Result<QList<Lock>> &locks) {
                 if (!locks) {
                     if (locks.error().kind !=
                         ErrorKind::OutcomeUnknown) // else connectionLost() tells the cause
                         fail(locks.error());
                     return;
                 }
                 for (const Lock &lock : *locks)
                     m_locks.insert(lock.key(), lock);
                 print(stats);
             });
}

void List::print(const SweepStats &stats)
{
    if (isFinished())
        return;
    console::progress({});
    if (options().json) {
        const TimePoint now = Clock::now();
        const qint64 wallMs = QDateTime::currentMSecsSinceEpoch();
        QJsonArray locks;
        for (const Lock &lock : m_locks)
            locks.append(toJson(lock, now, wallMs));
        console::out(jsonLine({{QStringLiteral("server"), toJson(connection().server())},
                               {QStringLiteral("sweep"), toJson(stats)},
                               {QStringLiteral("unreadable"), stats.unreadable},
                               {QStringLiteral("locks"), locks}}));
    } else {
        console::out(humanText(stats));
    }
    if (stats.unreadable == 0)
        return finish(ExitStatus::Done);
    complainOfUnreadable(m_permissions);
    finish(ExitStatus::NotKnown);
}

QString List::humanText(const SweepStats &stats) const
{
    const QString keys = keysInWords(stats.keysScanned);
    const QString time = describe(std::chrono::duration_cast<milliseconds>(stats.wallTime));
    if (m_locks.isEmpty() && stats.unreadable > 0)
        return Words::tr("No locks could be read at %1. Unreadable keys: %2. %3 scanned in %4.")
                   .arg(serverName(), grouped(stats.unreadable), keys, time) +
               u'\n';
    if (m_locks.isEmpty())
        return Words::tr("No locks at %1: %2 swept in %3.").arg(serverName(), keys, time) + u'\n';
    Table table({Words::tr("STATE", "column of a table"), Words::tr("FAMILY", "column of a table"),
                 Words::tr("KEY", "column of a table"), Words::tr("OWNER", "column of a table"),
                 Words::tr("HOLDS", "column of a table"), Words::tr("TTL", "column of a table"),
                 Words::tr("PROBLEMS", "column of a table")});
    for (const Lock &lock : m_locks)
        table.add(rowOf(lock, Clock::now()), bool(lock.problems));
    const auto troubled =
        std::ranges::count_if(m_locks, [](const Lock &lock) { return bool(lock.problems); });
    return table.text(console::hasColour()) +
           Words::tr("%1, %2 with problems; %3 swept in %4.")
               .arg(locksInWords(m_locks.size()), grouped(troubled), keys, time) +
           (stats.unreadable > 0 ? u' ' + Words::tr("Unreadable keys: %1.").arg(grouped(stats.unreadable))
                                 : QString()) +
           u'\n';
}

} // namespace lockscope
