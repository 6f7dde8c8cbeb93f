// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/scripttable.h"

#include <array>

namespace lockscope {

namespace {

/// Which file of lua/ does what; absent: nothing of ours does it.
struct Scripts
{
    StorageLayout form;
    const char *acquire;
    const char *release;
    const char *extend;
    const char *forceExpire;
    const char *removeWaiter;
};

// clang-format off
constexpr std::array table{
    Scripts{StorageLayout::None,      nullptr,                 nullptr,                      nullptr,            nullptr,                             nullptr},
    Scripts{StorageLayout::Counted,   "reentrant/acquire",     "reentrant/release",          "reentrant/extend", "reentrant/force-expire",            nullptr},
    Scripts{StorageLayout::Redisson,  "redisson-fair/acquire", "redisson-fair/release",      "reentrant/extend", "redisson-fair/force-expire",        "redisson-fair/remove-waiter"},
    Scripts{StorageLayout::ReadWrite, nullptr,                 nullptr,                      nullptr,            "redisson-read-write/force-expire",  nullptr},
    Scripts{StorageLayout::Multi,     nullptr,                 nullptr,                      nullptr,            "redisson-multi/force-expire",       nullptr},
    Scripts{StorageLayout::Latch,     nullptr,                 nullptr,                      nullptr,            "redisson-latch/force-expire",       nullptr},
    Scripts{StorageLayout::Permits,   nullptr,                 nullptr,                      nullptr,            "redisson-semaphore/force-expire",   nullptr},
    Scripts{StorageLayout::Handoff,   "handoff/acquire",       "handoff/release",            "reentrant/extend", "handoff/force-expire",              "handoff/remove-waiter"},
    Scripts{StorageLayout::Value,     "token/acquire",         "token/release",              "token/extend",     "token/force-expire",                nullptr},
    Scripts{StorageLayout::Job,       nullptr,                 nullptr,                      nullptr,            "token/force-expire",                nullptr},
    Scripts{StorageLayout::Signalled, "token/acquire",         "python-redis-lock/release",  "token/extend",     "python-redis-lock/force-expire",    nullptr},
    Scripts{StorageLayout::Announced, "token/acquire",         "spring-integration/release", "token/extend",     "spring-integration/force-expire",   nullptr},
    Scripts{StorageLayout::Queued,    "token/acquire",         "redlock4j/release",          "token/extend",     "redlock4j/force-expire",            nullptr},
    Scripts{StorageLayout::Members,   nullptr,                 nullptr,                      nullptr,            "members/force-expire",              nullptr},
    Scripts{StorageLayout::Semaphore, "token/acquire",         "token/release",              "token/extend",     "members/force-expire",              nullptr},
    Scripts{StorageLayout::Digest,    nullptr,                 nullptr,                      nullptr,            "sidekiq-unique-jobs/force-expire",  nullptr},
};
// clang-format on

constexpr bool isInOrder()
{
    for (size_t i = 0; i < table.size(); ++i) {
        if (table[i].form != static_cast<StorageLayout>(i))
            return false;
    }
    return table.size() == static_cast<size_t>(StorageLayout::Digest) + 1;
}
static_assert(isInOrder());

} // namespace

StorageLayout formOf(Family family)
{
    switch (family) {
    case Family::Unknown:
        return StorageLayout::None;
    case Family::Reentrant:
        return StorageLayout::Counted;
    case Family::Redisson:
    case Family::RedissonFair:
    case Family::RedissonFenced:
        return StorageLayout::Redisson;
    case Family::RedissonReadWrite:
        return StorageLayout::ReadWrite;
    case Family::RedissonMulti:
        return StorageLayout::Multi;
    case Family::RedissonLatch:
        return StorageLayout::Latch;
    case Family::RedissonSemaphore:
        return StorageLayout::Permits;
    case Family::Handoff:
        return StorageLayout::Handoff;
    case Family::BullMq:
    case Family::Bull:
        return StorageLayout::Job;
    case Family::PythonRedisLock:
        return StorageLayout::Signalled;
    case Family::SpringIntegration:
        return StorageLayout::Announced;
    case Family::Redlock4j:
        return StorageLayout::Queued;
    case Family::Symfony:
    case Family::Madelson:
        return StorageLayout::Members;
    case Family::RedisSemaphore:
        return StorageLayout::Semaphore;
    case Family::SidekiqUniqueJobs:
        return StorageLayout::Digest;
    default:
        return StorageLayout::Value;
    }
}

QByteArray scriptName(StorageLayout form, Action action)
{
    const Scripts &scripts = table[static_cast<size_t>(form)];
    switch (action) {
    case Action::Acquire:
        return scripts.acquire;
    case Action::Release:
        return scripts.release;
    case Action::Extend:
        return scripts.extend;
    case Action::ForceExpire:
        return scripts.forceExpire;
    case Action::RemoveWaiter:
        return scripts.removeWaiter;
    }
    return {};
}

bool canEndSome(StorageLayout form)
{
    return form == StorageLayout::ReadWrite || form == StorageLayout::Multi ||
           form == StorageLayout::Permits || form == StorageLayout::Members ||
           form == StorageLayout::Semaphore || form == StorageLayout::Digest;
}

bool keepsCounts(StorageLayout form)
{
    return form == StorageLayout::Counted || form == StorageLayout::Redisson ||
           form == StorageLayout::ReadWrite || form == StorageLayout::Multi || form == StorageLayout::Handoff;
}

bool comparesTimeLeft(StorageLayout form)
{
    return form == StorageLayout::Value || form == StorageLayout::Counted;
}

bool takesNamedArgument(const QByteArray &script)
{
    return script.startsWith("reentrant/") || script.startsWith("token/");
}

bool usesShardedPubSub(StorageLayout form, Action action)
{
    if (action == Action::Acquire || action == Action::Extend)
        return false;
    return form == StorageLayout::Redisson || form == StorageLayout::ReadWrite ||
           form == StorageLayout::Multi || form == StorageLayout::Latch || form == StorageLayout::Permits;
}

} // namespace lockscope
