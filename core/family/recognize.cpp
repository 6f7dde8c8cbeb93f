// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/recognize.h"

#include "core/family/certainty.h"
#include "core/family/contentkind.h"
#include "core/family/forms.h"
#include "core/family/registry.h"
#include "core/model/lock.h"

#include <QVarLengthArray>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

/// A possible family of a value, and its evidence.
struct FamilyMatch
{
    Family family;
    EvidenceSet evidence{};
    Certainty certainty = Certainty::Ambiguous;
    StringMatch match{}; ///< for a string
};

/// The strongest of the possible claims. Two equal claims leave the family open.
class Strongest
{
public:
    void add(Family family, EvidenceSet evidence, const StringMatch &match = {})
    {
        const Certainty certainty = certaintyOf(family, evidence);
        const bool isStronger =
            certainty < m_best.certainty || (m_best.family.isUnknown() && !evidence.isEmpty());
        if (!isStronger) {
            m_isContested = m_isContested || (certainty == m_best.certainty && isClaim(certainty));
            return;
        }
        m_best = {family, evidence, certainty, match};
        m_isContested = false;
    }
    FamilyMatch claim() const { return m_isContested ? FamilyMatch() : m_best; }

private:
    static bool isClaim(Certainty certainty) { return certainty != Certainty::Ambiguous; }

    FamilyMatch m_best;
    bool m_isContested = false;
};

using Families = QVarLengthArray<Family, 32>;

/// The families whose locks have such names.
Families familiesNaming(QByteArrayView key)
{
    Families found;
    namedFamilies<KeyType::String>().anyOf(key, [&found](Family family) {
        found.append(family);
        return false;
    });
    return found;
}

/// True if the family's strings have this format only under its own names.
bool isAskedByName(Family family, TokenFormat format)
{
    const FamilySpec &spec = specOf(family);
    return spec.forms->strings.contains(format) && !spec.strings.contains(format);
}

FamilyMatch claimOf(const StringValue &string)
{
    Strongest strongest;
    Strongest exclusive;
    const auto ask = [&](Family family, bool isUsual) {
        if (const std::optional<StringMatch> match = matchOf(specOf(family), string, isUsual))
            (match->excludesOthers ? exclusive : strongest).add(family, match->evidence, *match);
    };
    const Families named = familiesNaming(string.key);
    for (const Family family : named) {
        if (specOf(family).forms->strings.contains(string.format))
            ask(family, true);
    }
    for (const Family family : provableOfString(string.format)) {
        if (!named.contains(family))
            ask(family, false);
    }
    const FamilyMatch claim = exclusive.claim();
    return claim.certainty == Certainty::Ambiguous ? strongest.claim() : claim;
}

FamilyMatch claimOf(const HashOwners &hash)
{
    Strongest strongest;
    for (const Family family : familiesWith<&FamilySpec::matchOwners>()) {
        if (const std::optional<EvidenceSet> evidence = specOf(family).matchOwners(hash))
            strongest.add(family, *evidence);
    }
    return strongest.claim();
}

/// A record with the holder of a home-made lock, or of other things.
Recognition record(QByteArrayView key, const HashContent &hash, bool hasLease, qint64 nowMs)
{
    QList<LockOwner> owners;
    bool saysSomething = false;
    bool isOld = false;
    for (const auto &[name, value] : hash.fields) {
        const RecordField field = recordField(name);
        saysSomething = saysSomething || field != RecordField::Nothing;
        if (field == RecordField::Owner && !value.isEmpty())
            owners.append({OwnerId(value), {}, {}}); // it counts nothing
        isOld = isOld || (field == RecordField::Time && isLongPast(value, nowMs));
    }
    Recognition result;
    if (!owners.isEmpty() || (saysSomething && hasLease)) {
        result.evidence = Evidence::Content;
        result.owners = owners.mid(0, 1);
        if (hash.complete && !owners.isEmpty() && namesALock(key)) { // other documents have owners, too
            OwnerFacts facts;
            facts.allFields = hash.fields;
            result.owners.front().recorded = SharedValue(facts);
        }
        result.wasLeftBehind = isOld;
    }
    return result;
}

/// An unknown content; with a lock's name it may be one. Its bytes are kept as owners and counts, not shown,
/// but compared by a forced expiry.
Recognition unknown(QByteArrayView key, QList<LockOwner> bytes = {})
{
    const bool isPossible = contentKindByName(key) == ContentKind::Possible;
    return {{}, std::move(bytes), {}, {}, isPossible ? EvidenceSet(Evidence::Name) : EvidenceSet()};
}

