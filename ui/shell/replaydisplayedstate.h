// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/replay.h"
#include "ui/shell/displayedstate.h"

namespace lockscope {

/// The shown state of a recording at the current position, with what came before. Read events are shown part
/// by part.
class ReplayDisplayedState : public DisplayedState
{
    Q_OBJECT

public:
    ReplayDisplayedState(Replay &replay, LocksPage &locks, Words words, QObject *parent);

    std::optional<TimePoint> at() const override { return m_replay.confirmedAt(); }
    bool isHeld() const override { return true; }
    /// True while events before the target position are being read.
    bool isJumping() const { return m_isJumping; }

signals:
    void rewound();
    /// Emitted when a part of the target moment is shown; `isWhole`: all of it; `isJump`: after a jump.
    void reported(bool isWhole, bool isJump);

protected:
    void take(const MonitorReport &event) override;
    void hold(const LockDiff &diff) override;
    void addMoment(const MonitorEvent &moment) override;

private:
    void rewind();
    void takeKnown(const LockDiff &part);
    void takePart();
    void arrive();
    LockDiff othersThanShown(const LockDiff &told) const;
    void showTold();
    void showTime();

    Replay &m_replay;
    bool m_isJumping = false;
};

} // namespace lockscope
