// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/model/family.h"
#include "core/simulation/workers/workload.h"

#include <QByteArray>

#include <random>
#include <span>

namespace lockscope {

/// How a demo worker uses its lock.
enum class DemoHabit : quint8 {
    HoldBriefly,
    Reenter,      ///< up to three levels, and back
    KeepRenewing, ///< like a watchdog
    OverrunLease, ///< its lease ends early; its release comes too late
    DieHolding,   ///< crashes; another worker replaces it once the lease has ended
    TakeTurns,    ///< reacquires so soon that there is always a waiter
};

struct DemoLock
{
    const char *key;
    StrategyKind strategy;
    DemoHabit habit;
    quint32 workers; ///< several contend
};

std::span<const DemoLock> demoPosts();

/// The iterations of one demo worker. Pure: the same post, seed and number give the same iterations.
class DemoWorkload : public Workload
{
public:
    /// `lock`: index of the post in demoPosts().
    DemoWorkload(const DemoLock &post, int lock, quint32 seed, quint32 number);

    std::optional<Iteration> next() override; ///< endless

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
