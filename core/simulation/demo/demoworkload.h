// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/model/family.h"
#include "core/simulation/workers/workload.h"

#include <QByteArray>

#include <random>
#include <span>

namespace lockscope {

/// How a worker of the demo treats its lock.
enum class DemoHabit : quint8 {
    HoldBriefly,
    Reenter,      ///< up to three levels, then back
    KeepRenewing, ///< as a watchdog does
    OverrunLease, ///< its lease ends under it; its release comes too late
    DieHolding,   ///< stops for good; another takes its place once the lease has ended
    TakeTurns,    ///< comes back so soon that there is always somebody who waits
};

/// A lock of the demo and the workers on it.
struct DemoPost
{
    const char *key;
    StrategyKind strategy;
    DemoHabit habit;
    quint32 workers; ///< more than one contend
};

std::span<const DemoPost> demoPosts();

/// The visits of one worker of the demo. Pure: the same post, seed and number give the same visits.
class DemoRoutine : public Workload
{
public:
    /// `lock`: the post's place among demoPosts().
    DemoRoutine(const DemoPost &post, int lock, quint32 seed, quint32 number);

    std::optional<Iteration> next() override; ///< without end

private:
    milliseconds between(milliseconds shortest, milliseconds longest);
    QByteArray uuid();
    QByteArray process();

    StrategyKind m_strategy;
    DemoHabit m_habit;
    int m_lock;
    quint32 m_number;
    std::mt19937 m_choices;
    QByteArray m_owner;
};

} // namespace lockscope
