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
    QList<std::pair<QByteArray, double>> members; ///< with scores, the least first
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

/// A string under its name, as families are asked whether it is theirs. Views: valid during the call.
struct StringValue
{
    QByteArrayView key;
    QByteArrayView value; ///< not empty
    TokenFormat format;
    CompactOptional<milliseconds> ttl; ///< absent: no expiry
    qint64 nowMs;                      ///< epoch ms; a day more or less changes nothing
};

/// The same for the other types.
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

/// The owners of a hash, once its fields are known to be owners.
struct HashOwners
{
    QByteArrayView key;
    const QList<LockOwner> &owners; ///< not empty
    CompactOptional<milliseconds> ttl;
};

/// What speaks for a family in a string; it may be nothing, and the string still the family's.
struct StringMatch
{
    EvidenceSet evidence{};
    bool excludesOthers =
        false;           ///< the name is of this library or of one that says the same, and of no other
    bool isFree = false; ///< the value has the family's form, and nobody holds it
    HoldMode mode = HoldMode::Exclusive;
    qint64 holds = 1; ///< as the value counts them
};

/// It has the family's form, where `mayBe`, and nothing speaks for the family.
inline std::optional<StringMatch> matchIf(bool mayBe)
{
    return mayBe ? std::optional(StringMatch()) : std::nullopt;
}
inline std::optional<StringMatch> matchByFormat(const StringValue &)
{
    return StringMatch();
}

/// The owners that a family reads from a value, and what speaks for the family. No owners: the value has the family's
/// form, and is no lock all the same.
struct Holding
{
    QList<LockOwner> owners{};
    EvidenceSet evidence{};
    Problems problems{};
    LockKey attachedTo{}; ///< the lock that the key belongs to, of a key without owners
};

/// Sorted by owner, with the problems that any family's owners can have: a bad count, and more than were read.
Holding holding(QList<LockOwner> owners, EvidenceSet evidence, bool complete);
/// Of members that each hold once.
Holding holding(const QList<QByteArray> &members, EvidenceSet evidence, HoldMode mode, bool complete);

/// Evidence::Content, and the other two where they hold.
constexpr EvidenceSet contentEvidence(bool isNamed, bool isLeased)
{
    EvidenceSet evidence(Evidence::Content);
    evidence.set(Evidence::Name, isNamed);
    evidence.set(Evidence::Lease, isLeased);
    return evidence;
}

/// A lock that is to last no longer than this.
constexpr bool endsWithin(CompactOptional<milliseconds> ttl, milliseconds longest)
{
    return ttl.has_value() && *ttl <= longest;
}

} // namespace lockscope
