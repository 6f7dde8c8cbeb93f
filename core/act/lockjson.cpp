// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/lockjson.h"

#include "core/act/actionnames.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/ownerfacts.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/family/weaktoken.h"
#include "core/model/names.h"
#include "core/model/quorummerge.h"
#include "core/state/lockstate.h"
#include "core/state/verdict.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lockscope {

namespace {

QJsonObject waitersJson(const Waiters &waiters)
{
    QJsonObject object{{QStringLiteral("count"), waiters.count},
                       {QStringLiteral("certainty"), waiters.certainty == WaiterCertainty::Exact
                                                         ? QStringLiteral("exact")
                                                         : QStringLiteral("at-least")}};
    if (waiters.certainty != WaiterCertainty::Exact)
        return object;
    // Each as text, and all of them exactly where one is no text.
    QJsonArray ids;
    QJsonArray exact;
    bool isText = true;
    for (const Waiter &waiter : waiters.queue) {
        isText = isText && isValidUtf8(waiter.id.bytes);
        ids.append(lossless(waiter.id.bytes));
        exact.append(QString::fromLatin1(waiter.id.bytes.toBase64()));
    }
    object[QStringLiteral("ids")] = ids;
    if (!isText)
        object[QStringLiteral("ids_base64")] = exact;
    return object;
}

QJsonArray arrayOf(const QByteArrayList &names)
{
    QJsonArray array;
    for (const QByteArray &name : names)
        array.append(QString::fromLatin1(name));
    return array;
}

QJsonArray namesOf(EvidenceSet evidence)
{
    QJsonArray names;
    for (const Evidence one : evidenceList(evidence))
        names.append(QString::fromLatin1(evidenceName(one)));
    return names;
}

QJsonArray problemsJson(Problems problems)
{
    QJsonArray names;
    for (const Problem problem : problemList(problems))
        names.append(QString::fromLatin1(problemName(problem)));
    return names;
}

qint64 saturatedSum(qint64 a, qint64 b)
{
    return b > std::numeric_limits<qint64>::max() - a ? std::numeric_limits<qint64>::max() : a + b;
}

/// A client may count its re-entries itself, unseen.
QJsonArray ownersJson(const Lock &lock)
{
    QJsonArray owners;
    for (const LockOwner &holder : knownOwners(lock)) {
        QJsonObject owner = ownerJson(holder, QStringLiteral("id"));
        if (mayCountInClient(lock) && holder.holdCount)
            owner[QStringLiteral("holds_at_least")] = true;
        owners.append(owner);
    }
    return owners;
}

QJsonObject heartbeatJson(const Heartbeat &heartbeat)
{
    QJsonObject object{{QStringLiteral("alive"), heartbeat.state == Heartbeat::State::Alive}};
    if (heartbeat.untilMs)
        object[QStringLiteral("until_ms")] = *heartbeat.untilMs;
    return object;
}

QString memberState(MemberReading::State state)
{
    constexpr std::array<const char *, 4> names{"held", "absent", "no-lock", "unknown"};
    return QLatin1String(names.at(static_cast<size_t>(state)));
}

QJsonObject quorumJson(const Quorum &quorum, milliseconds lease, TimePoint now, const QStringList &servers)
{
    QJsonArray members;
    for (qsizetype i = 0; i < quorum.members.size(); ++i) {
        const MemberReading &reading = quorum.members[i];
        QJsonObject member{{QStringLiteral("address"), servers.value(i)},
                           {QStringLiteral("state"), memberState(reading.state)}};
        if (reading.state == MemberReading::State::Held) {
            member[QStringLiteral("owners")] = ownerIdsJson(reading.owners);
            member[QStringLiteral("ttl_ms")] =
                reading.deadline ? QJsonValue(qint64(reading.deadline->remaining(now).count()))
                                 : QJsonValue(QJsonValue::Null);
        }
        members.append(member);
    }
    QJsonObject object{{QStringLiteral("held"), quorum.isHeld     ? QJsonValue(true)
                                                : quorum.isLost() ? QJsonValue(false)
                                                                  : QJsonValue(QJsonValue::Null)},
                       {QStringLiteral("agreeing"), quorum.agreeing},
                       {QStringLiteral("unknown"), quorum.unknown},
                       {QStringLiteral("needed"), quorum.needed()},
                       {QStringLiteral("of"), quorum.members.size()},
                       {QStringLiteral("servers"), members}};
    if (const auto validity = validityOf(quorum, lease, now))
        object[QStringLiteral("validity_ms")] = qint64(validity->count());
    return object;
}

} // namespace

