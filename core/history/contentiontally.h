// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/lockstatistics.h"

#include <QSet>

#include <array>
#include <map>

namespace lockscope {

/// The number of durations by length; each counts in the first bucket whose bound is not below it.
struct LengthHistogram
{
    static constexpr std::array<int, 8> boundsMs{5, 25, 100, 500, 2'500, 10'000, 60'000, 600'000};

    std::array<qint64, boundsMs.size() + 1> counts{}; ///< the last one: longer than all bounds
    qint64 sumMs = 0;

    void add(qint64 ms, qint64 times);
    void add(const LengthHistogram &other);
    bool isEmpty() const { return counts == decltype(counts)(); }
};

/// Holds and waits of all locks since the start, by family and pattern, as counters that never decrease, from a history
/// of the last minutes. Ten groups with most waiting are told one by one, the others as one. A group that gets a place
/// begins to count there, one that loses it goes on in the others, and on its own again if it returns: nothing is moved
/// between them. One thread.
class ContentionTally
{
public:
    static constexpr size_t mostGroups = 10;
    /// Ends are counted so much later: some are known only once the server's counters were read.
    static constexpr qint64 delayMs = 3000;

    explicit ContentionTally(QList<QByteArray> patterns) : m_patterns(std::move(patterns)) {}

    /// The history, for all but apply().
    LockHistory &history() { return m_history; }
    void apply(const LockDiff &diff, qint64 wallMs);
    /// Counts what has ended, for about `budget`. True: nothing is left until later.
    bool work(qint64 wallMs, milliseconds budget);

    struct Counts
    {
        LengthHistogram holds; ///< seen from begin to end
        LengthHistogram waits; ///< of waiters known by name, seen from begin to end
        qint64 waitedMs = 0;   ///< of all waiters that were seen, also while they wait

        void add(const Counts &other);
        bool isEmpty() const { return holds.isEmpty() && waits.isEmpty() && waitedMs == 0; }
    };
    struct Series
    {
        QByteArray family; ///< "other": all that have no series of their own
        QByteArray pattern;
        Counts counts;
    };
    std::vector<Series> series() const;

private:
    struct Group
    {
        Counts counts; ///< while it is shown
        Counts fresh;  ///< of the current run
        double recentMs = 0;
        bool isShown = false;
    };
    using GroupKey = std::pair<Family, qsizetype>; ///< and the index of the pattern

    void take(const LockStatistics &lock, const Lengths &holds, const Lengths &waits);
    void finishRun();
    void chooseShown(qint64 wallMs);

    const QList<QByteArray> m_patterns;
    LockHistory m_history{500'000};
    QSet<LockKey> m_touched; ///< locks with ends since the last run began
    QSet<LockKey> m_before;  ///< and in the run before
    QSet<LockKey> m_waited;  ///< locks that are waited for
    std::unique_ptr<StatisticsRun> m_run;
    qint64 m_doneMs = 0; ///< on the axis of the history; 0: nothing yet
    qint64 m_toMs = 0;
    qint64 m_swappedMs = 0;
    std::map<GroupKey, Group> m_groups;
    Counts m_others;
};

} // namespace lockscope
