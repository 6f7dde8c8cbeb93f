// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/family.h"

#include <array>

namespace lockscope {

namespace {

using enum Evidence;
using enum WaitMechanism;
using enum OwnerImpact;
using enum AcquireSupport;

constexpr bool several = true;
constexpr bool single = false;
constexpr bool endless = true;
constexpr bool ends = false;
constexpr bool renews = true;
constexpr bool fixed = false;

/// Nothing but a rule of the user makes it more than one of several. A rule is certain where the content fits.
constexpr Proof byRule{.certain = {{Rule, Content}}, .likely = {Rule}};
/// What the monitor finds beside the lock makes it so.
constexpr Proof byCompanion{.certain = {Companions, Listeners}};
/// A counter under an id: applications count visits so. A lock of Redisson has a lease, and is renewed or waited for.
constexpr Proof ofRedisson{.certain = {{Content, Companions},
                                       {Content, Listeners},
                                       {Content, Lease, Renewals},
                                       {Content, Lease, Name}},
                           .likely = {{Content, Lease}}};
/// An ordinary token under a name that only hints at its library.
constexpr Proof byHint{.certain = {{Rule, Content}}, .likely = {{Content, Name}, Rule}};
/// The same, where a lease has to be in keeping as well.
constexpr Proof byHintAndLease{.certain = {{Rule, Content}, {Content, Name, Lease, Renewals}},
                               .likely = {{Content, Name, Lease}, Rule}};
/// A name that no other program gives, with the library's form of a token.
constexpr Proof byOwnName{.certain = {{Content, Name}, {Rule, Content}}, .likely = {Rule}};
/// The same, where strings without a lease may be other things of that library.
constexpr Proof byOwnNameAndLease{.certain = {{Content, Name, Lease}, {Rule, Content}},
                                  .likely = {{Content, Name}, Rule}};
/// A form that others write too, but seldom with such a lease.
constexpr Proof byLease{.certain = {{Content, Lease, Name}, {Content, Lease, Renewals}, {Rule, Content}},
                        .likely = {{Content, Lease}, Rule}};
constexpr Proof ofSidekiq{.certain = {{Content, Name}, {Content, Companions}}, .likely = {Content}};
constexpr Proof ofBull{.certain = {{Content, Companions}}, .likely = {}};
constexpr Proof ofBullMq{.certain = {{Content, Companions}, {Content, Name}}, .likely = {}};
constexpr Proof ofSymfony{.certain = {{Content, Name, Lease}, {Content, Lease, Renewals}},
                          .likely = {{Content, Name}, {Content, Lease}}};
/// Its name is a suffix that other data have too.
constexpr Proof ofMadelson{
    .certain = {{Content, Name, Lease}, {Content, Companions}, {Content, Lease, Renewals}},
    .likely = {{Content, Lease}, {Content, Name}}};
constexpr Proof ofMulti{.certain = {{Content, Lease}, {Content, Listeners}}, .likely = {Content}};
constexpr Proof none{};

// In the order of the enumeration.
constexpr std::array table{
    FamilyFacts{Family::Reentrant, "reentrant", none, Message, FailsRelease, Supported, single, ends, fixed},
    FamilyFacts{Family::Token, "token", none, Polling, FailsRelease, Supported, single, ends, fixed},
    FamilyFacts{Family::Unknown, "unknown", none, Polling, Unaware, NoScript, single, endless, fixed},
    FamilyFacts{Family::Redisson, "redisson", ofRedisson, Message, FailsRelease, Supported, single, ends,
                renews},
    FamilyFacts{Family::RedissonFair, "redisson-fair", byCompanion, QueueHeadChannel, FailsRelease,
                BypassesQueue, single, ends, renews},
    FamilyFacts{Family::RedissonFenced, "redisson-fenced", byCompanion, Message, FailsRelease, Supported,
                single, ends, renews},
    FamilyFacts{Family::RedissonReadWrite, "redisson-read-write", ofRedisson, Message, FailsRelease, NoScript,
                several, ends, renews},
    FamilyFacts{Family::RedissonMulti, "redisson-multi", ofMulti, Message, FailsRelease, NoScript, several,
                ends, renews},
    FamilyFacts{Family::RedissonSemaphore, "redisson-semaphore", byCompanion, Message, Unaware, NoOwners,
                several, endless, fixed},
    FamilyFacts{Family::RedissonLatch, "redisson-latch", byCompanion, Message, Unaware, NoOwners, several,
                endless, fixed},
    FamilyFacts{Family::RedisPy, "redis-py", byHint, Polling, FailsRelease, Supported, single, endless,
                fixed},
    FamilyFacts{Family::Redbeat, "redbeat", byOwnName, Polling, FailsRenewal, Supported, single, ends,
                renews},
    FamilyFacts{Family::CeleryOnce, "celery-once", byHint, Polling, DeletesNextLock, Supported, single, ends,
                fixed},
    FamilyFacts{Family::DjangoRedis, "django-redis", byHint, Polling, FailsRelease, Supported, single,
                endless, fixed},
    FamilyFacts{Family::PythonRedisLock, "python-redis-lock", byHint, ListPush, FailsRelease, Supported,
                single, endless, fixed},
    FamilyFacts{Family::BullMq, "bullmq", ofBullMq, Polling, JobReassigned, IsJob, single, ends, renews},
    FamilyFacts{Family::Bull, "bull", ofBull, Polling, JobReassigned, IsJob, single, ends, renews},
    FamilyFacts{Family::ShedLock, "shedlock", byLease, Polling, DeletesNextLock, Supported, single, ends,
                fixed},
    FamilyFacts{Family::SpringIntegration, "spring-integration", byRule, KeyMessage, FailsRelease, Supported,
                single, ends, fixed},
    FamilyFacts{Family::Laravel, "laravel", byHint, Polling, FailsRelease, Supported, single, endless, fixed},
    FamilyFacts{Family::Symfony, "symfony", ofSymfony, Polling, FailsRenewal, NoScript, several, ends, fixed},
    FamilyFacts{Family::SidekiqUniqueJobs, "sidekiq-unique-jobs", ofSidekiq, ListPush, Unaware, IsJob,
                several, endless, fixed},
    FamilyFacts{Family::Redsync, "redsync", byHintAndLease, Polling, FailsRelease, Supported, single, ends,
                fixed},
    FamilyFacts{Family::BsmRedislock, "bsm-redislock", byRule, Polling, FailsRelease, Supported, single, ends,
                fixed},
    FamilyFacts{Family::RedLockNet, "redlock-net", byRule, Polling, RewritesLock, Supported, single, ends,
                renews},
    FamilyFacts{Family::Pottery, "pottery", byRule, Polling, FailsRelease, Supported, single, ends, fixed},
    FamilyFacts{Family::NodeRedlock, "node-redlock", byRule, Polling, FailsRelease, Supported, single, ends,
                fixed},
    FamilyFacts{Family::RedlockUniversal, "redlock-universal", byLease, Polling, FailsRelease, Supported,
                single, ends, fixed},
    FamilyFacts{Family::RedisSemaphore, "redis-semaphore", byHintAndLease, Polling, FailsRenewal, Supported,
                several, ends, renews},
    FamilyFacts{Family::Madelson, "madelson", ofMadelson, Polling, FailsRenewal, NoScript, several, ends,
                renews},
    FamilyFacts{Family::Hangfire, "hangfire", byOwnNameAndLease, Polling, Unaware, Supported, single, ends,
                renews},
    FamilyFacts{Family::Lock4j, "lock4j", byOwnNameAndLease, Polling, FailsRelease, Supported, single, ends,
                renews},
    FamilyFacts{Family::Redlock4j, "redlock4j", byHintAndLease, Polling, FailsRelease, Supported, single,
                ends, fixed},
    FamilyFacts{Family::Quartz, "quartz", byHintAndLease, Polling, DeletesNextLock, Supported, single, ends,
                fixed},
    FamilyFacts{Family::Handoff, "handoff", byCompanion, Handoff, FailsRelease, BypassesQueue, single, ends,
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

QByteArray familyName(Family family)
{
    return factsOf(family).name;
}

std::optional<Family> familyFromName(QByteArrayView name)
{
    for (int i = 0; i < families; ++i) {
        if (name == factsOf(static_cast<Family>(i)).name)
            return static_cast<Family>(i);
    }
    return std::nullopt;
}

} // namespace lockscope
