// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/recorded.h"
#include "ui/shell/displayedstate.h"

#include <QTime>

namespace lockscope {

/// The shown state of a session: current, stale since the connection was lost, or paused by the user.
class LiveDisplayedState : public DisplayedState
{
    Q_OBJECT

public:
    using DisplayedState::DisplayedState;

    /// Freezes the shown state while the session goes on. Stale data is frozen anyway.
    void setPaused(bool on);
    bool isPaused() const { return m_pausedAt.has_value(); }
    bool isHeld() const override { return isPaused(); }
    std::optional<TimePoint> at() const override;
    QTime pauseBegan() const { return m_pauseBegan; }
    /// Number of locks that changed since the pause began.
    qsizetype changedSince() const { return m_held.size(); }
    bool haveDeadlocksChanged() const { return deadlocks() != m_source.watched().deadlocks(); }

    /// Returns the last known state, even while paused.
    RecordedSnapshot known() const;

protected:
    void take(const MonitorReport &event) override;

private:
    void showTime();

    std::optional<TimePoint> m_staleSince;
    std::optional<TimePoint> m_pausedAt;
    bool m_pausedWhileStale = false;
    QTime m_pauseBegan;
};

} // namespace lockscope
