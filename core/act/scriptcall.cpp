// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/scriptcall.h"

#include "core/act/acquirerefusal.h"
#include "core/act/scripttable.h"
#include "core/family/companionkeys.h"
#include "core/family/family.h"
#include "core/family/ownerfacts.h"
#include "core/family/recognize.h"
#include "core/family/shapes.h"
#include "core/family/weaktoken.h"

#include <algorithm>
#include <unordered_map>

namespace lockscope {

namespace {

const Script *scriptAt(const QByteArray &path)
{
    thread_local std::unordered_map<QByteArray, Script> read; // from the program itself: once is enough
    auto found = read.find(path);
    if (found == read.end())
        found = read.emplace(path, Script(path)).first;
    return &found->second;
}

/// In a cluster a script may touch the keys of one slot only. Redisson's names beside a lock share the lock's, except
/// where the lock's own name has braces that are no tag.
bool companionsShareSlot(QByteArrayView key)
{
    const qsizetype open = key.indexOf('{');
    return open < 0 ? !key.contains('}') : key.indexOf('}', open) > open + 1;
}

/// The holds that are to be ended. Who names an owner alone means each of the ways in which it was seen to hold.
QList<LockOwner> expectedHolds(const ActionRequest &request)
{
    QList<LockOwner> list;
    for (const LockOwner &expected : request.expected) {
        const qsizetype before = list.size();
        if (expected.mode == HoldMode::Exclusive && request.seen) {
            for (LockOwner seen : request.seen->owners) {
                if (seen.owner != expected.owner)
                    continue;
                seen.rawHoldCount = expected.rawHoldCount;
                list.append(seen);
            }
        }
        if (list.size() == before)
            list.append(expected);
    }
    return list;
}

constexpr qint64 mostTimeouts = 1000;

/// The keys of a reader's holds, one for each level.
QList<QByteArray> timeoutKeys(const LockKey &lock, const LockOwner &reader, qint64 levels)
{
    QList<QByteArray> keys;
    const QByteArray name = redissonSuffixed(lock.bytes, reader.owner.bytes + ":rwlock_timeout:");
    for (qint64 level = 1; level <= levels; ++level)
        keys.append(name + QByteArray::number(level));
    return keys;
}

QList<QByteArray> readWriteKeys(const ActionRequest &request, const QList<LockOwner> &expected)
{
    QList<QByteArray> ended;
    QList<QByteArray> stay;
    const auto isEnded = [&](const LockOwner &holder) {
        return std::ranges::any_of(expected, [&](const LockOwner &other) {
            return other.owner == holder.owner && other.mode == holder.mode;
        });
    };
    const QList<LockOwner> seen = request.seen ? request.seen->owners : expected;
    for (const LockOwner &holder : seen) {
        QList<QByteArray> &keys = isEnded(holder) ? ended : stay;
        if (holder.mode != HoldMode::Write)
            keys +=
                timeoutKeys(request.key, holder,
                            std::clamp<qint64>(holder.holdCount.value_or(0), 0, mostTimeouts - keys.size()));
    }
    // Those that stay tell how long the lock is to last: all of them, or none.
    return request.onlyExpected && stay.size() < mostTimeouts ? ended + stay : ended;
}

constexpr QByteArrayView signalledPrefix = "lock:";
constexpr QByteArrayView lockedSuffix = ":LOCKED";
constexpr QByteArrayView runSuffix = ":RUN";

/// What sidekiq-unique-jobs keeps of a digest, and of the lock for the time of running that goes with it.
QList<QByteArray> digestKeys(const QByteArray &key)
{
    const QByteArray digest = key.chopped(lockedSuffix.size());
    // An application may have one for all of its keys.
    const QByteArray space = key.first(std::max<qsizetype>(key.indexOf("uniquejobs:"), 0));
    const auto five = [](const QByteArray &name) {
        return QList<QByteArray>{name + ":LOCKED", name, name + ":QUEUED", name + ":PRIMED", name + ":INFO"};
    };
    const QList<QByteArray> keys =
        five(digest) + QList<QByteArray>{space + "uniquejobs:digests", space + "uniquejobs:expiring_digests"};
    return digest.endsWith(runSuffix) ? keys : keys + five(digest + ":RUN");
}

QList<QByteArray> keysOf(const ActionRequest &request, const QList<LockOwner> &expected,
                         const ServerInfo &server)
{
    const QByteArray &key = request.key.bytes;
    const Action action = request.action;
    const bool alone = server.mode == "cluster" && !companionsShareSlot(key);
    switch (formOf(request.family)) {
    case StorageLayout::Redisson: {
        const RedissonKeys beside(request.key);
        if (action == Action::Extend || (alone && action != Action::RemoveWaiter))
            return {key};
        return {key, beside.queue, action == Action::Acquire ? beside.fence : beside.timeouts};
    }
    case StorageLayout::ReadWrite:
        return alone ? QList<QByteArray>{key} : QList<QByteArray>{key} + readWriteKeys(request, expected);
    case StorageLayout::Handoff: {
        const HandoffKeys beside(request.key);
        return action == Action::Extend ? QList<QByteArray>{key}
                                        : QList<QByteArray>{key, beside.queue, beside.waiters, beside.fence};
    }
    case StorageLayout::Signalled:
        if (action == Action::Release || action == Action::ForceExpire)
            return {key, "lock-signal:" + key.sliced(signalledPrefix.size())};
        return {key};
    case StorageLayout::Permits:
        return {key, redissonSuffixed(key, "timeout")};
    case StorageLayout::Queued:
        if (action == Action::Release || action == Action::ForceExpire)
            return {key, key + ":queue"};
        return {key};
    case StorageLayout::Digest:
        return digestKeys(key);
    default:
        return {key};
    }
}

QByteArray seconds(const std::optional<milliseconds> &duration)
{
    const std::optional<Lease> lease = duration ? Lease::fromMilliseconds(*duration) : std::nullopt;
    return lease ? lease->inSeconds() : QByteArray();
}

QByteArray modeSeen(const QList<LockOwner> &expected)
{
    const auto any = [&](HoldMode mode) {
        return std::ranges::any_of(expected, [mode](const LockOwner &h) { return h.mode == mode; });
    };
    return any(HoldMode::Write) ? "write" : "";
}

/// How much time a lock with a weak token may have left at most, if it is still the one that was seen; empty where its
/// token tells.
QByteArray mostTimeLeft(const ActionRequest &request)
{
    constexpr milliseconds clocksDiffer(200); // ours and the server's, since it was seen
    if (!request.seen || !comparesTimeLeft(formOf(request.family)) || request.expected.size() != 1)
        return {};
    // Of what looks like no lock no holder is told: who ends it by its value names that.
    const bool isWeak = mayRepeat(weakToken(request.key, request.expected.front().owner.bytes));
    const Lock &seen = *request.seen;
    if (!isWeak || seen.ttl.value_or(milliseconds(0)) > Deadline::horizon)
        return {};
    return "pttl<=" + QByteArray::number(seen.deadline
                                             ? (seen.deadline->remaining(Clock::now()) + clocksDiffer).count()
                                             : -1);
}

/// What comes before the words at the end.
QList<QByteArray> argumentsOf(const ActionRequest &request, const QList<LockOwner> &expected)
{
    const StorageLayout form = formOf(request.family);
    switch (request.action) {
    case Action::Acquire:
        if (form == StorageLayout::Handoff) // without patience it does not queue, nor overtake anyone
            return {request.owner.bytes, request.lease->inSeconds(), {}, "next"};
        return {request.owner.bytes, request.lease->inSeconds()};
    case Action::Extend:
        return {request.owner.bytes, request.lease->inSeconds()};
    case Action::RemoveWaiter:
        return {request.owner.bytes};
    case Action::Release: {
        const QByteArray lease = request.lease ? request.lease->inSeconds() : QByteArray();
        if (form == StorageLayout::Redisson)
            return {request.owner.bytes, lease, request.allLevels ? "all" : "one"};
        if (form == StorageLayout::Handoff)
            return {request.owner.bytes, lease, request.allLevels ? "all" : ""};
        if (form != StorageLayout::Counted)
            return {request.owner.bytes};
        return request.allLevels ? QList<QByteArray>{request.owner.bytes, lease, "all"}
                                 : QList<QByteArray>{request.owner.bytes, lease};
    }
    case Action::ForceExpire:
        break;
    }
    QList<QByteArray> list{seconds(request.grace)};
    if (form == StorageLayout::ReadWrite)
        list.append(modeSeen(expected));
    if (canEndSome(form))
        list.append(request.onlyExpected ? "only" : "all");
    for (const LockOwner &holder : expected) // where no count is stored, once is all there is
        list += {form == StorageLayout::ReadWrite ? storedField(holder) : holder.owner.bytes,
                 keepsCounts(form) ? holder.rawHoldCount : QByteArray()};
    if (const QByteArray most = mostTimeLeft(request); !most.isEmpty())
        list.append(most);
    return list;
}

/// A count is expected that no lock of this form can have.
bool expectsOtherHolds(StorageLayout form, const LockOwner &expected)
{
    return !keepsCounts(form) && !expected.rawHoldCount.isEmpty() && expected.rawHoldCount != "1";
}

bool isNamedTwice(const QList<LockOwner> &expected)
{
    for (qsizetype i = 1; i < expected.size(); ++i) {
        const auto same = [&](const LockOwner &other) {
            return other.owner == expected[i].owner && other.mode == expected[i].mode;
        };
        if (std::any_of(expected.begin(), expected.begin() + i, same))
            return true;
    }
    return false;
}

} // namespace

std::optional<Phrase> validationError(const ActionRequest &request)
{
    const Action action = request.action;
    const bool force = action == Action::ForceExpire;
    const StorageLayout form = formOf(request.family);
    if (request.key.isEmpty())
        return Phrase(QT_TRANSLATE_NOOP("phrases", "The key is empty: name the lock."));
    if (request.family == Family::Unknown)
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases", "This is not a recognized lock: Lockscope has no script that could act on it, and "
                       "nothing was sent."));
    if (action == Action::Acquire) {
        if (const Phrase reason = acquireRefusal(request.key, request.family); !reason.isEmpty())
            return reason;
    }
    if (scriptName(form, action).isEmpty()) {
        const QByteArray family = familyName(request.family);
        if (action == Action::RemoveWaiter)
            return Phrase(
                QT_TRANSLATE_NOOP(
                    "phrases", "A lock of the family %1 has no queue that a waiter could be removed from."),
                family);
        return Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "A lock of the family %1 can't be released or extended for its owner here; its owner "
                "can, and force-expire can end it."),
            family);
    }
    if (action == Action::Acquire && form == StorageLayout::Redisson && !request.owner.isEmpty() &&
        ownerFacts(Family::Redisson, request.key, request.owner).client.isEmpty())
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases",
            "Redisson's owners are a UUID, a colon and a number, as in "
            "7c9e6679-7425-40de-944b-e07fc1f90ae7:1. Under another id its waiters would not be woken "
            "at the end: choose such an owner."));
    if (form == StorageLayout::Semaphore && !force && request.seen && request.seen->type != KeyType::String)
        return Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "A lock of the family %1 can't be released or extended for its owner here; its owner "
                "can, and force-expire can end it."),
            familyName(request.family));
    if (!force && request.owner.isEmpty())
        return action == Action::RemoveWaiter
                   ? Phrase(
                         QT_TRANSLATE_NOOP("phrases", "The waiter is empty: say who is to leave the queue."))
                   : Phrase(QT_TRANSLATE_NOOP("phrases",
                                              "The owner is empty: say who holds, or is to hold, the lock."));
    if ((action == Action::Acquire || action == Action::Extend) && !request.lease)
        return Phrase(QT_TRANSLATE_NOOP("phrases", "A lease is needed: more than 0 seconds."));
    if ((form == StorageLayout::Signalled && !request.key.bytes.startsWith(signalledPrefix)) ||
        (form == StorageLayout::Digest && !request.key.bytes.endsWith(lockedSuffix)))
        return Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "The family %1 does not name its locks so: what belongs to this one can't be found. Choose "
                "another family."),
            familyName(request.family));
    if (!force)
        return std::nullopt;
    if (request.expected.isEmpty() ||
        std::ranges::any_of(request.expected, [](const LockOwner &holder) { return holder.owner.isEmpty(); }))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "The owner that was seen is needed."));
    if (isNamedTwice(request.expected))
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases", "The same owner is given twice: name every owner that was seen once."));
    if (std::ranges::any_of(request.expected,
                            [form](const LockOwner &holder) { return expectsOtherHolds(form, holder); }))
        return Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "Each owner of a lock of the family %1 holds it once: leave the holds out, or say 1."),
            familyName(request.family));
    const auto isPermit = [](const LockOwner &holder) { return holder.owner.bytes.size() == permitIdLength; };
    if (form == StorageLayout::Permits && !std::ranges::all_of(request.expected, isPermit))
        return request.seen && !request.seen->beside->permits.isEmpty()
                   ? Phrase(QT_TRANSLATE_NOOP(
                         "phrases", "Its owners are permits: give the id of one that it has, in hex as "
                                    "applications log it."))
                   : Phrase(QT_TRANSLATE_NOOP(
                         "phrases",
                         "This semaphore keeps no owners, only a count of what is free: nobody's share "
                         "of it can be ended here."));
    const bool grace = request.grace && request.grace->count() != 0;
    // A grace that can't be written must not turn into none at all.
    if (grace && !Lease::fromMilliseconds(*request.grace))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "The grace is out of range: give more than 0 seconds."));
    if (grace && request.onlyExpected && canEndSome(form))
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases",
            "The hold of some of the owners can be ended at once only, since the time left is that of "
            "all: leave the grace out."));
    if (grace &&
        (form == StorageLayout::Digest || form == StorageLayout::Latch || form == StorageLayout::Permits))
        return Phrase(
            QT_TRANSLATE_NOOP("phrases",
                              "A lock of the family %1 can be ended at once only: leave the grace out."),
            familyName(request.family));
    return std::nullopt;
}

std::optional<Outcome> mismatchOf(const ActionRequest &request)
{
    if (request.action != Action::ForceExpire || !request.seen)
        return std::nullopt;
    for (const LockOwner &expected : request.expected) {
        if (!expectsOtherHolds(formOf(request.family), expected))
            continue;
        const QList<LockOwner> &seen = request.seen->owners;
        const bool isThere = std::ranges::find(seen, expected.owner, &LockOwner::owner) != seen.end();
        return isThere ? Outcome::HoldsChanged : Outcome::OwnerChanged;
    }
    return std::nullopt;
}

ScriptCall scriptCall(const ActionRequest &request, const ServerInfo &server)
{
    const QByteArray path = scriptName(formOf(request.family), request.action) + ".lua";
    const QList<LockOwner> expected =
        formOf(request.family) == StorageLayout::ReadWrite ? expectedHolds(request) : request.expected;
    ScriptCall call{path, scriptAt(path), keysOf(request, expected, server), argumentsOf(request, expected)};
    if (takesNamedArgument(path))
        call.arguments.append("named");
    else if (server.mode == "cluster" && server.major >= 7 &&
             usesShardedPubSub(formOf(request.family), request.action))
        call.arguments.append("sharded");
    return call;
}

} // namespace lockscope
