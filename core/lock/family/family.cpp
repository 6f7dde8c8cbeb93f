// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/family/family.h"

#include <array>

namespace lockscope {

namespace {

using enum Certainty;
using enum WakeBy;
using enum OldOwner;
using enum Taking;

constexpr bool several = true;
constexpr bool single = false;
constexpr bool endless = true;
constexpr bool ends = false;
constexpr bool renews = true;
constexpr bool fixed = false;

// In the order of the enumeration.
constexpr std::array table{
    FamilyFacts{Family::Reentrant, "reentrant", Ambiguous, Message, FailsRelease, Offered, single, ends,
                fixed},
    FamilyFacts{Family::Token, "token", Ambiguous, Polling, FailsRelease, Offered, single, ends, fixed},
    FamilyFacts{Family::Unknown, "unknown", Ambiguous, Polling, Unaware, NotUnderstood, single, endless,
                fixed},
    FamilyFacts{Family::Redisson, "redisson", Certain, Message, FailsRelease, Offered, single, ends, renews},
    FamilyFacts{Family::RedissonFair, "redisson-fair", Certain, Turn, FailsRelease, JumpsQueue, single, ends,
                renews},
    FamilyFacts{Family::RedissonFenced, "redisson-fenced", Certain, Message, FailsRelease, Offered, single,
                ends, renews},
    FamilyFacts{Family::RedissonReadWrite, "redisson-read-write", Certain, Message, FailsRelease,
                NotUnderstood, several, ends, renews},
    FamilyFacts{Family::RedissonMulti, "redisson-multi", Certain, Message, FailsRelease, NotUnderstood,
                several, ends, renews},
    FamilyFacts{Family::RedissonSemaphore, "redisson-semaphore", Certain, Message, Unaware, NoOwners, several,
                endless, fixed},
    FamilyFacts{Family::RedissonLatch, "redisson-latch", Certain, Message, Unaware, NoOwners, several,
                endless, fixed},
    FamilyFacts{Family::RedisPy, "redis-py", Certain, Polling, FailsRelease, Offered, single, endless, fixed},
    FamilyFacts{Family::Redbeat, "redbeat", Certain, Polling, FailsRenewal, Offered, single, ends, renews},
    FamilyFacts{Family::CeleryOnce, "celery-once", Certain, Polling, HurtsNext, Offered, single, ends, fixed},
    FamilyFacts{Family::DjangoRedis, "django-redis", Certain, Polling, FailsRelease, Offered, single, endless,
                fixed},
    FamilyFacts{Family::PythonRedisLock, "python-redis-lock", Likely, Signal, FailsRelease, Offered, single,
                endless, fixed},
    FamilyFacts{Family::BullMq, "bullmq", Certain, Polling, LosesJob, IsJob, single, ends, renews},
    FamilyFacts{Family::Bull, "bull", Certain, Polling, LosesJob, IsJob, single, ends, renews},
    FamilyFacts{Family::ShedLock, "shedlock", Certain, Polling, HurtsNext, Offered, single, ends, fixed},
    FamilyFacts{Family::SpringIntegration, "spring-integration", Ambiguous, KeyMessage, FailsRelease, Offered,
                single, ends, fixed},
    FamilyFacts{Family::Laravel, "laravel", Likely, Polling, FailsRelease, Offered, single, endless, fixed},
    FamilyFacts{Family::Symfony, "symfony", Certain, Polling, FailsRenewal, NotUnderstood, several, ends,
                fixed},
    FamilyFacts{Family::SidekiqUniqueJobs, "sidekiq-unique-jobs", Certain, Signal, Unaware, IsJob, several,
                endless, fixed},
    FamilyFacts{Family::Redsync, "redsync", Likely, Polling, FailsRelease, Offered, single, ends, fixed},
    FamilyFacts{Family::BsmRedislock, "bsm-redislock", Likely, Polling, FailsRelease, Offered, single, ends,
                fixed},
    FamilyFacts{Family::RedLockNet, "redlock-net", Ambiguous, Polling, TakesItBack, Offered, single, ends,
                renews},
    FamilyFacts{Family::Pottery, "pottery", Ambiguous, Polling, FailsRelease, Offered, single, ends, fixed},
    FamilyFacts{Family::NodeRedlock, "node-redlock", Ambiguous, Polling, FailsRelease, Offered, single, ends,
                fixed},
    FamilyFacts{Family::RedlockUniversal, "redlock-universal", Ambiguous, Polling, FailsRelease, Offered,
                single, ends, fixed},
    FamilyFacts{Family::RedisSemaphore, "redis-semaphore", Likely, Polling, FailsRenewal, Offered, several,
                ends, renews},
    FamilyFacts{Family::Madelson, "madelson", Certain, Polling, FailsRenewal, NotUnderstood, several, ends,
                renews},
    FamilyFacts{Family::Hangfire, "hangfire", Certain, Polling, Unaware, Offered, single, ends, renews},
    FamilyFacts{Family::Lock4j, "lock4j", Likely, Polling, FailsRelease, Offered, single, ends, renews},
    FamilyFacts{Family::Redlock4j, "redlock4j", Likely, Polling, FailsRelease, Offered, single, ends, fixed},
    FamilyFacts{Family::Quartz, "quartz", Likely, Polling, HurtsNext, Offered, single, ends, fixed},
    FamilyFacts{Family::Handoff, "handoff", Certain, HandOver, FailsRelease, JumpsQueue, single, ends,
                renews},
};

constexpr bool isInOrder()
{
    for (size_t i = 0; i < table.size(); ++i) {
        if (table[i].family != static_cast<Family>(i))
            return false;
    }
    return table.size() == families;
}
static_assert(isInOrder());

} // namespace

const FamilyFacts &factsOf(Family family)
{
    return table[static_cast<size_t>(family)];
}

} // namespace lockscope
