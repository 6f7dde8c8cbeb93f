// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/historylanes.h"

#include <QHash>

#include <vector>

namespace lockscope {

/// A lane for each owner, or each process named by owner IDs: the locks that it held or waited for.
class OwnerLanes : public HistoryLanes
{
    Q_DECLARE_TR_FUNCTIONS(OwnerLanes)

public:
    enum class By : quint8 { Owner, Process };
    /// Maximum of holds and waits in the shown time; with more, lanes are hidden: a part would mislead.
    static constexpr qint64 maxStays = 100'000;

    OwnerLanes(By by, const LockHistory &history, const LockTableModel &model, const DisplayClock &clock,
               const OwnerNames &names);

    bool update(TimeRange shown) override;
    std::optional<LockKey> lockAt(int lane, qint64 atMs) const override;
    QString summary() const override;
    /// Includes gaps of single nodes: an owner may have acquired a lock there.
    QList<LaneBand> bands(TimeRange time) const override;

    int laneCount() const override { return int(m_lanes.size()); }
    QString laneName(int lane) const override { return m_lanes[size_t(lane)].name; }
    StatusColor laneColor(int) const override { return StatusColor::Held; }
    bool isChosen(int lane) const override;
    int barRows(int lane) const override { return m_lanes[size_t(lane)].holdRows; }
    int waitRows(int lane) const override { return m_lanes[size_t(lane)].waitRows; }
    void fill(LaneContent &content, int lane, TimeRange time, qint64 stepMs) const override;
    QString stateText(int lane, qint64 atMs) const override;
    QString toolTip(int lane, qint64 atMs) const override;

private:
    struct Stay
    {
        HistorySlice slice;
        int key = 0; ///< index in m_keys
        int row = 0;
    };
    struct Lane
    {
        QByteArray id;
        QString name;
        quint64 place = 0;
        int holdRows = 1;
        int waitRows = 0;
        std::vector<Stay> holds; ///< sorted by start
        std::vector<Stay> waits;
    };

    QByteArray idOf(const LockKey &key, const OwnerId &owner) const;
    static int arrange(std::vector<Stay> &stays);
    QList<const Stay *> at(const std::vector<Stay> &stays, qint64 atMs) const;
    bool isGap(qint64 atMs) const;

    const By m_by;
    std::vector<LockKey> m_keys;
    std::vector<Lane> m_lanes;
    QHash<QByteArray, quint64> m_places; ///< in order of appearance
    quint64 m_nextPlace = 0;
    bool m_isTooMuch = false;
    int m_found = 0; ///< including omitted lanes
};

} // namespace lockscope
