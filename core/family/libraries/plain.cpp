// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries whose locks are strings in a form that others write, too, and of which a row says all.
#include "core/family/familytable.h"
#include "core/family/uuidowner.h"

namespace lockscope {

// aioredlock: a UUID for each acquisition, written anew by a watchdog that finds it gone.
constinit const FamilySpec families::aioredlock{
    .name = "aioredlock",
    .noun = QT_TRANSLATE_NOOP("phrases", "aioredlock lock"),
    .stored = "string: UUID",
    .proof = provenByRule,
    .prevalence = 40,
    .ownerImpact = OwnerImpact::RewritesLock,
    .renews = true,
    .maySpanServers = true,
    .strings = {TokenFormat::Uuid},
    .matchString = matchPlainUuid,
};

// ioredis-lock: a UUID of version 1 for each lock object.
constinit const FamilySpec families::ioredis_lock{
    .name = "ioredis-lock",
    .noun = QT_TRANSLATE_NOOP("phrases", "ioredis-lock lock"),
    .stored = "string: UUID version 1",
    .proof = provenByRule,
    .prevalence = 32,
    .strings = {TokenFormat::Uuid},
    .matchString = matchUuid1,
};

// @microfleet/ioredis-lock: a UUID for each lock object.
constinit const FamilySpec families::microfleet_ioredis_lock{
    .name = "microfleet-ioredis-lock",
    .noun = QT_TRANSLATE_NOOP("phrases", "@microfleet/ioredis-lock lock"),
    .stored = "string: UUID",
    .proof = provenByRule,
    .prevalence = 36,
    .strings = {TokenFormat::Uuid},
    .matchString = matchPlainUuid,
};

// node-redlock: 32 random hex digits.
constinit const FamilySpec families::node_redlock{
    .name = "node-redlock",
    .noun = QT_TRANSLATE_NOOP("phrases", "node-redlock lock"),
    .stored = "string: hex of 16 bytes",
    .proof = provenByRule,
    .prevalence = 68,
    .maySpanServers = true,
    .strings = {TokenFormat::Hex32},
    .matchString = matchByFormat,
};

// pottery's Redlock.
constinit const FamilySpec families::pottery{
    .name = "pottery",
    .noun = QT_TRANSLATE_NOOP("phrases", "pottery lock"),
    .stored = "string: UUID, under `redlock:…`",
    .proof = provenByRule,
    .prevalence = 50,
    .maySpanServers = true,
    .strings = {TokenFormat::Uuid},
    .matchString = matchRedlockUuid,
};

// redis-plus-plus: random letters and digits, renewed by a thread of their own.
constinit const FamilySpec families::redis_plus_plus{
    .name = "redis-plus-plus",
    .noun = QT_TRANSLATE_NOOP("phrases", "redis-plus-plus lock"),
    .stored = "string: 20 letters or digits",
    .proof = provenByRule,
    .prevalence = 42,
    .ownerImpact = OwnerImpact::FailsRenewal,
    .renews = true,
    .maySpanServers = true,
    .strings = {TokenFormat::Letters20},
    .matchString = matchByFormat,
};

// redislock for Node: a UUID of version 1 for each lock object.
constinit const FamilySpec families::redislock{
    .name = "redislock",
    .noun = QT_TRANSLATE_NOOP("phrases", "redislock lock (Node)"),
    .stored = "string: UUID version 1",
    .proof = provenByRule,
    .prevalence = 34,
    .strings = {TokenFormat::Uuid},
    .matchString = matchUuid1,
};

// RedLock.net: its renewal writes a lock that is gone anew.
constinit const FamilySpec families::redlock_net{
    .name = "redlock-net",
    .noun = QT_TRANSLATE_NOOP("phrases", "RedLock.net lock"),
    .stored = "string: UUID, under `redlock:…`",
    .proof = provenByRule,
    .prevalence = 62,
    .ownerImpact = OwnerImpact::RewritesLock,
    .renews = true,
    .maySpanServers = true,
    .strings = {TokenFormat::Uuid},
    .matchString = matchRedlockUuid,
};

// redlock-rb: a UUID for each acquisition. What extends it writes it anew where it is gone, unless told otherwise.
constinit const FamilySpec families::redlock_rb{
    .name = "redlock-rb",
    .noun = QT_TRANSLATE_NOOP("phrases", "redlock-rb lock"),
    .stored = "string: UUID",
    .proof = provenByRule,
    .prevalence = 38,
    .ownerImpact = OwnerImpact::RewritesLock,
    .maySpanServers = true,
    .strings = {TokenFormat::Uuid},
    .matchString = matchPlainUuid,
};

} // namespace lockscope
