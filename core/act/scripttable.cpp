// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/scripttable.h"

#include <array>

namespace lockscope {

namespace {

/// Which file of lua/ does what; absent: nothing of ours does it.
struct Scripts
{
    LockForm form;
    const char *acquire;
    const char *release;
    const char *extend;
    const char *forceExpire;
    const char *removeWaiter;
};

// clang-format off
constexpr std::array table{
    Scripts{LockForm::None,      nullptr,                 nullptr,                      nullptr,            nullptr,                             nullptr},
    Scripts{LockForm::Counted,   "reentrant/acquire",     "reentrant/release",          "reentrant/extend", "reentrant/force-expire",            nullptr},
    Scripts{LockForm::Redisson,  "redisson-fair/acquire", "redisson-fair/release",      "reentrant/extend", "redisson-fair/force-expire",        "redisson-fair/remove-waiter"},
    Scripts{LockForm::ReadWrite, nullptr,                 nullptr,                      nullptr,            "redisson-read-write/force-expire",  nullptr},
    Scripts{LockForm::Multi,     nullptr,                 nullptr,                      nullptr,            "redisson-multi/force-expire",       nullptr},
    Scripts{LockForm::Latch,     nullptr,                 nullptr,                      nullptr,            "redisson-latch/force-expire",       nullptr},
    Scripts{LockForm::Permits,   nullptr,                 nullptr,                      nullptr,            "redisson-semaphore/force-expire",   nullptr},
    Scripts{LockForm::Handoff,   "handoff/acquire",       "handoff/release",            "reentrant/extend", "handoff/force-expire",              "handoff/remove-waiter"},
    Scripts{LockForm::Value,     "token/acquire",         "token/release",              "token/extend",     "token/force-expire",                nullptr},
    Scripts{LockForm::Job,       nullptr,                 nullptr,                      nullptr,            "token/force-expire",                nullptr},
    Scripts{LockForm::Signalled, "token/acquire",         "python-redis-lock/release",  "token/extend",     "python-redis-lock/force-expire",    nullptr},
    Scripts{LockForm::Announced, "token/acquire",         "spring-integration/release", "token/extend",     "spring-integration/force-expire",   nullptr},
    Scripts{LockForm::Queued,    "token/acquire",         "redlock4j/release",          "token/extend",     "redlock4j/force-expire",            nullptr},
    Scripts{LockForm::Members,   nullptr,                 nullptr,                      nullptr,            "members/force-expire",              nullptr},
    Scripts{LockForm::Semaphore, "token/acquire",         "token/release",              "token/extend",     "members/force-expire",              nullptr},
    Scripts{LockForm::Digest,    nullptr,                 nullptr,                      nullptr,            "sidekiq-unique-jobs/force-expire",  nullptr},
};
// clang-format on

constexpr bool isInOrder()
{
    for (size_t i = 0; i < table.size(); ++i) {
        if (table[i].form != static_cast<LockForm>(i))
            return false;
    }
    return table.size() == static_cast<size_t>(LockForm::Digest) + 1;
}
static_assert(isInOrder());

} // namespace

LockForm formOf(Family family)
{
    switch (family) {
    case Family::Unknown:
        return LockForm::None;
    case Family::Reentrant:
        return LockForm::Counted;
    case Family::Redisson:
    case Family::RedissonFair:
    case Family::RedissonFenced:
        return LockForm::Redisson;
    case Family::RedissonReadWrite:
        return LockForm::ReadWrite;
    case Family::RedissonMulti:
        return LockForm::Multi;
    case Family::RedissonLatch:
        return LockForm::Latch;
    case Family::RedissonSemaphore:
        return LockForm::Permits;
    case Family::Handoff:
        return LockForm::Handoff;
    case Family::BullMq:
    case Family::Bull:
        return LockForm::Job;
    case Family::PythonRedisLock:
        return LockForm::Signalled;
    case Family::SpringIntegration:
        return LockForm::Announced;
    case Family::Redlock4j:
        return LockForm::Queued;
    case Family::Symfony:
    case Family::Madelson:
        return LockForm::Members;
    case Family::RedisSemaphore:
        return LockForm::Semaphore;
    case Family::SidekiqUniqueJobs:
        return LockForm::Digest;
    default:
        return LockForm::Value;
    }
}

QByteArray scriptName(LockForm form, Action action)
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

bool canEndSome(LockForm form)
{
    return form == LockForm::ReadWrite || form == LockForm::Multi || form == LockForm::Permits ||
           form == LockForm::Members || form == LockForm::Semaphore || form == LockForm::Digest;
}

bool keepsCounts(LockForm form)
{
    return form == LockForm::Counted || form == LockForm::Redisson || form == LockForm::ReadWrite ||
           form == LockForm::Multi || form == LockForm::Handoff;
}

bool comparesTimeLeft(LockForm form)
{
    return form == LockForm::Value || form == LockForm::Counted;
}

bool isToldToName(const QByteArray &script)
{
    return script.startsWith("reentrant/") || script.startsWith("token/");
}

bool tellsShards(LockForm form, Action action)
{
    if (action == Action::Acquire || action == Action::Extend)
        return false;
    return form == LockForm::Redisson || form == LockForm::ReadWrite || form == LockForm::Multi ||
           form == LockForm::Latch || form == LockForm::Permits;
}

} // namespace lockscope
