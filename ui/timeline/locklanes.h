// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/historylanes.h"

#include <QHash>

namespace lockscope {

/// A lane for each lock that the table shows, and, where no filter is typed, for those that were there and are gone. The worst
/// damage first; else a lane stays where it is, whatever the table does.
class LockLanes : public HistoryLanes
{
    Q_DECLARE_TR_FUNCTIONS(LockLanes)

public:
    using HistoryLanes::HistoryLanes;

    /// What is gone is kept while something of it is in the time that is shown.
    bool update(TimeRange shown) override;
    std::optional<LockKey> lockAt(int lane, qint64) const override { return m_keys[lane]; }
    QString summary() const override;
    int laneOf(const LockKey &key) const { return int(m_keys.indexOf(key)); }

    int laneCount() const override { return int(m_keys.size()); }
    QString laneName(int lane) const override;
    StatusColor laneColor(int lane) const override;
    bool isChosen(int lane) const override { return m_chosen == m_keys[lane]; }
    int barRows(int lane) const override { return m_rows[size_t(lane)].bars; }
    int waitRows(int lane) const override { return m_rows[size_t(lane)].waits; }
    void fill(LaneContent &content, int lane, TimeRange time, qint64 stepMs) const override;
    QString stateText(int lane, qint64 atMs) const override;
    QString toolTip(int lane, qint64 atMs) const override;

private:
    struct Rows
    {
        int bars = 1;
        int waits = 0;

        friend bool operator==(const Rows &, const Rows &) = default;
    };

    void addSlice(LaneContent &content, const LockKey &key, const HistorySlice &slice, qint64 stepMs) const;
    QList<LockKey> wanted(TimeRange shown);
    QString leftText(const LaneState &state) const;
    static QString waitingText(const LaneState &state);

    QList<LockKey> m_keys;
    std::vector<Rows> m_rows;
    QHash<LockKey, quint64> m_places; ///< in the order in which they came
    quint64 m_nextPlace = 0;
    int m_withoutLane = 0; ///< locks of the table
};

} // namespace lockscope
