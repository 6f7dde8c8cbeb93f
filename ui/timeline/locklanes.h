// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/historylanes.h"

#include <QHash>

namespace lockscope {

/// A lane for each lock in the table and, without a typed filter, for those that are gone. Worst damage
/// first; otherwise lanes keep their place.
class LockLanes : public HistoryLanes
{
    Q_DECLARE_TR_FUNCTIONS(LockLanes)

public:
    using HistoryLanes::HistoryLanes;

    /// Keeps lanes of locks that are gone while the shown time includes some of them.
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
    QHash<LockKey, quint64> m_places; ///< in order of appearance
    quint64 m_nextPlace = 0;
    int m_withoutLane = 0;
};

} // namespace lockscope
