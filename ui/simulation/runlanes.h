// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/report.h"
#include "core/simulation/model/runhistory.h"
#include "ui/lanes/lanesource.h"

#include <QByteArray>
#include <QCoreApplication>
#include <QStringList>

namespace lockscope {

/// A run as lanes: one per lock with the workers in its critical section as seen by the referee, then one per
/// worker as seen by itself. 1 ms of the axis is 1 µs since the run's start.
class RunLanes : public LaneSource
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::RunLanes)

public:
    static constexpr int maxSections = 20; ///< lanes for locks; those with a violation come first

    void begin(const QList<QByteArray> &keys, int workers);
    void show(const Report &report);
    void take(const QList<TraceEntry> &entries);
    /// Sets the violations found so far, shown as marks on the lock lanes.
    void setFindings(const QList<Violation> &violations);
    /// Sets the current or final end of the run; open spans extend to it.
    void setEnd(microseconds end);
    /// Sets the moment after which nothing was recorded.
    void setFullAt(std::optional<microseconds> fullAt) { m_fullAt = fullAt; }
    /// Hides everything after `moment`; nullopt shows all.
    void setShownUntil(std::optional<microseconds> moment) { m_shownUntil = moment; }
    void setChosen(int lane) { m_chosen = lane; }

    const RunHistory &history() const { return m_history; }
    microseconds end() const { return m_end; }
    /// Returns a sentence per kind of omitted data, empty if complete. `leftOut`: dropped entries.
    QStringList omittedTexts(qint64 leftOut) const;
    int laneOfWorker(int worker) const { return sections() + worker; }
    int sections() const { return int(m_shownLocks.size()); }
    int locks() const { return int(m_history.sections().size()); } ///< including those without a lane
    static qint64 onAxis(microseconds moment) { return qint64(moment.count()); }
    static microseconds fromAxis(qint64 atMs) { return microseconds(atMs); }

    int laneCount() const override;
    QString laneName(int lane) const override;
    StatusColor laneColor(int lane) const override;
    bool isChosen(int lane) const override { return lane == m_chosen; }
    int barRows(int lane) const override;
    int waitRows(int) const override { return 0; }
    int pinnedLanes() const override;
    int nameLetters() const override { return 26; }
    bool isCompact() const override { return true; }
    double barScale() const override;
    bool isUnknownBefore() const override { return false; }
    TimeRange known() const override;
    qint64 shownUntilMs() const override;
    void fill(LaneContent &content, int lane, TimeRange time, qint64 stepMs) const override;
    QList<LaneBand> bands(TimeRange time) const override;
    QList<LaneLine> lines(TimeRange time) const override;
    QList<LaneArrow> arrows(TimeRange time) const override;
    QString stateText(int lane, qint64 atMs) const override;
    QString toolTip(int lane, qint64 atMs) const override;
    qint64 wallMs(qint64 atMs) const override { return atMs; }
    QString timeText(qint64 atMs, qint64 stepMs) const override;
    qint64 labelStepMs(double leastMs) const override;
    QString lastText() const override;

private:
    void chooseSections();
    int lockOf(int lane) const { return m_shownLocks[size_t(lane)]; }
    microseconds knownEnd() const;
    bool isNotRecorded(int lane, microseconds at) const;
    TimeRange timeOf(const RunSpan &span) const;
    void fillSection(LaneContent &content, int lock, TimeRange time, qint64 stepMs) const;
    void fillWorker(LaneContent &content, int worker, TimeRange time, qint64 stepMs) const;
    static void addRefusals(LaneContent &content, const RunHistory::Worker &worker, TimeRange wait, int row,
                            qint64 stepMs);
    void addMarks(LaneContent &content, int worker, TimeRange time) const;
    QStringList statesOfSection(int lock, microseconds at) const;
    bool isOrphaned(int lock, microseconds at) const;
    static QString withoutExpiryText(); ///< for a lock left without expiry
    QStringList statesOfWorker(int worker, microseconds at, bool isWhole) const;
    QString keyOf(int lock) const;

    RunHistory m_history{0, 0};
    mutable std::vector<RunHistory::Wake> m_wakes; ///< state at the last painting
    mutable bool m_areWakesStale = false;
    std::vector<int> m_shownLocks; ///< by lane
    QList<QByteArray> m_keys;
    QList<Violation> m_violations;
    microseconds m_end{0};
    std::optional<microseconds> m_fullAt;
    std::optional<microseconds> m_shownUntil;
    int m_chosen = -1;
};

} // namespace lockscope
