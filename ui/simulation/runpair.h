// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lanes/lanepicture.h"
#include "ui/lanes/laneview.h"
#include "ui/simulation/comparison.h"
#include "ui/simulation/runlanes.h"

#include <QWidget>

#include <optional>
#include <utility>

class QLabel;

namespace lockscope {

class ElidedLabel;

/// Two runs above each other with a shared time axis, zoom and cursor. Lanes are as low as needed to show
/// both.
class RunPair : public QWidget
{
    Q_OBJECT

public:
    explicit RunPair(QWidget *parent = nullptr);

    /// Shows two runs; the lanes are filled once visible.
    void show(const CompletedRun &first, const CompletedRun &second);
    /// Hides the axis of the second run to leave more space for lanes.
    void setAxisShared(bool on);
    LaneView &view(int which) { return *(which == 0 ? m_first.view : m_second.view); }
    const RunLanes &lanes(int which) const { return which == 0 ? m_first.lanes : m_second.lanes; }
    QList<LanePicture> pictures() const;

signals:
    void pictureWanted();

protected:
    void showEvent(QShowEvent *event) override;

private:
    struct Half
    {
        RunLanes lanes;
        LaneView *view = nullptr;
        ElidedLabel *name = nullptr;
        QLabel *omitted = nullptr;
        QString title; ///< including what is omitted
    };

    void build(Half &half, const QString &letter);
    void fill(Half &half, const QString &letter, const CompletedRun &run, microseconds end);
    void follow(Half &leader, Half &other);
    void fillBoth();

    Half m_first;
    Half m_second;
    std::optional<std::pair<CompletedRun, CompletedRun>> m_pending; ///< not filled yet
    bool m_isFollowing = false;
};

} // namespace lockscope
