// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/replay.h"
#include "ui/shell/picture.h"

namespace lockscope {

/// The picture of a recording: of the moment to which it was moved, and what came before. What is told is shown with each part of
/// it, and at the arrival.
class ReplayPicture : public Picture
{
    Q_OBJECT

public:
    /// `replay` must outlive this.
    ReplayPicture(Replay &replay, LocksPage &locks, Words words, QObject *parent);

    std::optional<TimePoint> at() const override { return m_replay.confirmedAt(); }
    bool isHeld() const override { return true; }
    /// What is told is of before the moment that is to be shown.
    bool isJumping() const { return m_isJumping; }

signals:
    void rewound();
    /// Some of what is to be shown is there, or, with `isWhole`, all of it; `isJump`: of another moment than before.
    void told(bool isWhole, bool isJump);

protected:
    void take(const WatchEvent &event) override;
    void hold(const LockDiff &diff) override;
    void addMoment(const Moment &moment) override;

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
