// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/lockhistory.h"
#include "ui/lanes/lanesource.h"
#include "ui/locks/locktablemodel.h"

#include <QCoreApplication>

#include <optional>

namespace lockscope {

/// What all lanes of a history have in common, whatever they stand for: its time, its gaps, and the locks behind them.
class HistoryLanes : public LaneSource
{
    Q_DECLARE_TR_FUNCTIONS(HistoryLanes)

public:
    /// More are told of, not shown: nobody looks through them.
    static constexpr int mostLanes = 1000;

    /// All must outlive this.
    HistoryLanes(const LockHistory &history, const LockTableModel &model, const DisplayClock &clock,
                 const OwnerNames &names);

    /// Which lanes there are, and in which order. True where that is different now.
    virtual bool update(TimeRange shown) = 0;
    /// The lock that a lane is of, or had something to do with at a moment, or last before it.
    virtual std::optional<LockKey> lockAt(int lane, qint64 atMs) const = 0;
    /// "12 locks", and what is not shown.
    virtual QString summary() const = 0;
    void setChosen(const std::optional<LockKey> &key) { m_chosen = key; }

    TimeRange known() const override;
    /// Gaps of all lanes.
    QList<LaneBand> bands(TimeRange time) const override;
    QList<LaneLine> lines(TimeRange time) const override;
    QList<LaneArrow> arrows(TimeRange) const override { return {}; }
    QString lastText() const override;
    qint64 wallMs(qint64 atMs) const override { return m_history.clock().wallAt(atMs); }

protected:
    template <typename Gaps>
    QList<LaneBand> bandsOf(const Gaps &gaps, TimeRange time) const
    {
        QList<LaneBand> bands;
        for (const HistoryGap &gap : gaps) {
            const qint64 to = gap.toMs.value_or(known().toMs);
            if (gap.fromMs < time.toMs && to > time.fromMs)
                bands.append({.time = {gap.fromMs, to}});
        }
        return bands;
    }
    QString nameOf(const LockKey &key, const OwnerId &owner) const;
    /// Adds a bar, or makes it one with the last of its row where both are dense.
    static void addBar(QList<LaneBar> &bars, const LaneBar &bar, qint64 stepMs);
    /// Longer bars have a text.
    static bool hasRoomForText(const TimeRange &time, qint64 stepMs);

    const LockHistory &m_history;
    const LockTableModel &m_model;
    const DisplayClock &m_clock;
    const OwnerNames &m_names;
    std::optional<LockKey> m_chosen;
};

} // namespace lockscope
