// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/simulation/model/runtrace.h"
#include "core/simulation/referee/violationdetector.h"

#include <QList>

#include <mutex>

namespace lockscope {

/// Monitors critical sections independently of the locks under test. Thread-safe.
class Referee
{
public:
    explicit Referee(TimePoint start) : m_start(start) {}
    virtual ~Referee() = default;
    /// Takes an event of now; fills in `at`. Returns when its place in the order is fixed: the worker's next
    /// action comes after it.
    virtual void take(RefereeEvent event) = 0;
    /// Converts a moment of this process' steady clock to the referee's clock.
    microseconds onClock(TimePoint moment) const
    {
        return std::chrono::duration_cast<microseconds>(moment - m_start);
    }

private:
    const TimePoint m_start;
};

/// For workers on threads of this process: its mutex defines the order, its clock is the steady one.
class LocalReferee : public Referee
{
public:
    using Referee::Referee;

    void take(RefereeEvent event) override;
    void record(const RefereeEvent &event); ///< at its time, not before the last one's; thread-safe
    void add(const Violation &violation);   ///< thread-safe
    Findings findings() const;              ///< a copy; thread-safe
    void setTraced(bool traced) { m_isTraced = traced; } ///< before the first event
    RunTrace takeTrace();                                ///< since the last call; thread-safe

private:
    void judge(const RefereeEvent &event);

    mutable std::mutex m_mutex;
    ViolationDetector m_detector;
    bool m_isTraced = false;
    RunTrace m_trace;
};

} // namespace lockscope
