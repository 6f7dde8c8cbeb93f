// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/scriptcall.h"

#include "core/act/acquirerefusal.h"
#include "core/family/certainty.h"
#include "core/family/filecompanions.h"
#include "core/family/forms.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/family/weaktoken.h"
#include "core/redis/deployment/slot.h"

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

/// True if the companions are in the key's slot, as scripts in a cluster require. Redisson's are, unless the
/// lock's own name has braces that are no hash tag.
bool companionsShareSlot(QByteArrayView key)
{
    const qsizetype open = key.indexOf('{');
    return open < 0 ? !key.contains('}') : key.indexOf('}', open) > open + 1;
}

/// True for a possible lock or record: a forced expiry compares its bytes, as for a token of any library.
bool comparesBytes(const ActionRequest &request)
{
    return request.action == Action::ForceExpire && request.family.isUnknown() && request.seen &&
           isComparable(*request.seen);
}

const Scripts &scriptsOf(const ActionRequest &request)
{
    if (!comparesBytes(request))
        return *specOf(request.family).scripts;
    // Of a hash every field is compared, an empty one, too.
    return request.seen->type == KeyType::String ? *specOf(plainToken()).scripts : fieldScripts;
}

QList<LockOwner> expectedOf(const ActionRequest &request)
{
    const auto isSame = [](const LockOwner &a, const LockOwner &b) {
        return isSameHold(a, b) && a.rawHoldCount == b.rawHoldCount;
    };
    if (comparesBytes(request) && std::ranges::equal(request.expected, request.seen->owners, isSame)) {
        QList<LockOwner> fields;
        for (const auto &[field, value] : request.seen->owners.front().recorded->allFields)
            fields.append({OwnerId(field), value, {}});
        if (!fields.isEmpty())
            return fields;
    }
    const auto expected = scriptsOf(request).expected;
    return expected ? expected(request) : request.expected;
}

QList<QByteArray> keysOf(const ActionRequest &request, const QList<LockOwner> &expected,
                         const ServerInfo &server)
{
    const Scripts &scripts = scriptsOf(request);
    const bool isApart = scripts.keysInOtherSlots || !companionsShareSlot(request.key.bytes);
    const bool isAlone = server.mode == "cluster" && isApart;
    const auto more = scripts.keys;
    QList<QByteArray> keys{request.key.bytes};
    if (more)
        keys += more(request, expected, isAlone);
    if (request.action != Action::ForceExpire)
        return keys;
    for (const QByteArray &index : indexKeys(request.family, request.key, expected)) {
        if (server.mode != "cluster" || slotOf(index) == slotOf(request.key.bytes))
            keys.append(index);
    }
    return keys;
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

/// The most time that a lock with a weak token may have left if it is still the one seen; empty for other
/// tokens.
QByteArray maxTimeLeft(const ActionRequest &request)
{
    constexpr milliseconds clocksDiffer(200); // ours and the server's, since it was seen
    if (!request.seen || !scriptsOf(request).comparesTimeLeft || request.expected.size() != 1)
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

/// The arguments before the keywords at the end.
QList<QByteArray> argumentsOf(const ActionRequest &request, const QList<LockOwner> &expected)
{
    const Scripts &scripts = scriptsOf(request);
    switch (request.action) {
    case Action::Acquire: {
        const QList<QByteArray> list{request.owner.bytes, request.lease->inSeconds()};
        return scripts.acquireArguments ? list + scripts.acquireArguments() : list;
    }
    case Action::Extend:
        return {request.owner.bytes, request.lease->inSeconds()};
    case Action::RemoveWaiter:
        return {request.owner.bytes};
    case Action::Wake:
        return {};
    case Action::Release: {
        const QList<QByteArray> list{request.owner.bytes};
        return scripts.releaseArguments ? list + scripts.releaseArguments(request) : list;
    }
    case Action::ForceExpire:
        break;
    }
    QList<QByteArray> list{seconds(request.grace)};
    if (scripts.writesMode)
        list.append(modeSeen(expected));
    if (scripts.canEndSome)
        list.append(request.onlyExpected && !comparesBytes(request) ? "only" : "all");
    for (const LockOwner &holder : expected) // where no count is stored, once is all there is
        list +=
            {storedField(holder, request.family), scripts.keepsCounts ? holder.rawHoldCount : QByteArray()};
    if (scripts.setsFreeField)
        list += freeField(*specOf(request.family).forms);
    if (const QByteArray most = maxTimeLeft(request); !most.isEmpty())
        list.append(most);
    return list;
}

/// True if the expected hold count is impossible for this family.
bool expectsOtherHolds(const Scripts &scripts, const LockOwner &expected)
{
    return !scripts.keepsCounts && !expected.rawHoldCount.isEmpty() && expected.rawHoldCount != "1";
}

bool isNamedTwice(const QList<LockOwner> &expected)
{
    for (qsizetype i = 1; i < expected.size(); ++i) {
        if (isAmong(expected.first(i), expected[i]))
            return true;
    }
    return false;
}

Phrase noScript(const ActionRequest &request)
{
    if (request.action == Action::ForceExpire)
        return Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "A key of the family %1 keeps more than the lock. End the lock with its own application."),
            familyName(request.family));
    if (!isForWaiters(request.action))
        return ownerAlone(request.family);
    return Phrase(QT_TRANSLATE_NOOP("phrases", "Locks of the family %1 have no wait queue."),
                  familyName(request.family));
}

