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

#include <QJsonDocument>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <array>
#include <functional>
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
    QByteArrayList ids;
    for (const Waiter &waiter : waiters.queue)
        ids.append(waiter.id.bytes);
    insertBytes(object, QStringLiteral("ids"), ids);
    return object;
}

qint64 saturatedSum(qint64 a, qint64 b)
{
    return b > std::numeric_limits<qint64>::max() - a ? std::numeric_limits<qint64>::max() : a + b;
}

const char *modeName(HoldMode mode) // of one that shares the lock
{
    return mode == HoldMode::Read ? "read" : "write";
}

QJsonObject heartbeatJson(const Heartbeat &heartbeat)
{
    QJsonObject object;
    if (!heartbeat.isDoubtful)
        object[QStringLiteral("alive")] = heartbeat.state == Heartbeat::State::Alive;
    if (heartbeat.untilMs)
        object[QStringLiteral("until_ms")] = *heartbeat.untilMs;
    return object;
}

QString memberState(MemberReading::State state)
{
    constexpr std::array<const char *, 4> names{"held", "absent", "no-lock", "unknown"};
    return QLatin1String(names.at(static_cast<size_t>(state)));
}

QJsonObject quorumJson(const Lock &lock, TimePoint now, const QStringList &servers)
{
    const Quorum &quorum = *lock.quorum;
    QJsonArray members;
    for (qsizetype i = 0; i < quorum.members.size(); ++i) {
        const MemberReading &reading = quorum.members[i];
        QJsonObject member{{QStringLiteral("address"), servers.value(i)},
                           {QStringLiteral("state"), memberState(reading.state)}};
        if (reading.state == MemberReading::State::Held) {
            member[QStringLiteral("owners")] = ownerIdsJson(reading.owners, lock.family);
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
    if (const auto validity = validityOf(quorum, lock.ttl.value_or(milliseconds(0)), now))
        object[QStringLiteral("validity_ms")] = qint64(validity->count());
    return object;
}

} // namespace

void insertBytes(QJsonObject &object, const QString &name, const QByteArrayList &list)
{
    QJsonArray texts;
    QJsonArray exact;
    for (const QByteArray &bytes : list) {
        texts.append(lossless(bytes));
        exact.append(QString::fromLatin1(bytes.toBase64()));
    }
    object[name] = texts;
    if (!std::ranges::all_of(list, isValidUtf8))
        object[name + QStringLiteral("_base64")] = exact;
}

QJsonObject ownerJson(const LockOwner &owner, const QString &idName)
{
    QJsonObject object;
    insertBytes(object, idName, owner.owner.bytes);
    if (owner.holdCount)
        object[QStringLiteral("holds")] = *owner.holdCount;
    if (owner.mode != HoldMode::Exclusive)
        object[QStringLiteral("mode")] = QLatin1String(modeName(owner.mode));
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

QJsonArray ownerIdsJson(const QList<LockOwner> &owners, Family family)
{
    QJsonArray array;
    for (const LockOwner &owner : owners) {
        QJsonObject object = ownerJson(owner, QStringLiteral("id"));
        if (owner.holdCount && specOf(family).clientMayCount)
            object[QStringLiteral("holds_at_least")] = true;
        array.append(object);
    }
    return array;
}

std::optional<milliseconds> ttlAt(const Lock &lock, TimePoint now)
{
    if (!lock.ttl)
        return std::nullopt;
    const auto age = std::chrono::duration_cast<milliseconds>(now - lock.readAt);
    return std::max(milliseconds(0), *lock.ttl - std::max(milliseconds(0), age));
}

namespace {

/// Writes a LOCK member by member. A list writes a million of them: building objects first took most of its time.
class LockWriter
{
public:
    QByteArray write(const WatchedLock &watched, TimePoint now, qint64 wallMs, const QStringList &servers,
                     const QString &node);

private:
    void string(QByteArrayView text) // RapidJSON takes no null pointer
    {
        m_json.String(text.isEmpty() ? "" : text.data(), static_cast<rapidjson::SizeType>(text.size()));
    }
    void member(const char *name, QByteArrayView text)
    {
        m_json.Key(name);
        string(text);
    }
    void member(const char *name, qint64 number)
    {
        m_json.Key(name);
        m_json.Int64(number);
    }
    void flag(const char *name)
    {
        m_json.Key(name);
        m_json.Bool(true);
    }
    void member(const char *name, const QJsonObject &object)
    {
        const QByteArray text = QJsonDocument(object).toJson(QJsonDocument::Compact);
        m_json.Key(name);
        m_json.RawValue(text.constData(), static_cast<size_t>(text.size()), rapidjson::kObjectType);
    }
    /// As insertBytes() does; `exactName` ends in _base64.
    void bytes(const char *name, const char *exactName, const QByteArray &bytes)
    {
        member(name, losslessUtf8(bytes));
        if (!isValidUtf8(bytes))
            member(exactName, bytes.toBase64());
    }
    template <typename List, typename Name>
    void names(const char *name, const List &list, Name nameOf)
    {
        m_json.Key(name);
        m_json.StartArray();
        for (const auto &one : list)
            string(nameOf(one));
        m_json.EndArray();
    }
    void owners(const Lock &lock);
    void identity(const WatchedLock &watched, Problems problems, Certainty certainty);
    void times(const WatchedLock &watched, TimePoint now, qint64 wallMs);

    rapidjson::StringBuffer m_text;
    rapidjson::Writer<rapidjson::StringBuffer> m_json{m_text};
};

/// A client may count its re-entries itself, unseen.
void LockWriter::owners(const Lock &lock)
{
    m_json.Key("owners");
    m_json.StartArray();
    for (const LockOwner &owner : knownOwners(lock)) {
        m_json.StartObject();
        bytes("id", "id_base64", owner.owner.bytes);
        if (owner.holdCount)
            member("holds", *owner.holdCount);
        if (owner.holdCount && mayCountInClient(lock))
            flag("holds_at_least");
        if (owner.mode != HoldMode::Exclusive)
            member("mode", modeName(owner.mode));
        m_json.EndObject();
    }
    m_json.EndArray();
}

void LockWriter::identity(const WatchedLock &watched, Problems problems, Certainty certainty)
{
    const Lock &lock = watched.lock;
    bytes("key", "key_base64", lock.key().bytes);
    member("db", lock.address.database);
    member("family", familyName(lock.family));
    member("certainty", certaintyName(certainty));
    names("evidence", evidenceList(lock.evidence), evidenceName);
    if (certainty == Certainty::Ambiguous) {
        if (const QByteArrayList candidates = candidateNames(lock); !candidates.isEmpty())
            names("candidates", candidates, std::identity());
    }
    if (isPossible(lock))
        member("standing", "possible");
    owners(lock);
    names("problems", problemList(problems), problemName);
}

void LockWriter::times(const WatchedLock &watched, TimePoint now, qint64 wallMs)
{
    const HeldTime held = heldTime(watched, now, wallMs);
    if (held.atLeast)
        member("held_at_least_ms", qint64(held.atLeast->count()));
    if (held.atMost)
        member("held_at_most_ms", qint64(held.atMost->count()));
    if (watched.problems().testFlag(Problem::Unreadable)) // it may have another end by now
        return;
    if (const auto ttl = ttlAt(watched.lock, now)) {
        member("ttl_ms", qint64(ttl->count()));
        member("deadline_ms", saturatedSum(wallMs, ttl->count()));
    } else if (watched.lock.leaseOf != LeaseOf::Unknown) {
        for (const char *name : {"ttl_ms", "deadline_ms"}) {
            m_json.Key(name);
            m_json.Null();
        }
    }
}

QByteArray LockWriter::write(const WatchedLock &watched, TimePoint now, qint64 wallMs,
                             const QStringList &servers, const QString &node)
{
    const Lock &lock = watched.lock;
    const CompanionState &companions = *lock.companions;
    const bool isShown = !isHidden(lock);
    m_json.StartObject();
    identity(watched, watched.problems(), certaintyOf(lock));
    if (isShown) {
        member("state", stateName(stateOf(watched, now)));
        const HoldVerdict verdict = verdictOf(watched, now);
        m_json.Key("verdict");
        m_json.StartObject();
        member("why", holdReasonName(verdict.why));
        if (verdict.why == HoldReason::HolderDead) { // likely, no more
            m_json.Key("possible");
            m_json.StartArray();
            for (const HoldReason other : verdict.possible)
                string(holdReasonName(other));
            m_json.EndArray();
        }
        m_json.EndObject();
    }
    if (const NoExpiry noExpiry = noExpiryOf(lock); noExpiry != NoExpiry::None)
        member("no_expiry", noExpiryName(noExpiry));
    if (weakTokenOf(lock) != WeakToken::No && !isNoLock(lock))
        flag("weak_token");
    if (companions.waiters.certainty != WaiterCertainty::Unknown)
        member("waiters", waitersJson(companions.waiters));
    if (companions.heartbeat.state != Heartbeat::State::Unknown)
        member("heartbeat", heartbeatJson(companions.heartbeat));
    if (!companions.fencingToken.isEmpty())
        bytes("fencing_token", "fencing_token_base64", companions.fencingToken);
    if (lock.quorum)
        member("quorum", quorumJson(lock, now, servers));
    if (!node.isEmpty())
        member("node", node.toUtf8());
    times(watched, now, wallMs);
    m_json.EndObject();
    return escapedJson(QByteArray(m_text.GetString(), static_cast<qsizetype>(m_text.GetSize())));
}

} // namespace

QByteArray lockJsonText(const WatchedLock &watched, TimePoint now, qint64 wallMs, const QStringList &servers,
                        const QString &node)
{
    return LockWriter().write(watched, now, wallMs, servers, node);
}

QJsonObject lockJson(const WatchedLock &watched, TimePoint now, qint64 wallMs, const QStringList &servers,
                     const QString &node)
{
    return QJsonDocument::fromJson(lockJsonText(watched, now, wallMs, servers, node)).object();
}

} // namespace lockscope
