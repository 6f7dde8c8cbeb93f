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

/// What a form says under another name than those that its family gives.
enum class Elsewhere : quint8 {
    Never,     ///< nothing: it is another thing
    Candidate, ///< it may be of the family, as of others
    Content,   ///< its content speaks for the family
};

enum class ScoreMeaning : quint8 {
    None,
    SinceMs,
    SinceS,
    RenewedMs, ///< the last sign of life
    EndsMs,
    EndsS,
};
/// The moment is past while it holds.
constexpr bool isBegin(ScoreMeaning meaning)
{
    return meaning >= ScoreMeaning::SinceMs && meaning <= ScoreMeaning::RenewedMs;
}

/// One field of a record: of a hash, or of a JSON object.
struct FieldShape
{
    QByteArrayView name;
    Template value{};
    bool mayLack = false;
};

/// One way in which a family stores its locks, as data. Templates that are empty match anything.
struct Form
{
    KeyType type = KeyType::String;
    Template key{};
    Template value{};                     ///< of a string; of a hash, of each owner's field
    Template member{};                    ///< the owners: fields of a hash, members of a set
    Template lock{};                      ///< that the key belongs to, which is none itself
    std::span<const FieldShape> fields{}; ///< of a hash, or of a JSON object in a string
    std::span<const char *const> free{};  ///< values that hold nothing, or past-end
    HoldMode mode = HoldMode::Exclusive;
    Elsewhere elsewhere = Elsewhere::Never;
    ScoreMeaning score = ScoreMeaning::None;
    bool isEmpty = false;        ///< the string is empty
    bool mayBeWrapped = false;   ///< by a codec
    bool isNamed = false;        ///< such a name speaks for the family
    bool excludesOthers = false; ///< StringMatch
    qint64 longestLeaseMs = 0;   ///< a longer TTL does not speak for it; 0: any does
    qint64 oldestMs = 0;         ///< a moment longer ago makes it a candidate; 0: none does
};

/// What a key beside a lock is to it.
enum class BesideUse : quint8 {
    Record,    ///< a hash that says where the owner runs
    Queue,     ///< a sorted set of those who wait, by the ids that they have as owners
    Heartbeat, ///< what shows that a holder lives: in a sorted set, in a hash, or that the key is there
    Holders,   ///< a hash of those who hold a counted lock, and how often each
    Index,     ///< a set of the locks that a session holds: an end takes the lock out of it
};

/// A key beside a lock, whose name is filled from the parts of the lock's name and owner.
struct BesideForm
{
    BesideUse use = BesideUse::Record;
    Template key{};
    std::span<const FieldShape> fields{}; ///< of a record; else one without a name: the value of a field
    ScoreMeaning score = ScoreMeaning::None;
    qint64 mostMs =
        0; ///< since its moment a waiter waits, or a holder is alive, so long at most; 0: not known
    Template member{};                     ///< the holder's member or field
    std::span<const char *const> except{}; ///< members that have no heartbeat though their holder may live
    bool missingIsDead = false; ///< a member that is not in the set, or the hash, is a dead holder's
};

/// The forms of a family that is data, the more special ones first.
struct Forms
{
    std::span<const Form> forms{};
    std::span<const char *const> notNames{}; ///< globs: never of the family
    std::span<const char *const> besides{};  ///< globs of keys that belong to its locks, and are none
    std::span<const BesideForm> companions{};
    bool anyLockName = false;          ///< a lock's name speaks for it as its usual names do
    FormatSet<KeyType> types{};        ///< of all forms
    FormatSet<TokenFormat> strings{};  ///< that a string of one of them may have
    FormatSet<TokenFormat> anywhere{}; ///< the same of those that speak for it under other names, too
};

/// Whether a name is one of the usual names of the family that is asked, where the asker knows.
using IsUsual = std::optional<bool>;

// What the forms of a family find in a content, as its functions would. Pure.
std::optional<StringMatch> matchForms(const FamilySpec &spec, const StringValue &string,
                                      IsUsual isUsual = {});
std::optional<Holding> matchForms(const FamilySpec &spec, const HashValue &hash, IsUsual isUsual = {});
std::optional<Holding> matchForms(const FamilySpec &spec, const SortedSetValue &set, IsUsual isUsual = {});
std::optional<Holding> matchForms(const FamilySpec &spec, const SetValue &set, IsUsual isUsual = {});
/// A string that is empty.
std::optional<StringMatch> matchEmpty(const FamilySpec &spec, const StringValue &string);
OwnerFacts factsOf(const FamilySpec &spec, const LockKey &key, const OwnerId &owner);
/// The template with the parts of the same names in a lock's name and owner, “owner” being the whole id. `unknown` stands
/// for one that is not there; where that is empty, so is the answer.
QByteArray filled(Template shape, const FamilySpec &spec, const LockKey &key, const OwnerId &owner,
                  const QByteArray &unknown = {});
/// What a record says of where its owner runs.
OwnerFacts factsOf(const BesideForm &record, const QList<std::pair<QByteArray, QByteArray>> &fields);
/// Until when a holder with this heartbeat counts as alive, in epoch ms; absent where that is not told.
CompactOptional<qint64> aliveUntil(const BesideForm &heartbeat,
                                   const QList<std::pair<QByteArray, QByteArray>> &fields);
/// The field of a hash whose value is the owner; empty where the field itself is.
QByteArray ownerField(const Forms &forms, const OwnerId &owner);

/// The field of a record that says that nobody holds, and its value then; empty: none does.
QByteArrayList freeField(const Forms &forms);

/// Of a form's `free`: the moment in it is past.
inline bool isPastEnd(const char *free)
{
    return QByteArrayView(free) == "past-end";
}
/// It is a hash of one owner.
inline bool isRecord(const Form &form)
{
    return form.type == KeyType::Hash && form.member.empty() && !form.fields.empty();
}
inline bool hasForm(const FamilySpec &spec, KeyType type)
{
    return spec.forms && spec.forms->types.contains(type);
}

} // namespace lockscope
