// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/lockhistory.h"
#include "core/table/locktablemodel.h"
#include "ui/lanes/lanesource.h"

#include <QCoreApplication>

#include <optional>

namespace lockscope {

class HistoryLanes : public LaneSource
{
    Q_DECLARE_TR_FUNCTIONS(HistoryLanes)

public:
    /// Limit of lanes; the rest is counted.
    static constexpr int maxLanes = 1000;

    /// All must outlive this.
    HistoryLanes(const LockHistory &history, const LockTableModel &model, const DisplayClock &clock,
                 const OwnerNames &names);

    /// Updates the lanes and their order. Returns true if they changed.
    virtual bool update(TimeRange shown) = 0;
    /// Returns the lock of a lane, or the one that concerned it at a moment or last before.
    virtual std::optional<LockKey> lockAt(int lane, qint64 atMs) const = 0;
    /// Returns text such as "12 locks", with the number of omitted lanes.
    virtual QString summary() const = 0;
    void setChosen(const std::optional<LockKey> &key) { m_chosen = key; }

    TimeRange known() const override;
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
    /// Adds a bar, or extends the last one of its row if both are dense.
    static void addBar(QList<LaneBar> &bars, const LaneBar &bar, qint64 stepMs);
    static bool hasRoomForText(const TimeRange &time, qint64 stepMs);

    const LockHistory &m_history;
    const LockTableModel &m_model;
    const DisplayClock &m_clock;
    const OwnerNames &m_names;
    std::optional<LockKey> m_chosen;
};

} // namespace lockscope