/// A hash of owners and counts of an unknown family. Without expiry it may be other counters, and with
/// several fields a table.
Recognition counted(QByteArrayView key, const HashContent &hash, bool hasLease, qint64 nowMs)
{
    const bool isNamed =
        std::ranges::none_of(hash.fields, [](const auto &field) { return field.first.isEmpty(); });
    const bool areHolders =
        std::ranges::all_of(hash.fields, [](const auto &field) { return looksLikeHolder(field.first); });
    const bool areNamed =
        std::ranges::all_of(hash.fields, [](const auto &field) { return namesAHolder(field.first); });
    const bool anyCount = std::ranges::any_of(
        hash.fields, [](const auto &field) { return parseCount(field.second).has_value(); });
    const bool areCounts = std::ranges::all_of(
        hash.fields, [](const auto &field) { return parseCount(field.second).has_value(); });
    const bool isAlone = hash.fields.size() == 1;
    const bool areNumbers =
        std::ranges::any_of(hash.fields, [](const auto &field) { return namesANumber(field.first); });
    const bool mayBe = isAlone ? areCounts || areHolders : areNamed && anyCount;
    QList<LockOwner> owners;
    for (const auto &[field, value] : hash.fields)
        owners.append({OwnerId(field), value, parseCount(value)});
    if (!hash.complete)
        return unknown(key);
    if (!isNamed || !mayBe || areNumbers) {
        Recognition found = record(key, hash, hasLease, nowMs);
        return found.evidence.isEmpty() ? unknown(key, std::move(owners)) : found;
    }
    const bool isLocks = namesALock(key);
    if (!hasLease && !isLocks && (!areCounts || !areHolders))
        return {};
    OwnersMatch held = holding(std::move(owners), {}, true);
    Recognition result{countedHash(), std::move(held.owners), held.problems};
    result.problems.setFlag(Problem::SeveralOwners, !isAlone);
    if (!areNamed && (!hasLease || !isLocks)) // it may be a table of other things
        result.problems = {};
    return result;
}

/// The reading by a file-defined family under its own names; no owners: free.
template <KeyType Type, typename Value>
std::optional<Recognition> recognizeNamed(const Value &value)
{
    std::optional<Recognition> found;
    namedFamilies<Type>().anyOf(value.key, [&](Family family) {
        std::optional<OwnersMatch> held = matchForms(specOf(family), value, true);
        if (!held || (!held->owners.isEmpty() && !isProven(family, held->evidence)))
            return false;
        found = held->owners.isEmpty()
                    ? Recognition{{}, {}, {}, std::move(held->attachedTo)}
                    : Recognition{family, std::move(held->owners), held->problems, {}, held->evidence};
        return true;
    });
    return found;
}

Recognition recognizeHash(const HashValue &hash)
{
    if (hash.content.fields.isEmpty())
        return {};
    if (std::optional<Recognition> named = recognizeNamed<KeyType::Hash>(hash))
        return *std::move(named);
    for (const Family family : familiesOfHash(fieldFormatOf(hash.content.fields.front().first))) {
        std::optional<OwnersMatch> held = matchOf(specOf(family), hash);
        if (!held)
            continue;
        if (held->owners.isEmpty())
            return {};
        if (isProven(family, held->evidence))
            return {family, std::move(held->owners), held->problems, {}, held->evidence};
        return {countedHash(),
                std::move(held->owners),
                {},
                {},
                held->evidence}; // others have a mode or a count, too
    }
    return counted(hash.key, hash.content, hash.ttl.has_value(), hash.nowMs);
}

LockKey parentOf(const StringValue &string)
{
    for (const Family family : familiesWith<&FamilySpec::parentOfString>()) {
        if (LockKey parent = specOf(family).parentOfString(string); !parent.isEmpty())
            return parent;
    }
    return {};
}

Recognition recognizeEmpty(QByteArrayView key, CompactOptional<milliseconds> ttl, qint64 nowMs)
{
    Recognition found = unknown(key, {{OwnerId(), {}, 1}});
    namedFamilies<KeyType::String>().anyOf(key, [&](Family family) {
        const std::optional<StringMatch> match =
            matchEmpty(specOf(family), {key, {}, TokenFormat::Other, ttl, nowMs});
        if (!match || !isProven(family, match->evidence))
            return false;
        found.family = family;
        found.evidence = match->evidence;
        return true;
    });
    return found;
}

