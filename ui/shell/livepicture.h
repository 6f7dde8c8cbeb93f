// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/recorded.h"
#include "ui/shell/picture.h"

#include <QTime>

namespace lockscope {

/// The picture of a session: of now, of the moment at which the connection was lost, or held still by the user.
class LivePicture : public Picture
{
    Q_OBJECT

public:
    using Picture::Picture;

    /// What is shown stands still, whatever happens; the session goes on. What is not current stands still by itself.
    void setPaused(bool on);
    bool isPaused() const { return m_pausedAt.has_value(); }
    bool isHeld() const override { return isPaused(); }
    std::optional<TimePoint> at() const override;
    QTime pauseBegan() const { return m_pauseBegan; }
    /// Locks that are not as they are shown.
    qsizetype changedSince() const { return m_held.size(); }
    bool haveDeadlocksChanged() const { return deadlocks() != m_source.watched().deadlocks(); }

    /// As it was told last, also while it is held still.
    RecordedPicture known() const;

protected:
    void take(const WatchEvent &event) override;

private:
    void showTime();

    std::optional<TimePoint> m_staleSince; ///< as it is shown
    std::optional<TimePoint> m_pausedAt;
    bool m_pausedWhileStale = false;
    QTime m_pauseBegan;
};

} // namespace lockscope
