// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/list.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/cli/table.h"
#include "core/text/words.h"

#include <QDateTime>
#include <QJsonArray>
#include <QLocale>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qint64 silentMs = 1000; // a list that comes at once needs no progress

QString grouped(qint64 number)
{
    return QLocale(QLocale::English).toString(number);
}

QString counted(qint64 number, const char *one, const char *several)
{
    return grouped(number) + u' ' + QLatin1String(number == 1 ? one : several);
}

QString stateOf(const Lock &lock)
{
    if (lock.family == Family::Unknown)
        return QStringLiteral("no lock");
    return lock.problems ? QStringLiteral("check") : QStringLiteral("held");
}

QStringList rowOf(const Lock &lock, TimePoint now)
{
    const Holder first = lock.holders.value(0);
    QString owner = printable(first.owner.bytes, 60);
    if (lock.holders.size() > 1)
        owner += QStringLiteral(" and %1 more").arg(lock.holders.size() - 1);
    const QString holds = first.holds ? QString::number(*first.holds) : printable(first.countText, 20);
    const auto ttl = ttlAt(lock, now);
    QStringList problems;
    for (const Problem problem : problemList(lock.problems))
        problems.append(QString::fromLatin1(problemName(problem)));
    return {stateOf(lock), QString::fromLatin1(familyName(lock.family)),  printable(lock.key().bytes), owner,
            holds,         ttl ? describe(*ttl) : QStringLiteral("none"), problems.join(u' ')};
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
    : Command(std::move(options), false), m_monitor(connection(), monitorOptions(this->options()))
{
    m_running.start();
    connect(&m_monitor, &LockMonitor::changed, this, [this](const LockDiff &diff) {
        for (const WatchedLock &watched : diff.changed)
            m_locks.insert(watched.key(), watched.lock);
        for (const LockKey &key : diff.removed)
            m_locks.remove(key);
    });
    connect(&m_monitor, &LockMonitor::sweepProgressed, this, &List::showProgress);
    connect(&m_monitor, &LockMonitor::swept, this, &List::print);
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
    const QString of = soFar.keyspace > 0 ? QStringLiteral(" of %1").arg(grouped(soFar.keyspace)) : QString();
    console::progress(QStringLiteral("%1%2 keys, %3")
                          .arg(grouped(soFar.keysScanned), of, counted(soFar.locks, "lock", "locks")));
}

void List::print(const SweepStats &stats)
{
    if (isFinished() || !stats.complete)
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
                               {QStringLiteral("locks"), locks}}));
    } else {
        console::out(humanText(stats));
    }
    finish(ExitStatus::Done);
}

QString List::humanText(const SweepStats &stats) const
{
    const QString cost = QStringLiteral("%1 swept in %2")
                             .arg(counted(stats.keysScanned, "key", "keys"),
                                  describe(std::chrono::duration_cast<milliseconds>(stats.wallTime)));
    if (m_locks.isEmpty())
        return QStringLiteral("No locks at %1: %2.\n").arg(serverName(), cost);
    Table table({QStringLiteral("STATE"), QStringLiteral("FAMILY"), QStringLiteral("KEY"),
                 QStringLiteral("OWNER"), QStringLiteral("HOLDS"), QStringLiteral("TTL"),
                 QStringLiteral("PROBLEMS")});
    for (const Lock &lock : m_locks)
        table.add(rowOf(lock, Clock::now()), bool(lock.problems));
    const auto troubled =
        std::ranges::count_if(m_locks, [](const Lock &lock) { return bool(lock.problems); });
    return table.text(console::hasColour()) +
           QStringLiteral("%1, %2 with problems; %3.\n")
               .arg(counted(m_locks.size(), "lock", "locks"), grouped(troubled), cost);
}

} // namespace lockscope
