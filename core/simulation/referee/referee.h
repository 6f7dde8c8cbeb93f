// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/simulation/model/runtrace.h"
#include "core/simulation/referee/violationdetector.h"

#include <QList>

#include <memory>
#include <mutex>

namespace lockscope {

/// A worker's line to the referee. Made and used on the worker's thread; take() returns when the event stands in
/// its place in the order, so that what the worker does next comes after it.
class RefereeClient
{
public:
    virtual ~RefereeClient() = default;
    /// `at` and `insideBefore` are filled in by the referee.
    virtual void take(RefereeEvent event) = 0;
};

/// Watches critical sections without using the locks under test.
class Referee
{
public:
    virtual ~Referee() = default;
    virtual std::unique_ptr<RefereeClient> admit() = 0; ///< thread-safe
    /// The moment on the referee's clock that a moment of this process's steady clock is. Thread-safe.
    virtual microseconds onClock(TimePoint moment) const = 0;
};

/// For workers that are threads of this process: its mutex is the order, its clock the steady one.
class LocalReferee : public Referee
{
public:
    LocalReferee(TimePoint start, int locks);

    std::unique_ptr<RefereeClient> admit() override;
    microseconds onClock(TimePoint moment) const override;
    void take(RefereeEvent event);        ///< as of now; thread-safe
    void record(RefereeEvent event);      ///< as of its time, not before the last one's; thread-safe
    void add(const Violation &violation); ///< thread-safe
    Findings findings() const;            ///< a copy; thread-safe
    void setTraced(bool traced) { m_isTraced = traced; } ///< before the first event
    RunTrace takeTrace();                                ///< of what came since the last time; thread-safe

private:
    void judge(RefereeEvent event);

    const TimePoint m_start;
    mutable std::mutex m_mutex;
    std::vector<int> m_inside; ///< per lock
    ViolationDetector m_detector;
    bool m_isTraced = false;
    RunTrace m_trace;
};

} // namespace lockscope