QJsonObject ownerJson(const LockOwner &owner, const QString &idName)
{
    QJsonObject object;
    insertBytes(object, idName, owner.owner.bytes);
    if (owner.holdCount)
        object[QStringLiteral("holds")] = *owner.holdCount;
    if (owner.mode != HoldMode::Exclusive)
        object[QStringLiteral("mode")] =
            owner.mode == HoldMode::Read ? QStringLiteral("read") : QStringLiteral("write");
    return object;
}

QJsonObject foundJson(const Found &found)
{
    QJsonObject object{{QStringLiteral("state"), QString::fromLatin1(foundName(found.state))}};
    if (found.looksLikeNoLock)
        object[QStringLiteral("looks_like_lock")] = false;
    if (!found.attachedTo.isEmpty())
        insertBytes(object, QStringLiteral("attached_to"), found.attachedTo.bytes);
    return object;
}

QJsonArray ownerIdsJson(const QList<LockOwner> &owners)
{
    QJsonArray array;
    for (const LockOwner &owner : owners)
        array.append(ownerJson(owner, QStringLiteral("id")));
    return array;
}

std::optional<milliseconds> ttlAt(const Lock &lock, TimePoint now)
{
    if (!lock.ttl)
        return std::nullopt;
    const auto age = std::chrono::duration_cast<milliseconds>(now - lock.readAt);
    return std::max(milliseconds(0), *lock.ttl - std::max(milliseconds(0), age));
}

QJsonObject lockJson(const WatchedLock &watched, TimePoint now, qint64 wallMs, const QStringList &servers,
                     const QString &node)
{
    const Lock &lock = watched.lock;
    const Problems problems = watched.problems();
    QJsonObject object{{QStringLiteral("family"), QString::fromLatin1(familyName(lock.family))},
                       {QStringLiteral("owners"), ownersJson(lock)},
                       {QStringLiteral("problems"), problemsJson(problems)},
                       {QStringLiteral("db"), lock.address.database}};
    insertBytes(object, QStringLiteral("key"), lock.key().bytes);
    const Certainty certainty = certaintyOf(lock);
    object[QStringLiteral("certainty")] = QString::fromLatin1(certaintyName(certainty));
    object[QStringLiteral("evidence")] = namesOf(lock.evidence);
    if (certainty == Certainty::Ambiguous) {
        if (const QByteArrayList candidates = candidateNames(lock); !candidates.isEmpty())
            object[QStringLiteral("candidates")] = arrayOf(candidates);
    }
    if (isPossible(lock))
        object[QStringLiteral("standing")] = QStringLiteral("possible");
    if (const NoExpiry noExpiry = noExpiryOf(lock); noExpiry != NoExpiry::None)
        object[QStringLiteral("no_expiry")] = QString::fromLatin1(noExpiryName(noExpiry));
    if (!isHidden(lock))
        object[QStringLiteral("verdict")] = QJsonObject{
            {QStringLiteral("why"), QString::fromLatin1(holdReasonName(verdictOf(watched, now).why))}};
    if (weakTokenOf(lock) != WeakToken::No && !isNoLock(lock))
        object[QStringLiteral("weak_token")] = true;
    if (lock.beside->waiters.certainty != WaiterCertainty::Unknown)
        object[QStringLiteral("waiters")] = waitersJson(lock.beside->waiters);
    if (lock.beside->heartbeat.state != Heartbeat::State::Unknown)
        object[QStringLiteral("heartbeat")] = heartbeatJson(lock.beside->heartbeat);
    if (!lock.beside->fencingToken.isEmpty())
        insertBytes(object, QStringLiteral("fencing_token"), lock.beside->fencingToken);
    if (lock.quorum)
        object[QStringLiteral("quorum")] =
            quorumJson(*lock.quorum, lock.ttl.value_or(milliseconds(0)), now, servers);
    if (!node.isEmpty())
        object[QStringLiteral("node")] = node;
    if (!isHidden(lock))
        object[QStringLiteral("state")] = QString::fromLatin1(stateName(stateOf(watched, now)));
    const HeldTime held = heldTime(watched, now, wallMs);
    if (held.atLeast)
        object[QStringLiteral("held_at_least_ms")] = qint64(held.atLeast->count());
    if (held.atMost)
        object[QStringLiteral("held_at_most_ms")] = qint64(held.atMost->count());
    if (problems.testFlag(Problem::Unreadable)) // it may have another end by now
        return object;
    if (const auto ttl = ttlAt(lock, now)) {
        object[QStringLiteral("ttl_ms")] = qint64(ttl->count());
        object[QStringLiteral("deadline_ms")] = saturatedSum(wallMs, ttl->count());
    } else if (lock.leaseOf != LeaseOf::Unknown) {
        object[QStringLiteral("ttl_ms")] = QJsonValue::Null;
        object[QStringLiteral("deadline_ms")] = QJsonValue::Null;
    }
    return object;
}

} // namespace lockscope
