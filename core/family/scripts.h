// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/model/actionrequest.h"

namespace lockscope {

/// A file of lua/, below it and without the ending; nullptr: nothing of ours does it.
struct ScriptFile
{
    const char *path = nullptr;
    bool answersByName = false; ///< it answers in two ways, and is to be told "named"
};

/// How an action's script is called. Families that are stored, and woken, alike share one of these.
struct Scripts
{
    ScriptFile acquire{};
    ScriptFile release{};
    ScriptFile extend{};
    ScriptFile forceExpire{};
    ScriptFile removeWaiter{};
    ScriptFile wake{};

    bool keepsCounts = false; ///< a count of holds is stored with each owner; else each holds once
    bool canEndSome = false;  ///< some owners' holds can be ended alone: the script is told "only" or "all"
    bool comparesTimeLeft = false; ///< force-expire compares the time left where tokens tell little
    bool sendsToShards = false; ///< in a cluster its messages go to the shard too, where it is told "sharded"
    bool writesMode = false;    ///< force-expire is told whether a writer was seen
    bool keysInOtherSlots =
        false; ///< the further keys are not in the lock's slot: in a cluster they are left out
    bool stringsAlone = false;   ///< of other types nothing but force-expire is possible
    bool needsGraceless = false; ///< force-expire ends at once only
    bool setsFreeField = false;  ///< force-expire is told which field says that nobody holds, and how

    /// The keys after the lock's own that the script may touch; nullptr: none. `isAlone`: the lock's companions are in
    /// other slots of a cluster, and must not be named.
    QByteArrayList (*keys)(const ActionRequest &request, const QList<LockOwner> &expected,
                           bool isAlone) = nullptr;
    const char *channels = nullptr; ///< a glob of those that scripts publish to, where the family tells none
    /// What acquire takes after owner and lease.
    QByteArrayList (*acquireArguments)() = nullptr;
    /// What release takes after the owner; nullptr: nothing.
    QByteArrayList (*releaseArguments)(const ActionRequest &request) = nullptr;
    /// The holds that force-expire is to end, of those that were named; nullptr: those.
    QList<LockOwner> (*expected)(const ActionRequest &request) = nullptr;
    /// Why the request can't be for such a lock; nullopt where it can.
    std::optional<Phrase> (*validationError)(const ActionRequest &request) = nullptr;
};

const ScriptFile &scriptFile(const Scripts &scripts, Action action);

// Those of several families. Each of the other sets stands in its family's file.
/// A string, the owner's token.
inline constexpr Scripts tokenScripts{.acquire = {"token/acquire", true},
                                      .release = {"token/release", true},
                                      .extend = {"token/extend", true},
                                      .forceExpire = {"token/force-expire", true},
                                      .comparesTimeLeft = true};
/// The same, of a job: its worker alone releases it.
inline constexpr Scripts jobScripts{.forceExpire = {"token/force-expire", true}};
/// A sorted set or a set, an owner a member; or a string.
inline constexpr Scripts memberScripts{.forceExpire = {"members/force-expire"}, .canEndSome = true};
/// A hash, an owner a field, whatever its value says.
inline constexpr Scripts fieldScripts{
    .forceExpire = {"fields/force-expire"}, .keepsCounts = true, .canEndSome = true};
/// A hash that is one owner's, of which a field names the owner.
inline constexpr Scripts recordScripts{.forceExpire = {"record/force-expire"}, .keepsCounts = true};
/// The same where more is kept in the hash: a field then says that nobody holds.
inline constexpr Scripts setFieldScripts{.forceExpire = {"set-field/force-expire"},
                                         .keepsCounts = true,
                                         .needsGraceless = true,
                                         .setsFreeField = true};
/// A string that counts holds without owners: a release ends one of them.
inline constexpr Scripts counterScripts{.release = {"counter/release"},
                                        .extend = {"token/extend", true},
                                        .forceExpire = {"token/force-expire", true},
                                        .comparesTimeLeft = true};
/// Nothing of ours ends such a lock: what is stored with it would go, too.
inline constexpr Scripts noScripts{};
/// A string, or a sorted set whose owners are their library's alone.
inline constexpr Scripts redisSemaphoreScripts{.acquire = {"token/acquire", true},
                                               .release = {"token/release", true},
                                               .extend = {"token/extend", true},
                                               .forceExpire = {"members/force-expire"},
                                               .canEndSome = true,
                                               .stringsAlone = true};
/// The queue of a fair lock goes with it.
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
/// Those who wait hear a message that names the key.
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

/// What release takes of a lock that counts: the lease of what stays, and whether every level ends.
QByteArrayList leaseOfTheRest(const ActionRequest &request);
QByteArrayList leaseAndLevels(const ActionRequest &request); ///< and "all" or "one"

/// Why requests are refused: the key has not the form that the family's names have; its owners alone can do that.
Phrase namedOtherwise(Family family);
Phrase ownerAlone(Family family);

} // namespace lockscope
