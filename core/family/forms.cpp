// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/forms.h"

#include "core/base/glob.h"
#include "core/family/formparts.h"

#include <QHash>

#include <algorithm>
#include <cmath>

namespace lockscope {

namespace {

constexpr qint64 clocksApart = 300'000; // ms, of who wrote it and of who reads it

bool matchesAny(std::span<const char *const> globs, QByteArrayView name)
{
    // Most begin otherwise, and every value that may be the family's comes here.
    const char first = name.isEmpty() ? '\0' : name.front();
    return std::ranges::any_of(globs, [name, first](const char *glob) {
        return (glob[0] == first || isSpecialInGlob(glob[0])) && globMatches(glob, name);
    });
}

/// True for a usual name of the family; absent: it never has such a name.
std::optional<bool> isNamed(const FamilySpec &spec, QByteArrayView key, IsUsual isUsual)
{
    if (matchesAny(spec.forms->notNames, key))
        return std::nullopt;
    if (!isUsual)
        isUsual = matchesAny({spec.usualNames.begin(), spec.usualNames.end()}, key);
    return *isUsual || (spec.forms->anyLockName && namesALock(key));
}

bool mayHaveName(const Form &form, bool isNamed, QByteArrayView key)
{
    if (!isNamed && form.elsewhere == UnusualNameMatch::Never)
        return false;
    if (form.key.empty())
        return true;
    Captures captures;
    return mayMatch(form.key, key) && matches(form.key, key, captures);
}

bool isFree(const Form &form, QByteArrayView value, const Parts &found, qint64 nowMs)
{
    return std::ranges::any_of(form.free, [&](const char *free) {
        return isPastEnd(free) ? momentIn(found, PartRole::Ends).value_or(nowMs) < nowMs
                               : value == QByteArrayView(free);
    });
}

bool fitsLease(const Form &form, const Parts &found, CompactOptional<milliseconds> ttl, qint64 nowMs)
{
    if (!ttl || (form.longestLeaseMs > 0 && ttl->count() > form.longestLeaseMs))
        return false;
    const CompactOptional<qint64> ends = momentIn(found, PartRole::Ends);
    return !ends || std::abs(*ends - nowMs - ttl->count()) < clocksApart;
}

/// True for a moment longer ago than any hold, or in the future: other programs' values.
bool isOutdated(const Form &form, const Parts &found, qint64 nowMs)
{
    if (form.oldestMs == 0)
        return false;
    const CompactOptional<qint64> since = momentIn(found, PartRole::Since);
    const CompactOptional<qint64> moment = since ? since : momentIn(found, PartRole::Tried);
    return !moment || *moment < nowMs - form.oldestMs || *moment > nowMs + dayMs;
}

std::optional<StringMatch> matchString(const Form &form, bool isNamed, const StringValue &string)
{
    StoredFields fields;
    const QByteArrayView text = textOf(form, string.value);
    Parts found;
    if (!takeString(found, form, text, fields))
        return std::nullopt;
    StringMatch match;
    match.mode = form.mode;
    match.isFree = isFree(form, text, found, string.nowMs);
    match.excludesOthers = form.excludesOthers;
    QByteArrayView count = partIn(found, PartRole::Holds);
    if (const QByteArrayView readers = partIn(found, PartRole::Readers); !readers.isEmpty())
        count = readers;
    match.holds = parseCount(count).value_or(1);
    const bool isCandidate =
        (!isNamed && form.elsewhere != UnusualNameMatch::Content) || isOutdated(form, found, string.nowMs);
    if (!isCandidate)
        match.evidence = contentEvidence(isNamed, fitsLease(form, found, string.ttl, string.nowMs));
    return match;
}

SharedValue<OwnerFacts> recorded(const OwnerFacts &facts)
{
    return facts == OwnerFacts() ? SharedValue<OwnerFacts>() : SharedValue(facts);
}

HoldMode modeOf(const Form &form, QByteArrayView value)
{
    Captures captures;
    if (!form.readValue.empty() && matches(form.readValue, value, captures))
        return HoldMode::Read;
    return !form.writeValue.empty() && matches(form.writeValue, value, captures) ? HoldMode::Write
                                                                                 : form.mode;
}

/// Reads one owner of a record, or each owner in a hash.
std::optional<OwnersMatch> matchHash(const Form &form, bool isNamed, const HashValue &hash)
{
    const auto &fields = hash.content.fields;
    Parts record;
    if (!takeRecord(record, form.fields, fields) || (isRecord(form) && !hash.content.complete))
        return std::nullopt;
    const bool isLeased = fitsLease(form, record, hash.ttl, hash.nowMs);
    const EvidenceSet evidence = contentEvidence(isNamed, isLeased);
    OwnerFacts shared;
    for (const Captured &found : record) {
        if (!form.member.empty() || found.shape.data() != ownersField(form).value.data())
            takeFacts(shared, found);
    }
    if (form.member.empty()) {
        QByteArrayView owner = partIn(record, PartRole::Owner);
        if (const auto field = find(ownersField(form), fields); owner.isEmpty() && field != fields.end())
            owner = field->second;
        const std::optional<qint64> holds = parseCount(partIn(record, PartRole::Holds));
        if (isFree(form, owner, record, hash.nowMs) || owner.isEmpty())
            return OwnersMatch{};
        return holding({{OwnerId(owner.toByteArray()), owner.toByteArray(), holds.value_or(1), form.mode,
                         recorded(shared)}},
                       evidence, true);
    }
    QList<LockOwner> owners;
    for (const auto &[field, value] : fields) {
        const bool isOfRecord =
            std::ranges::any_of(form.fields, [&field](const FieldShape &f) { return field == f.name; });
        if (isOfRecord)
            continue;
        Captures member;
        Parts parts;
        if (!matches(form.member, field, member) || !take(parts, form.value, value))
            return std::nullopt;
        if (isFree(form, value, parts, hash.nowMs))
            continue;
        const QByteArrayView holds = partIn(parts, PartRole::Holds);
        OwnerFacts own = shared;
        for (const Captured &found : parts)
            takeFacts(own, found);
        owners.append({OwnerId(field), value, holds.isEmpty() ? 1 : parseCount(holds), modeOf(form, value),
                       recorded(own)});
    }
    return holding(std::move(owners), evidence, hash.content.complete);
}

double msIn(ScoreMeaning meaning, double score)
{
    return score * (meaning == ScoreMeaning::EndsS || meaning == ScoreMeaning::SinceS ? 1000 : 1);
}

bool hasEnded(ScoreMeaning meaning, double score, qint64 nowMs)
{
    return meaning != ScoreMeaning::None && !isBegin(meaning) &&
           msIn(meaning, score) < static_cast<double>(nowMs);
}

bool isPlausible(ScoreMeaning meaning, double score, qint64 nowMs)
{
    const bool isToCome = score >= static_cast<double>(nowMs) + dayMs;
    return meaning == ScoreMeaning::None ||
           (msIn(meaning, score) > year2001 && (meaning != ScoreMeaning::RenewedMs || !isToCome));
}

template <typename Members, typename Each>
std::optional<OwnersMatch> matchMembers(const Form &form, bool isNamed, const Members &set, Each each)
{
    QList<LockOwner> owners;
    for (const auto &entry : set.content.members) {
        const auto [member, score] = each(entry);
        Captures captures;
        if (!matches(form.member, member, captures) || !isPlausible(form.score, score, set.nowMs))
            return std::nullopt;
        if (hasEnded(form.score, score, set.nowMs))
            continue;
        OwnerFacts facts;
        if (isBegin(form.score) && form.score != ScoreMeaning::RenewedMs)
            facts.sinceMs = static_cast<qint64>(msIn(form.score, score));
        owners.append({OwnerId(member), {}, 1, form.mode, recorded(facts)});
    }
    return holding(std::move(owners), contentEvidence(isNamed, fitsLease(form, {}, set.ttl, set.nowMs)),
                   set.content.complete);
}

// A quick look at what is stored: false where it surely is of another form. Most is, so it stands before the globs of names.
bool mayHold(const Form &form, const StringValue &string)
{
    if (form.isEmpty || form.mayBeWrapped)
        return form.isEmpty == string.value.isEmpty();
    return form.fields.empty() ? mayMatch(form.value, string.value) : string.value.startsWith('{');
}

bool mayHold(const Form &form, const HashValue &hash)
{
    const auto &fields = hash.content.fields;
    const auto isThere = [&fields](const FieldShape &wanted) {
        return wanted.mayLack || find(wanted, fields) != fields.end();
    };
    if (form.fields.empty())
        return !fields.isEmpty() && mayMatch(form.member, fields.front().first);
    return std::ranges::all_of(form.fields, isThere);
}

bool mayHold(const Form &form, const SetValue &set)
{
    return set.content.members.isEmpty() || mayMatch(form.member, set.content.members.front());
}

bool mayHold(const Form &form, const SortedSetValue &set)
{
    return set.content.members.isEmpty() || mayMatch(form.member, set.content.members.front().first);
}

/// The first of the family's forms of this type that matches.
template <typename Value, typename Match>
auto firstOf(const FamilySpec &spec, KeyType type, const Value &value, IsUsual isUsual, Match match)
    -> decltype(match(std::declval<const Form &>(), true, value))
{
    std::optional<bool> named;
    for (const Form &form : spec.forms->forms) {
        if (form.type != type || !mayHold(form, value))
            continue;
        if (!named)
            named = isNamed(spec, value.key, isUsual);
        if (!named)
            return std::nullopt;
        const bool isItsName = *named || form.isNamed;
        if (!mayHaveName(form, isItsName, value.key))
            continue;
        if (auto found = match(form, isItsName, value))
            return found;
    }
    return std::nullopt;
}

/// Calls `visit` with the captures of the first form that matches a lock's name and owner.
template <typename Visit>
void visitParts(const FamilySpec &spec, const LockKey &key, const OwnerId &owner, Visit visit)
{
    for (const Form &form : spec.forms->forms) {
        Captured name(form.key);
        if (!form.key.empty() && !matches(form.key, key.bytes, name.captures))
            continue;
        StoredFields fields;
        Parts found;
        const bool isIt =
            form.type == KeyType::String
                ? takeString(found, form, textOf(form, owner.bytes), fields)
                : take(found, form.member.empty() ? ownersField(form).value : form.member, owner.bytes);
        if (!isIt)
            continue;
        visit(name);
        for (const Captured &each : found)
            visit(each);
        return;
    }
}

} // namespace

std::optional<StringMatch> matchForms(const FamilySpec &spec, const StringValue &string, IsUsual isUsual)
{
    return firstOf(spec, KeyType::String, string, isUsual,
                   [](const Form &form, bool named, const StringValue &value) {
                       return form.isEmpty ? std::nullopt : matchString(form, named, value);
                   });
}

std::optional<StringMatch> matchEmpty(const FamilySpec &spec, const StringValue &string)
{
    return firstOf(spec, KeyType::String, string, {},
                   [](const Form &form, bool named, const StringValue &value) -> std::optional<StringMatch> {
                       if (!form.isEmpty)
                           return std::nullopt;
                       return StringMatch{
                           contentEvidence(named, fitsLease(form, {}, value.ttl, value.nowMs))};
                   });
}

std::optional<OwnersMatch> matchForms(const FamilySpec &spec, const HashValue &hash, IsUsual isUsual)
{
    return firstOf(spec, KeyType::Hash, hash, isUsual, matchHash);
}

std::optional<OwnersMatch> matchForms(const FamilySpec &spec, const SortedSetValue &set, IsUsual isUsual)
{
    return firstOf(spec, KeyType::SortedSet, set, isUsual,
                   [&spec](const Form &form, bool named, const SortedSetValue &value) {
                       auto held = matchMembers(form, named, value, [](const auto &entry) { return entry; });
                       if (held && !held->owners.isEmpty() && !form.lock.empty())
                           held = OwnersMatch{
                               .attachedTo = LockKey(filled(form.lock, spec, LockKey(value.key.toByteArray()),
                                                            held->owners[0].owner))};
                       return held;
                   });
}

std::optional<OwnersMatch> matchForms(const FamilySpec &spec, const SetValue &set, IsUsual isUsual)
{
    return firstOf(spec, KeyType::Set, set, isUsual, [](const Form &form, bool named, const SetValue &value) {
        return matchMembers(form, named, value,
                            [](const QByteArray &member) { return std::pair(member, 0.0); });
    });
}

OwnerFacts factsOf(const FamilySpec &spec, const LockKey &key, const OwnerId &owner)
{
    OwnerFacts facts;
    visitParts(spec, key, owner, [&facts](const Captured &found) { takeFacts(facts, found); });
    return facts;
}

OwnerFacts factsOf(const CompanionForm &record, const QList<std::pair<QByteArray, QByteArray>> &fields)
{
    OwnerFacts facts;
    Parts parts;
    if (takeRecord(parts, record.fields, fields)) {
        for (const Captured &each : parts)
            takeFacts(facts, each);
    }
    return facts;
}

CompactOptional<qint64> aliveUntil(const CompanionForm &heartbeat,
                                   const QList<std::pair<QByteArray, QByteArray>> &fields)
{
    Parts parts;
    if (!takeRecord(parts, heartbeat.fields, fields))
        return {};
    if (const CompactOptional<qint64> ends = momentIn(parts, PartRole::Ends))
        return ends;
    const CompactOptional<qint64> since = momentIn(parts, PartRole::Since);
    return since ? CompactOptional(*since + heartbeat.maxMs) : since;
}

QByteArray filled(Template shape, const FamilySpec &spec, const LockKey &key, const OwnerId &owner,
                  const QByteArray &unknown)
{
    QHash<QByteArrayView, QByteArray> parts;
    if (!owner.bytes.isEmpty())
        parts.insert("owner", owner.bytes);
    bool isKnown = owner.bytes.isEmpty();
    const auto add = [&parts, &isKnown](const Captured &found) {
        isKnown = true;
        for (qsizetype i = 0; i < found.captures.size(); ++i) {
            const TemplatePart &part = found.shape[static_cast<size_t>(i)];
            const bool isThere = part.least == 0 || !found.captures.at(i).isEmpty();
            if (part.type != PartType::Literal && isThere)
                parts.insert(part.literal(), found.captures.at(i).toByteArray());
        }
    };
    visitParts(spec, key, owner, add);
    for (const Form &form : spec.forms->forms) { // a holder that a companion key names is no owner by form
        Captured name(form.key);
        if (!isKnown && matches(form.key, key.bytes, name.captures))
            add(name);
    }
    QByteArray text;
    for (const TemplatePart &part : shape) {
        const bool isLiteral = part.type == PartType::Literal;
        if (!isLiteral && unknown.isEmpty() && !parts.contains(part.literal()))
            return {};
        text += isLiteral ? part.literal().toByteArray() : parts.value(part.literal(), unknown);
    }
    return text;
}

QByteArray ownerField(const Forms &forms, const OwnerId &owner)
{
    const FieldShape *first = nullptr;
    for (const Form &form : forms.forms) {
        const FieldShape *field = isRecord(form) ? &ownersField(form) : nullptr;
        if (Captures captures; field && matches(field->value, owner.bytes, captures))
            return field->name.toByteArray();
        first = first ? first : field;
    }
    return first ? first->name.toByteArray() : QByteArray();
}

QByteArrayList freeField(const Forms &forms)
{
    for (const Form &form : forms.forms) {
        const auto value = std::ranges::find_if_not(form.free, isPastEnd);
        if (isRecord(form) && value != form.free.end())
            return {ownersField(form).name.toByteArray(), *value};
    }
    return {};
}

} // namespace lockscope
