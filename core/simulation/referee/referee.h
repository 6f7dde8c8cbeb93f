// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/simulation/model/runtrace.h"
#include "core/simulation/referee/violationdetector.h"

#include <QList>

#include <mutex>

namespace lockscope {

/// Watches critical sections without using the locks under test. Thread-safe.
class Referee
{
public:
    explicit Referee(TimePoint start) : m_start(start) {}
    virtual ~Referee() = default;
    /// As of now; the referee fills in `at` and `insideBefore`. Returns when the event stands in its place in the order, so that
    /// what the worker does next comes after it.
    virtual void take(RefereeEvent event) = 0;
    /// The moment on the referee's clock that a moment of this process's steady clock is.
    microseconds onClock(TimePoint moment) const
    {
        return std::chrono::duration_cast<microseconds>(moment - m_start);
    }

private:
    const TimePoint m_start;
};

/// For workers that are threads of this process: its mutex is the order, its clock the steady one.
class LocalReferee : public Referee
{
public:
    LocalReferee(TimePoint start, int locks);

    void take(RefereeEvent event) override;
    void record(RefereeEvent event);      ///< as of its time, not before the last one's; thread-safe
    void add(const Violation &violation); ///< thread-safe
    Findings findings() const;            ///< a copy; thread-safe
    void setTraced(bool traced) { m_isTraced = traced; } ///< before the first event
    RunTrace takeTrace();                                ///< of what came since the last time; thread-safe

private:
    void judge(RefereeEvent event);

    mutable std::mutex m_mutex;
    std::vector<int> m_inside; ///< per lock
    ViolationDetector m_detector;
    bool m_isTraced = false;
    RunTrace m_trace;
};

} // namespace lockscope
