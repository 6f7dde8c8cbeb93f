// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/scriptcall.h"

#include "core/lock/family/companion.h"
#include "core/text/effects.h"
#include "core/text/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <unordered_map>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::operations)
};

/// Families that are stored, and woken, alike share their scripts.
enum class Form {
    None,      ///< no script of ours
    Counted,   ///< a hash, an owner a field
    Redisson,  ///< the same, with a channel, and maybe a queue
    ReadWrite, ///< the same, with a mode, a channel and a key for each reader's hold
    Multi,     ///< three fields a locked value, with a channel
    Handoff,   ///< the same as Counted, with a queue that the lock is handed to
    Value,     ///< a string, the owner's token
    Signalled, ///< the same, with a list that waiters block on
    Announced, ///< the same, with a message named like the key
    Members,   ///< a sorted set or a set, an owner a member; of the same families also a string
    Digest,    ///< a hash of jobs, with lists and an index
};

Form formOf(Family family)
{
    switch (family) {
    case Family::Unknown:
    case Family::RedissonSemaphore:
    case Family::RedissonLatch:
        return Form::None;
    case Family::Reentrant:
        return Form::Counted;
    case Family::Redisson:
    case Family::RedissonFair:
    case Family::RedissonFenced:
        return Form::Redisson;
    case Family::RedissonReadWrite:
        return Form::ReadWrite;
    case Family::RedissonMulti:
        return Form::Multi;
    case Family::Handoff:
        return Form::Handoff;
    case Family::PythonRedisLock:
        return Form::Signalled;
    case Family::SpringIntegration:
        return Form::Announced;
    case Family::Symfony:
    case Family::RedisSemaphore:
    case Family::Madelson:
        return Form::Members;
    case Family::SidekiqUniqueJobs:
        return Form::Digest;
    default:
        return Form::Value;
    }
}

/// Some owners' holds can be ended while the lock stays with the others.
bool canEndSome(Form form)
{
    return form == Form::ReadWrite || form == Form::Multi || form == Form::Members || form == Form::Digest;
}

/// The script's path below lua/; empty where there is none.
QByteArray scriptPath(const ActionRequest &request)
{
    const Form form = formOf(request.family);
    const Action action = request.action;
    const bool isValue = form == Form::Value || form == Form::Signalled || form == Form::Announced;
    // What these hold as a string is taken and given back like any other: the scripts find out.
    const bool maybeValue = isValue || request.family == Family::RedisSemaphore;
    switch (form) {
    case Form::None:
        return {};
    case Form::Counted:
        return action == Action::RemoveWaiter ? QByteArray() : "reentrant/" + actionName(action) + ".lua";
    case Form::Redisson:
        return action == Action::Extend ? "reentrant/extend.lua"
                                        : "redisson-fair/" + actionName(action) + ".lua";
    case Form::Handoff:
        return action == Action::Extend ? "reentrant/extend.lua" : "handoff/" + actionName(action) + ".lua";
    default:
        break;
    }
    if (action == Action::RemoveWaiter)
        return {};
    if (action == Action::ForceExpire) {
        switch (form) {
        case Form::ReadWrite:
            return "redisson-read-write/force-expire.lua";
        case Form::Multi:
            return "redisson-multi/force-expire.lua";
        case Form::Signalled:
            return "python-redis-lock/force-expire.lua";
        case Form::Announced:
            return "spring-integration/force-expire.lua";
        case Form::Members:
            return "members/force-expire.lua";
        case Form::Digest:
            return "sidekiq-unique-jobs/force-expire.lua";
        default:
            return "token/force-expire.lua";
        }
    }
    if (!maybeValue || factsOf(request.family).taking == Taking::IsJob)
        return {};
    if (action == Action::Release && form == Form::Signalled)
        return "python-redis-lock/release.lua";
    if (action == Action::Release && form == Form::Announced)
        return "spring-integration/release.lua";
    return "token/" + actionName(action) + ".lua";
}

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

/// The field in which a read-write lock keeps that hold: a writer's carries the mode behind the thread.
QByteArray readWriteField(const Holder &holder)
{
    QByteArray field = holder.owner.bytes;
    if (holder.mode != HoldMode::Write)
        return field;
    const qsizetype thread = field.indexOf(':');
    const qsizetype transaction = thread < 0 ? -1 : field.indexOf(':', thread + 1);
    return field.insert(transaction < 0 ? field.size() : transaction, ":write");
}

