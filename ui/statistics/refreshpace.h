// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include <chrono>
#include <functional>

namespace lockscope {

class LockHistory;

/// When a panel computes again what it shows of a history: the rarer, the longer it takes, and less if only time has
/// passed.
class RefreshPace
{
public:
    explicit RefreshPace(const LockHistory &history);

    /// `restart` begins a run.
    void setRestart(const std::function<void()> &restart);
    void begin();
    void finish(std::chrono::milliseconds cost);
    /// Nothing is due until a run has finished.
    void stop() { m_due.stop(); }

private:
    const LockHistory &m_history;
    quint64 m_revision = 0; ///< of the history, at the start of the last run
    QElapsedTimer m_since;  ///< that start
    QTimer m_due;
};

} // namespace lockscope
