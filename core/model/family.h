// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockscope {

/// The algorithm that wrote a lock: a way of storing one, or the library that stores it so. In the order in which the
/// command line's contract names them.
enum class Family : quint8 {
    Reentrant, ///< a counted hash that is nobody's in particular
    Token,     ///< a string that several libraries may have written: candidatesOf() names them
    Unknown,
    Redisson, ///< RLock, spin and non-reentrant locks
    RedissonFair,
    RedissonFenced,
    RedissonReadWrite,
    RedissonMulti, ///< FasterMultiLock: several values locked in one hash
    RedissonSemaphore,
    RedissonLatch,
    RedisPy,
    Redbeat,
    CeleryOnce,
    DjangoRedis,
    PythonRedisLock,
    BullMq,
    Bull,
    ShedLock,
    SpringIntegration,
    Laravel,
    Symfony,
    SidekiqUniqueJobs,
    Redsync,
    BsmRedislock,
    RedLockNet,
    Pottery,
    NodeRedlock,
    RedlockUniversal,
    RedisSemaphore,
    Madelson,
    Hangfire,
    Lock4j,
    Redlock4j,
    Quartz,
    Handoff, ///< the fair lock of lua/handoff/
};
constexpr int families = static_cast<int>(Family::Handoff) + 1;

/// How sure it is that a lock is of its family.
enum class Certainty : quint8 {
    Certain,   ///< nothing else has all of this evidence
    Likely,    ///< something else could have it, but hardly does
    Ambiguous, ///< one of several, or none: only the user knows
};

} // namespace lockscope
