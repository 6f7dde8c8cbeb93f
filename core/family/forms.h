// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/content.h"
#include "core/family/ownerfacts.h"
#include "core/family/spec.h"
#include "core/family/template.h"
#include "core/model/lock.h"

#include <optional>
#include <span>

namespace lockscope {

/// How a form counts under names that its family does not use.
enum class UnusualNameMatch : quint8 {
    Never,     ///< not of the family
    Candidate, ///< possibly of the family
    Content,   ///< evidence for the family
};

enum class ScoreMeaning : quint8 {
    None,
    SinceMs,
    SinceS,
    RenewedMs, ///< last heartbeat
    EndsMs,
    EndsS,
};
/// True if the moment lies in the past while the lock is held.
constexpr bool isBegin(ScoreMeaning meaning)
{
    return meaning >= ScoreMeaning::SinceMs && meaning <= ScoreMeaning::RenewedMs;
}

/// One field of a hash, or of a JSON object.
struct FieldShape
{
    QByteArrayView name;
    Template value{};
    bool mayLack = false;
};

/// One form in which a family stores its locks. Empty templates match anything.
struct Form
{
    KeyType type = KeyType::String;
    Template key{};
    Template value{};                     ///< a string's value, or the field value of each owner in a hash
    Template readValue{};                 ///< the field value of an owner that reads, whatever `mode` is
    Template writeValue{};                ///< the field value of an owner that writes
    Template member{};                    ///< an owner: field of a hash, member of a set
    Template lock{};                      ///< the lock that the key belongs to, if the key is no lock
    std::span<const FieldShape> fields{}; ///< in a hash, or in a JSON object in a string
    std::span<const char *const> free{};  ///< values of a free lock, or past-end
    HoldMode mode = HoldMode::Exclusive;
    UnusualNameMatch elsewhere = UnusualNameMatch::Never;
    ScoreMeaning score = ScoreMeaning::None;
    bool isEmpty = false;
    bool mayBeWrapped = false;
    bool isNamed = false;        ///< the lock's name is evidence for the family
    bool excludesOthers = false; ///< see StringMatch
    qint64 longestLeaseMs = 0;   ///< a longer TTL is no evidence for the family; 0: no limit
    qint64 oldestMs = 0;         ///< an older moment makes it a candidate only; 0: no limit
};

/// The role of a companion key.
enum class CompanionUse : quint8 {
    Record,    ///< hash with the host and process of the owner
    Queue,     ///< sorted set of waiters, by their owner IDs
    Heartbeat, ///< shows that a holder is alive: in a sorted set, in a hash, or by its existence
    Holders,   ///< hash of the holders of a counted lock, with their hold counts
    Index,     ///< set of the locks of a session; a forced expiry removes the lock from it
};

/// A companion key, whose name is filled from the parts of the lock's name and owner.
struct CompanionForm
{
    CompanionUse use = CompanionUse::Record;
    Template key{};
    std::span<const FieldShape> fields{}; ///< in a record; or, without name, a hash's value
    ScoreMeaning score = ScoreMeaning::None;
    qint64 maxMs = 0; ///< longest time from its moment that a waiter waits or a holder is alive; 0: unknown
    Template member{};
    std::span<const char *const> except{}; ///< members without heartbeat whose holders may be alive
    bool missingIsDead = false;            ///< a holder without a member in the set or hash is dead
    qint64 everyMs = 0;                    ///< interval of heartbeats; 0: unknown
};

/// The forms of a family that is defined by a file, the most special ones first.
struct Forms
{
    std::span<const Form> forms{};
    std::span<const char *const> notNames{};       ///< globs of names that the family never uses
    std::span<const char *const> companionGlobs{}; ///< globs of keys that belong to its locks, but are none
    std::span<const CompanionForm> companions{};
    bool anyLockName = false; ///< any name of a lock is evidence for it, like its usual names
    FormatSet<KeyType> types{};
    FormatSet<TokenFormat> strings{};
    FormatSet<TokenFormat> anywhere{}; ///< formats of strings that are evidence under other names too
};

/// True if a name is one of the family's usual names; absent if the caller does not know.
using IsUsual = std::optional<bool>;

// Matches of a content with a family's forms. Pure.
std::optional<StringMatch> matchForms(const FamilySpec &spec, const StringValue &string,
                                      IsUsual isUsual = {});
std::optional<OwnersMatch> matchForms(const FamilySpec &spec, const HashValue &hash, IsUsual isUsual = {});
std::optional<OwnersMatch> matchForms(const FamilySpec &spec, const SortedSetValue &set,
                                      IsUsual isUsual = {});
std::optional<OwnersMatch> matchForms(const FamilySpec &spec, const SetValue &set, IsUsual isUsual = {});
std::optional<StringMatch> matchEmpty(const FamilySpec &spec, const StringValue &string);
OwnerFacts factsOf(const FamilySpec &spec, const LockKey &key, const OwnerId &owner);
/// The template filled with the parts of the same names in a lock's name and owner; “owner” is the whole ID.
/// `unknown` replaces a missing part; if `unknown` is empty too, the result is.
QByteArray filled(Template shape, const FamilySpec &spec, const LockKey &key, const OwnerId &owner,
                  const QByteArray &unknown = {});
/// The host, process and other details of an owner in a record.
OwnerFacts factsOf(const CompanionForm &record, const QList<std::pair<QByteArray, QByteArray>> &fields);
/// The time until which a holder with this heartbeat counts as alive, in epoch ms; absent if unknown.
CompactOptional<qint64> aliveUntil(const CompanionForm &heartbeat,
                                   const QList<std::pair<QByteArray, QByteArray>> &fields);
/// The field of a hash whose value is the owner; empty if the field itself is the owner.
QByteArray ownerField(const Forms &forms, const OwnerId &owner);

/// The field of a record that marks a free lock, and its value then; empty: none.
QByteArrayList freeField(const Forms &forms);

/// True for the entry of a form's `free` that means a moment in the past.
inline bool isPastEnd(const char *free)
{
    return QByteArrayView(free) == "past-end";
}
/// True for a hash of one owner.
inline bool isRecord(const Form &form)
{
    return form.type == KeyType::Hash && form.member.empty() && !form.fields.empty();
}
inline bool hasForm(const FamilySpec &spec, KeyType type)
{
    return spec.forms && spec.forms->types.contains(type);
}

} // namespace lockscope
