// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/lock.h"

#include <QByteArray>

#include <optional>
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
};

/// A lock of the demo and the workers on it.
struct DemoPost
{
    const char *key;
    Family family; ///< Reentrant or Token
    DemoHabit habit;
    quint32 workers; ///< more than one contend
};

std::span<const DemoPost> demoPosts();

/// What a worker is going to do with its lock, from wanting it to the rest afterwards.
struct DemoVisit
{
    QByteArray owner;
    milliseconds lease{0};
    int levels = 1;        ///< acquisitions one upon the other
    milliseconds step{0};  ///< between one level and the next, up and down
    milliseconds hold{0};  ///< at the highest level
    milliseconds renew{0}; ///< the lease is set anew this often; 0: never
    bool dies = false;     ///< instead of releasing
    milliseconds rest{0};  ///< afterwards
};

/// The visits of one worker. Pure: the same post, seed and number give the same visits, whatever the server
/// answers and however long that takes.
class DemoRoutine
{
public:
    DemoRoutine(const DemoPost &post, quint32 seed, quint32 number);

    DemoVisit next();
    /// How long to wait before trying again while another holds the lock.
    milliseconds retryPause();

private:
    milliseconds between(milliseconds shortest, milliseconds longest);
    QByteArray uuid();
    QByteArray process();

    Family m_family;
    DemoHabit m_habit;
    quint32 m_number;
    std::mt19937 m_choices;
    std::mt19937 m_jitter; // apart, since contention decides how often it is asked
    QByteArray m_owner;
};

} // namespace lockscope