Recognition recognizeString(const LockKey &key, const StringContent &content,
                            CompactOptional<milliseconds> ttl, qint64 nowMs)
{
    constexpr qsizetype longestToken =
        512; // tokens are UUIDs and the like; a document under a lock's name is none
    if (!content.complete || content.value.size() > longestToken)
        return unknown(key.bytes);
    if (content.value.isEmpty())
        return recognizeEmpty(key.bytes, ttl, nowMs);
    Recognition result;
    const StringValue string{key.bytes, content.value, shapeOf(content.value), ttl, nowMs};
    result.attachedTo = parentOf(string);
    if (!result.attachedTo.isEmpty())
        return result;
    const FamilyMatch claim = namesALockFile(key.bytes) ? FamilyMatch() : claimOf(string);
    if (claim.match.isFree)
        return {};
    result.evidence = claim.evidence;
    if (claim.certainty != Certainty::Ambiguous) {
        result.family = claim.family;
    } else {
        const ContentKind standing = contentKindOf(key.bytes, content.value, string.format, ttl);
        result.wasLeftBehind = standing == ContentKind::Token && isOldRecord(content.value, nowMs);
        if (standing == ContentKind::Token)
            result.family = plainToken();
        else
            result.evidence = standing == ContentKind::NoLock ? EvidenceSet()
                              : namesALock(key.bytes)         ? Evidence::Name
                                                              : Evidence::Lease;
    }
    const bool isClaimed = !result.family.isUnknown() && result.family == claim.family;
    const auto modeOf = specOf(result.family).modeOf;
    const HoldMode mode = isClaimed ? claim.match.mode : HoldMode::Exclusive;
    result.owners.append(
        {OwnerId(content.value), {}, isClaimed ? claim.match.holds : 1, modeOf ? modeOf(key.bytes) : mode});
    return result;
}

Recognition wrongType(QByteArrayView key)
{
    Recognition found = unknown(key);
    found.problems.setFlag(Problem::WrongType, found.evidence.isEmpty());
    return found;
}

/// The claims of families for members of a sorted set or a set.
template <KeyType Type, auto Keeps, typename Value>
Recognition recognizeMembers(const Value &value)
{
    if (std::optional<Recognition> named = recognizeNamed<Type>(value))
        return *std::move(named);
    for (const Family family : familiesWith<Keeps>()) {
        std::optional<OwnersMatch> held = matchOf(specOf(family), value);
        if (held && !held->attachedTo.isEmpty())
            return {{}, {}, {}, std::move(held->attachedTo)};
        if (held && isProven(family, held->evidence))
            return {family, std::move(held->owners), held->problems, {}, held->evidence};
    }
    return wrongType(value.key);
}

Recognition recognizeSortedSet(const SortedSetValue &set)
{
    if (set.content.members.isEmpty())
        return wrongType(set.key);
    for (const Family family : familiesWith<&FamilySpec::parentOfSortedSet>()) {
        if (LockKey parent = specOf(family).parentOfSortedSet(set); !parent.isEmpty())
            return {{}, {}, {}, std::move(parent)};
    }
    return recognizeMembers<KeyType::SortedSet, keepsSortedSets>(set);
}

/// True for a string with one owner, unproven by its content alone.
bool isToken(const Lock &lock)
{
    return lock.family == plainToken() && lock.owners.size() == 1;
}

bool isOpenHash(const Lock &lock)
{
    return lock.family == countedHash() && !lock.owners.isEmpty();
}

StringValue stringOf(const Lock &lock, qint64 nowMs)
{
    const QByteArray &token = lock.owners.front().owner.bytes;
    return {lock.key().bytes, token, shapeOf(token), lock.ttl, nowMs};
}

FamilyMatch contentClaim(const Lock &lock, qint64 nowMs)
{
    if (isToken(lock))
        return claimOf(stringOf(lock, nowMs));
    if (!isOpenHash(lock))
        return {lock.family, lock.evidence};
    FamilyMatch claim = claimOf(HashOwners{lock.key().bytes, lock.owners, lock.ttl});
    if (specOf(claim.family).unlockChannel && lock.companions->hasListeners)
        claim.evidence.set(Evidence::Listeners);
    return claim;
}

FamilyMatch companionClaim(const Lock &lock)
{
    FamilyMatch best{lock.family, lock.evidence};
    int precedence = -1;
    for (const Family family : lock.companions->implied) {
        const FamilySpec &spec = specOf(family);
        if (!spec.matchCompanions || spec.precedence <= precedence)
            continue;
        if (const std::optional<EvidenceSet> evidence = spec.matchCompanions(lock)) {
            best = {family, *evidence};
            precedence = spec.precedence;
        }
    }
    return best;
}

/// Shows a value with a lease that is renewed or acquired again: it is held.
void showIfAlive(Lock &lock)
{
    if (!lock.family.isUnknown() || !lock.evidence.has(Evidence::Renewals))
        return;
    // Of a record an owner was read, who is neither its value nor a field of it: no script would find them.
    if (lock.type == KeyType::Hash && lock.evidence.has(Evidence::Content))
        return;
    // A window of requests, a list or a record is written again and again, too.
    const bool isValue =
        lock.type == KeyType::String && !lock.owners.isEmpty() && !lock.owners.first().owner.isEmpty();
    if (isValue && !lock.evidence.has(Evidence::Content))
        lock.family = plainToken();
    else if (!isValue)
        lock.evidence.set(Evidence::Renewals, false);
}

} // namespace