std::optional<Phrase> expectationError(const ActionRequest &request)
{
    const Scripts &scripts = scriptsOf(request);
    const auto isEmpty = [](const LockOwner &holder) { return holder.owner.isEmpty(); };
    const auto isOther = [&scripts](const LockOwner &holder) { return expectsOtherHolds(scripts, holder); };
    const bool mayBeEmpty =
        comparesBytes(request) || (request.seen && std::ranges::any_of(request.seen->owners, isEmpty));
    const bool anyEmpty = !mayBeEmpty && std::ranges::any_of(request.expected, isEmpty);
    if (request.expected.isEmpty() || anyEmpty)
        return Phrase(QT_TRANSLATE_NOOP("phrases", "The owner is missing."));
    if (isNamedTwice(request.expected))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Give each expected owner once."));
    if (std::ranges::any_of(request.expected, isOther))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "The family %1 allows only a hold count of 1."),
                      familyName(request.family));
    return std::nullopt;
}

std::optional<Phrase> graceError(const ActionRequest &request)
{
    const Scripts &scripts = scriptsOf(request);
    if (!request.grace || request.grace->count() == 0)
        return std::nullopt;
    // A grace that can't be written must not turn into none at all.
    if (!Lease::fromMilliseconds(*request.grace))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "The grace period is out of range."));
    if (request.onlyExpected && scripts.canEndSome)
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases", "A grace period applies to all owners. Omit it to expire only some."));
    if (scripts.needsGraceless)
        return Phrase(QT_TRANSLATE_NOOP("phrases", "The family %1 allows no grace period."),
                      familyName(request.family));
    return std::nullopt;
}

/// Checks owner and lease of actions other than force-expire.
std::optional<Phrase> ownerError(const ActionRequest &request)
{
    const Action action = request.action;
    if (request.owner.isEmpty() && action != Action::Wake)
        return action == Action::RemoveWaiter ? Phrase(QT_TRANSLATE_NOOP("phrases", "The waiter is missing."))
                                              : Phrase(QT_TRANSLATE_NOOP("phrases", "The owner is missing."));
    if ((action == Action::Acquire || action == Action::Extend) && !request.lease)
        return Phrase(QT_TRANSLATE_NOOP("phrases", "The lease is missing or invalid."));
    return std::nullopt;
}

} // namespace

std::optional<Phrase> validationError(const ActionRequest &request)
{
    const Scripts &scripts = scriptsOf(request);
    if (request.key.isEmpty())
        return Phrase(QT_TRANSLATE_NOOP("phrases", "The key is missing."));
    if (request.family.isUnknown() && !comparesBytes(request))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Not a recognized lock: no action is possible."));
    if (request.action == Action::Acquire) {
        if (const Phrase reason = acquireRefusal(request.key, request.family); !reason.isEmpty())
            return reason;
    }
    const bool force = request.action == Action::ForceExpire;
    const bool isString = !request.seen || request.seen->type == KeyType::String;
    if (!scriptFile(scripts, request.action).path || (scripts.stringsAlone && !isString && !force))
        return noScript(request);
    if (std::optional<Phrase> error = force ? expectationError(request) : ownerError(request))
        return error;
    if (scripts.validationError) {
        if (std::optional<Phrase> error = scripts.validationError(request))
            return error;
    }
    return force ? graceError(request) : std::nullopt;
}

std::optional<Outcome> mismatchOf(const ActionRequest &request)
{
    if (request.action != Action::ForceExpire || !request.seen)
        return std::nullopt;
    // A string names one owner, and so does a record; of a Redlock group each server may name another.
    const bool isOfOne = request.seen->type == KeyType::String ||
                         (!scriptsOf(request).canEndSome && !isNamedTwice(request.expected));
    const bool namesOne = isOfOne && request.seen->owners.size() < 2;
    if (namesOne && !request.seen->quorum && request.expected.size() > 1)
        return Outcome::OwnerChanged;
    for (const LockOwner &expected : request.expected) {
        if (!expectsOtherHolds(scriptsOf(request), expected))
            continue;
        const QList<LockOwner> &seen = request.seen->owners;
        const bool isThere = std::ranges::find(seen, expected.owner, &LockOwner::owner) != seen.end();
        return isThere ? Outcome::HoldsChanged : Outcome::OwnerChanged;
    }
    return std::nullopt;
}

ScriptCall scriptCall(const ActionRequest &request, const ServerInfo &server, bool isHeardNowhere)
{
    const Scripts &scripts = scriptsOf(request);
    const ScriptFile &file = scriptFile(scripts, request.action);
    const QByteArray path = QByteArray(file.path) + ".lua";
    const QList<LockOwner> expected = expectedOf(request);
    ScriptCall call{path, scriptAt(path), keysOf(request, expected, server), argumentsOf(request, expected)};
    const bool sendsMessages = request.action != Action::Acquire && request.action != Action::Extend;
    if (file.answersByName)
        call.arguments.append("named");
    else if (server.mode == "cluster" && server.major >= 7 && scripts.sendsToShards && sendsMessages)
        call.arguments.append("sharded");
    if (isHeardNowhere)
        call.arguments.append("counted");
    return call;
}

} // namespace lockscope
