// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/model/actionrequest.h"

namespace lockscope {

struct ScriptFile
{
    const char *path = nullptr; ///< relative to lua/, without .lua; nullptr: the action is not supported
    bool answersByName = false; ///< takes "named" as its last argument to answer with an outcome's name
};

/// The scripts of a family's actions, and their arguments. Families with equal storage and wake-up share one.
struct Scripts
{
    ScriptFile acquire{};
    ScriptFile release{};
    ScriptFile extend{};
    ScriptFile forceExpire{};
    ScriptFile removeWaiter{};
    ScriptFile wake{};

    bool keepsCounts = false;      ///< a hold count is stored with each owner; otherwise it is 1
    bool canEndSome = false;       ///< force-expire takes "only" (some owners) or "all"
    bool comparesTimeLeft = false; ///< force-expire compares the time left if the token is weak
    bool sendsToShards = false;    ///< in a cluster the scripts take "sharded" to publish with SPUBLISH too
    bool writesMode = false;       ///< force-expire takes "write" if a writer was seen
    bool keysInOtherSlots = false; ///< further keys are in other slots: left out in a cluster
    bool stringsAlone = false;     ///< other types support force-expire only
    bool needsGraceless = false;   ///< force-expire takes no grace period
    bool setsFreeField = false;    ///< force-expire takes the field that means "free", and its value

    /// The script's keys after the lock's own; nullptr: none. `isAlone`: companion keys are in other slots of a cluster and
    /// must not be passed.
    QByteArrayList (*keys)(const ActionRequest &request, const QList<LockOwner> &expected,
                           bool isAlone) = nullptr;
    const char *channels =
        nullptr; ///< glob of the channels that the scripts publish to, if not known from the family
    /// Arguments of acquire after owner and lease.
    QByteArrayList (*acquireArguments)() = nullptr;
    /// Arguments of release after the owner; nullptr: none.
    QByteArrayList (*releaseArguments)(const ActionRequest &request) = nullptr;
    /// The holds that force-expire ends, from the request's; nullptr: all of these.
    QList<LockOwner> (*expected)(const ActionRequest &request) = nullptr;
    /// The reason to reject a request; nullopt: it is valid.
    std::optional<Phrase> (*validationError)(const ActionRequest &request) = nullptr;
};

const ScriptFile &scriptFile(const Scripts &scripts, Action action);

// Sets used by several families. The others are in their family's file.
/// A string that is the owner's token.
inline constexpr Scripts tokenScripts{.acquire = {"token/acquire", true},
                                      .release = {"token/release", true},
                                      .extend = {"token/extend", true},
                                      .forceExpire = {"token/force-expire", true},
                                      .comparesTimeLeft = true};
/// A token of a job, which only its worker releases.
inline constexpr Scripts jobScripts{.forceExpire = {"token/force-expire", true}};
/// A set or sorted set with a member for each owner, or a string.
inline constexpr Scripts memberScripts{.forceExpire = {"members/force-expire"}, .canEndSome = true};
/// A hash with a field for each owner; its value is compared as bytes.
inline constexpr Scripts fieldScripts{
    .forceExpire = {"fields/force-expire"}, .keepsCounts = true, .canEndSome = true};
/// A hash of one owner, named in a field.
inline constexpr Scripts recordScripts{.forceExpire = {"record/force-expire"}, .keepsCounts = true};
/// A hash that keeps more than the lock: a field is set to mean "free".
inline constexpr Scripts setFieldScripts{.forceExpire = {"set-field/force-expire"},
                                         .keepsCounts = true,
                                         .needsGraceless = true,
                                         .setsFreeField = true};
/// A string that counts holds without owners: a release ends one of them.
inline constexpr Scripts counterScripts{.release = {"counter/release"},
                                        .extend = {"token/extend", true},
                                        .forceExpire = {"token/force-expire", true},
                                        .comparesTimeLeft = true};
/// No scripts: an end would delete other data stored with the lock.
inline constexpr Scripts noScripts{};
/// A string, or a sorted set that only its library writes.
inline constexpr Scripts redisSemaphoreScripts{.acquire = {"token/acquire", true},
                                               .release = {"token/release", true},
                                               .extend = {"token/extend", true},
                                               .forceExpire = {"members/force-expire"},
                                               .canEndSome = true,
                                               .stringsAlone = true};
/// A fair lock's queue, which is deleted with it.
inline QByteArrayList fairQueue(const ActionRequest &request, const QList<LockOwner> &, bool)
{
    const bool ends = request.action == Action::Release || request.action == Action::ForceExpire;
    return ends ? QByteArrayList{request.key.bytes + ":queue"} : QByteArrayList();
}
inline constexpr Scripts redlock4jScripts{.acquire = {"token/acquire", true},
                                          .release = {"redlock4j/release"},
                                          .extend = {"token/extend", true},
                                          .forceExpire = {"redlock4j/force-expire"},
                                          .keys = fairQueue};
/// Waiters receive a message that names the key.
inline constexpr Scripts simpleRedisMutexScripts{.acquire = {"token/acquire", true},
                                                 .release = {"simple-redis-mutex/release"},
                                                 .extend = {"token/extend", true},
                                                 .forceExpire = {"simple-redis-mutex/force-expire"},
                                                 .channels = "@simple-redis-mutex:locks-releases"};
inline constexpr Scripts springIntegrationScripts{.acquire = {"token/acquire", true},
                                                  .release = {"spring-integration/release"},
                                                  .extend = {"token/extend", true},
                                                  .forceExpire = {"spring-integration/force-expire"},
                                                  .channels = "*-channel:*"};

/// Arguments of release for a lock that counts holds: the lease of the remaining holds.
QByteArrayList leaseOfTheRest(const ActionRequest &request);
QByteArrayList leaseAndLevels(const ActionRequest &request); ///< followed by "all" or "one"

/// Reasons to reject a request: the key's name does not fit the family; only an owner can do it.
Phrase namedOtherwise(Family family);
Phrase ownerAlone(Family family);

} // namespace lockscope
