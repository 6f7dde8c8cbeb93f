// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/family/shapes.h"
#include "core/model/evidence.h"
#include "core/model/lockowner.h"

#include <QList>

#include <utility>
#include <variant>

namespace lockscope {

/// What a key holds, as far as it was read.
struct HashContent
{
    QList<std::pair<QByteArray, QByteArray>> fields;
    bool complete = true;
};
struct StringContent
{
    QByteArray value;
    bool complete = true;
};
struct SortedSetContent
{
    QList<std::pair<QByteArray, double>> members; ///< lowest score first
    bool complete = true;
};
struct SetContent
{
    QList<QByteArray> members;
    bool complete = true;
};
struct OtherContent
{
};
using KeyContent = std::variant<HashContent, StringContent, SortedSetContent, SetContent, OtherContent>;

/// A string value, as families are given it to recognize. Views: valid during the call.
struct StringValue
{
    QByteArrayView key;
    QByteArrayView value; ///< not empty
    TokenFormat format;
    CompactOptional<milliseconds> ttl; ///< absent: no expiry
    qint64 nowMs;                      ///< epoch ms; need not be exact to the day
};

/// A hash, set or sorted set, as families are given it to recognize.
template <typename Content>
struct NamedContent
{
    QByteArrayView key;
    const Content &content;
    CompactOptional<milliseconds> ttl;
    qint64 nowMs;
};
using HashValue = NamedContent<HashContent>;
using SortedSetValue = NamedContent<SortedSetContent>;
using SetValue = NamedContent<SetContent>;

/// The owners of a hash whose fields were recognized as owners.
struct HashOwners
{
    QByteArrayView key;
    const QList<LockOwner> &owners; ///< not empty
    CompactOptional<milliseconds> ttl;
};

/// The evidence for a family in a string; it may be empty and the string still be the family's.
struct StringMatch
{
    EvidenceSet evidence{};
    bool excludesOthers = false; ///< only this library, or libraries with the same meaning, use the name
    bool isFree = false;         ///< the value has the family's form and names no owner
    HoldMode mode = HoldMode::Exclusive;
    qint64 holds = 1;
};

/// A match without evidence for the family if `mayBe`; otherwise no match.
inline std::optional<StringMatch> matchIf(bool mayBe)
{
    return mayBe ? std::optional(StringMatch()) : std::nullopt;
}
inline std::optional<StringMatch> matchByFormat(const StringValue &)
{
    return StringMatch();
}

/// The owners that a family reads from a value, and the evidence for the family. No owners: the value has the
/// family's form, but is no lock.
struct OwnersMatch
{
    QList<LockOwner> owners{};
    EvidenceSet evidence{};
    Problems problems{};
    LockKey attachedTo{}; ///< the lock that a key without owners belongs to
};

/// Owners sorted, with the problems that owners of any family can have: a bad count, or more than were read.
OwnersMatch holding(QList<LockOwner> owners, EvidenceSet evidence, bool complete);
OwnersMatch holding(const QList<QByteArray> &members, EvidenceSet evidence, HoldMode mode, bool complete);

/// Evidence::Content, with Evidence::Name and Evidence::Lease if they apply.
constexpr EvidenceSet contentEvidence(bool isNamed, bool isLeased)
{
    EvidenceSet evidence(Evidence::Content);
    evidence.set(Evidence::Name, isNamed);
    evidence.set(Evidence::Lease, isLeased);
    return evidence;
}

/// True if there is a TTL, and it is at most `longest`.
constexpr bool endsWithin(CompactOptional<milliseconds> ttl, milliseconds longest)
{
    return ttl.has_value() && *ttl <= longest;
}

} // namespace lockscope