Recognition recognize(const LockKey &key, const KeyContent &content, CompactOptional<milliseconds> ttl,
                      qint64 nowMs)
{
    if (const auto *hash = std::get_if<HashContent>(&content))
        return recognizeHash({key.bytes, *hash, ttl, nowMs});
    if (const auto *string = std::get_if<StringContent>(&content))
        return recognizeString(key, *string, ttl, nowMs);
    if (const auto *sortedSet = std::get_if<SortedSetContent>(&content))
        return recognizeSortedSet({key.bytes, *sortedSet, ttl, nowMs});
    if (const auto *set = std::get_if<SetContent>(&content))
        return recognizeMembers<KeyType::Set, keepsSets>(SetValue{key.bytes, *set, ttl, nowMs});
    return wrongType(key.bytes);
}

void takeRecognition(Lock &lock, const Recognition &found)
{
    lock.family = found.family;
    lock.owners = found.owners;
    lock.problems = found.problems;
    lock.evidence = found.evidence;
    const bool isFault =
        found.wasLeftBehind || (isProven(found.family, found.evidence) && needsExpiry(found.family));
    lock.problems.setFlag(Problem::NoExpiry, !lock.deadline && isFault);
}

void setFamily(Lock &lock, Family family)
{
    if (family == lock.family)
        return;
    lock.family = family;
    lock.problems.setFlag(Problem::NoExpiry,
                          !lock.deadline && lock.leaseOf != LeaseOf::Unknown && needsExpiry(family));
}

void nameByEvidence(Lock &lock, qint64 nowMs)
{
    showIfAlive(lock);
    const FamilySpec &spec = specOf(lock.family);
    if (lock.companions->hasListeners && spec.countsHolds && spec.unlockChannel)
        lock.evidence.set(Evidence::Listeners);
    FamilyMatch claim = companionClaim(lock);
    if (claim.family == lock.family) {
        lock.evidence |= claim.evidence;
        claim = contentClaim(lock, nowMs);
    }
    claim.evidence |= lock.evidence & (watchedEvidence | Evidence::Rule);
    if (claim.family == lock.family) {
        lock.evidence |= claim.evidence;
    } else if (isProven(claim.family, claim.evidence)) {
        lock.evidence = claim.evidence;
        setFamily(lock, claim.family);
    }
}

QList<Family> candidatesOf(const Lock &lock)
{
    QList<Family> found;
    QList<Family> named;
    if (isToken(lock)) {
        const StringValue string = stringOf(lock, 0);
        bool excludesOthers = false;
        const auto ask = [&](Family family) {
            const std::optional<StringMatch> match = matchOf(specOf(family), string);
            if (!match || (excludesOthers && !match->excludesOthers))
                return;
            if (match->excludesOthers && !std::exchange(excludesOthers, true))
                found.clear();
            found.append(family);
        };
        for (const Family family : familiesOfString(string.format))
            ask(family);
        for (const Family family : familiesNaming(string.key)) {
            if (!isAskedByName(family, string.format))
                continue;
            ask(family);
            named.append(family);
        }
    } else if (isOpenHash(lock)) {
        for (const Family family : familiesWith<&FamilySpec::matchOwners>()) {
            if (specOf(family).matchOwners({{}, lock.owners, {}}))
                found.append(family);
        }
    }
    std::ranges::stable_sort(found, std::ranges::greater(),
                             [](Family family) { return specOf(family).prevalence; });
    std::ranges::stable_partition(found, [&named](Family family) { return named.contains(family); });
    return found;
}

QList<Family> candidatesOf(const Lock &lock, QByteArrayView clientLibrary)
{
    const auto end = std::ranges::find_if(clientLibrary, [](char c) { return c == '(' || c == ' '; });
    const QByteArrayView name = clientLibrary.first(end - clientLibrary.begin());
    QList<Family> found = candidatesOf(lock);
    found.removeIf([name](Family family) {
        const QByteArray clients(specOf(family).clients);
        return std::ranges::none_of(clients.split(' '), [name](const QByteArray &client) {
            return !client.isEmpty() && client.compare(name, Qt::CaseInsensitive) == 0;
        });
    });
    return found;
}

QByteArrayList candidateNames(const Lock &lock)
{
    QByteArrayList names;
    for (const Family family : candidatesOf(lock))
        names.append(familyName(family));
    return names;
}

QByteArray storedField(const LockOwner &holder, Family family)
{
    const FamilySpec &spec = specOf(family);
    const QByteArray field = spec.forms ? ownerField(*spec.forms, holder.owner) : QByteArray();
    if (!field.isEmpty())
        return field;
    return spec.storedField ? spec.storedField(holder) : holder.owner.bytes;
}

} // namespace lockscope