/// The holds that are to be ended. Who names an owner alone means each of the ways in which it was seen to hold.
QList<Holder> expectedHolds(const ActionRequest &request)
{
    QList<Holder> list;
    for (const Holder &expected : request.expected) {
        const qsizetype before = list.size();
        if (expected.mode == HoldMode::Exclusive && request.seen) {
            for (Holder seen : request.seen->holders) {
                if (seen.owner != expected.owner)
                    continue;
                seen.countText = expected.countText;
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
QList<QByteArray> timeoutKeys(const LockKey &lock, const Holder &reader, qint64 levels)
{
    QList<QByteArray> keys;
    const QByteArray name = redissonSuffixed(lock.bytes, reader.owner.bytes + ":rwlock_timeout:");
    for (qint64 level = 1; level <= levels; ++level)
        keys.append(name + QByteArray::number(level));
    return keys;
}

QList<QByteArray> readWriteKeys(const ActionRequest &request, const QList<Holder> &expected)
{
    QList<QByteArray> ended;
    QList<QByteArray> stay;
    const auto isEnded = [&](const Holder &holder) {
        return std::ranges::any_of(expected, [&](const Holder &other) {
            return other.owner == holder.owner && other.mode == holder.mode;
        });
    };
    const QList<Holder> seen = request.seen ? request.seen->holders : expected;
    for (const Holder &holder : seen) {
        QList<QByteArray> &keys = isEnded(holder) ? ended : stay;
        if (holder.mode != HoldMode::Write)
            keys += timeoutKeys(request.key, holder,
                                std::clamp<qint64>(holder.holds.value_or(0), 0, mostTimeouts - keys.size()));
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

QList<QByteArray> keysOf(const ActionRequest &request, const QList<Holder> &expected,
                         const ServerInfo &server)
{
    const QByteArray &key = request.key.bytes;
    const Action action = request.action;
    const bool alone = server.mode == "cluster" && !companionsShareSlot(key);
    switch (formOf(request.family)) {
    case Form::Redisson: {
        const RedissonKeys beside(request.key);
        if (action == Action::Extend || (alone && action != Action::RemoveWaiter))
            return {key};
        return {key, beside.queue, action == Action::Acquire ? beside.fence : beside.timeouts};
    }
    case Form::ReadWrite:
        return alone ? QList<QByteArray>{key} : QList<QByteArray>{key} + readWriteKeys(request, expected);
    case Form::Handoff: {
        const HandoffKeys beside(request.key);
        return action == Action::Extend ? QList<QByteArray>{key}
                                        : QList<QByteArray>{key, beside.queue, beside.waiters, beside.fence};
    }
    case Form::Signalled:
        if (action == Action::Release || action == Action::ForceExpire)
            return {key, "lock-signal:" + key.sliced(signalledPrefix.size())};
        return {key};
    case Form::Digest:
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

QByteArray modeSeen(const QList<Holder> &expected)
{
    const auto any = [&](HoldMode mode) {
        return std::ranges::any_of(expected, [mode](const Holder &h) { return h.mode == mode; });
    };
    return any(HoldMode::Write) ? "write" : "";
}

/// What comes before the words at the end.
QList<QByteArray> argumentsOf(const ActionRequest &request, const QList<Holder> &expected)
{
    const Form form = formOf(request.family);
    switch (request.action) {
    case Action::Acquire:
        if (form == Form::Handoff) // without patience it does not queue, nor overtake anyone
            return {request.owner.bytes, request.lease->inSeconds(), {}, "next"};
        return {request.owner.bytes, request.lease->inSeconds()};
    case Action::Extend:
        return {request.owner.bytes, request.lease->inSeconds()};
    case Action::RemoveWaiter:
        return {request.owner.bytes};
    case Action::Release: {
        const QByteArray lease = request.lease ? request.lease->inSeconds() : QByteArray();
        if (form == Form::Redisson)
            return {request.owner.bytes, lease, request.allLevels ? "all" : "one"};
        if (form == Form::Handoff)
            return {request.owner.bytes, lease, request.allLevels ? "all" : ""};
        if (form != Form::Counted)
            return {request.owner.bytes};
        return request.allLevels ? QList<QByteArray>{request.owner.bytes, lease, "all"}
                                 : QList<QByteArray>{request.owner.bytes, lease};
    }
    case Action::ForceExpire:
        break;
    }
    QList<QByteArray> list{seconds(request.grace)};
    if (form == Form::ReadWrite)
        list.append(modeSeen(expected));
    if (canEndSome(form))
        list.append(request.onlyExpected ? "only" : "all");
    for (const Holder &holder : expected)
        list += {form == Form::ReadWrite ? readWriteField(holder) : holder.owner.bytes, holder.countText};
    return list;
}

/// The scripts of the first families answer in two ways, and are told which; the others have names only.
bool isToldToName(const QByteArray &path)
{
    return path.startsWith("reentrant/") || path.startsWith("token/");
}

bool tellsShards(Form form, Action action)
{
    if (action == Action::Acquire || action == Action::Extend)
        return false;
    return form == Form::Redisson || form == Form::ReadWrite || form == Form::Multi;
}

} // namespace

std::optional<QString> flaw(const ActionRequest &request)
{
    const Action action = request.action;
    const bool force = action == Action::ForceExpire;
    const Form form = formOf(request.family);
    if (request.key.isEmpty())
        return Words::tr("The key is empty: name the lock.");
    if (request.family == Family::Unknown)
        return Words::tr("No family is known for this key, so there is no script that could act on it.");
    if (action == Action::Acquire) {
        if (const QString reason = acquireRefusal(request.family); !reason.isEmpty())
            return reason;
    }
    if (scriptPath(request).isEmpty()) {
        const QString family = QString::fromLatin1(familyName(request.family));
        if (action == Action::RemoveWaiter)
            return Words::tr("A lock of the family %1 has no queue that a waiter could be removed from.")
                .arg(family);
        if (form == Form::None)
            return Words::tr("A %1 keeps no owners, only a count, so nobody's share of it can be ended here.")
                .arg(family);
        return Words::tr(
                   "A lock of the family %1 can't be released or extended for its owner here; its owner "
                   "can, and force-expire can end it.")
            .arg(family);
    }
    if (!force && request.owner.isEmpty())
        return action == Action::RemoveWaiter
                   ? Words::tr("The waiter is empty: say who is to leave the queue.")
                   : Words::tr("The owner is empty: say who holds, or is to hold, the lock.");
    if ((action == Action::Acquire || action == Action::Extend) && !request.lease)
        return Words::tr("A lease is needed: more than 0 seconds.");
    if ((form == Form::Signalled && !request.key.bytes.startsWith(signalledPrefix)) ||
        (form == Form::Digest && !request.key.bytes.endsWith(lockedSuffix)))
        return Words::
            tr("The family %1 does not name its locks so: what belongs to this one can't be found. Choose "
               "another family.")
                .arg(QString::fromLatin1(familyName(request.family)));
    if (!force)
        return std::nullopt;
    if (request.expected.isEmpty() ||
        std::ranges::any_of(request.expected, [](const Holder &holder) { return holder.owner.isEmpty(); }))
        return Words::tr("The owner that was seen is needed.");
    const bool grace = request.grace && request.grace->count() != 0;
    // A grace that can't be written must not turn into none at all.
    if (grace && !Lease::fromMilliseconds(*request.grace))
        return Words::tr("The grace is out of range: give more than 0 seconds.");
    if (grace && request.onlyExpected && canEndSome(form))
        return Words::tr(
            "The hold of some of the owners can be ended at once only, since the time left is that of "
            "all: leave the grace out.");
    if (grace && form == Form::Digest)
        return Words::tr("A job's lock can be ended at once only: leave the grace out.");
    return std::nullopt;
}

ScriptCall scriptCall(const ActionRequest &request, const ServerInfo &server)
{
    const QByteArray path = scriptPath(request);
    const QList<Holder> expected =
        formOf(request.family) == Form::ReadWrite ? expectedHolds(request) : request.expected;
    ScriptCall call{scriptAt(path), keysOf(request, expected, server), argumentsOf(request, expected)};
    if (isToldToName(path))
        call.arguments.append("named");
    else if (server.mode == "cluster" && server.major >= 7 &&
             tellsShards(formOf(request.family), request.action))
        call.arguments.append("sharded");
    return call;
}

} // namespace lockscope
