// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/filecompanions.h"

#include "core/base/glob.h"
#include "core/family/registry.h"
#include "core/model/lock.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

std::span<const CompanionForm> companionsOf(const FamilySpec &spec)
{
    return spec.forms ? spec.forms->companions : std::span<const CompanionForm>();
}

/// The one of this use; nullptr: there is none.
const CompanionForm *companionOf(Family family, CompanionUse use)
{
    const std::span<const CompanionForm> companions = companionsOf(specOf(family));
    const auto found = std::ranges::find(companions, use, &CompanionForm::use);
    return found == companions.end() ? nullptr : &*found;
}

QByteArray keyOf(const Lock &lock, CompanionUse use)
{
    const CompanionForm *form = companionOf(lock.family, use);
    const OwnerId owner = lock.owners.size() == 1 ? lock.owners.front().owner : OwnerId();
    return form ? filled(form->key, specOf(lock.family), lock.key(), owner) : QByteArray();
}

void appendRecord(CommandBatch &batch, const Lock &lock, const PartialCompanionState &)
{
    const QByteArray key = keyOf(lock, CompanionUse::Record);
    if (key.isEmpty())
        return;
    std::vector<QByteArrayView> command{"HMGET", key};
    for (const FieldShape &field : companionOf(lock.family, CompanionUse::Record)->fields)
        command.emplace_back(field.name);
    batch.add(command);
}

void appendQueue(CommandBatch &batch, const Lock &lock, const PartialCompanionState &)
{
    if (const QByteArray key = fileQueueKey(lock); !key.isEmpty())
        batch.add({"ZRANGE", key, "0", lastWaiterAsked, "WITHSCORES"});
}

CompanionQueries takeRecord(const Lock &lock, PartialCompanionState &reading, std::span<const Reply> replies,
                            Family self)
{
    const CompanionForm &form = *companionOf(lock.family, CompanionUse::Record);
    const std::vector<Reply> &values = replies[0].elements;
    reading.read.insert(self);
    QList<std::pair<QByteArray, QByteArray>> fields;
    for (size_t i = 0; i < std::min(values.size(), form.fields.size()); ++i) {
        if (values[i].isText())
            fields.append({form.fields[i].name.toByteArray(), values[i].text});
    }
    const OwnerFacts facts = factsOf(form, fields);
    if (!facts.host.isEmpty() && !facts.process.isEmpty())
        reading.state.worker = facts.host + ':' + facts.process;
    return {};
}

/// Members and scores, one after the other.
CompanionQueries takeWaiters(const Lock &lock, PartialCompanionState &reading, std::span<const Reply> replies,
                             Family self)
{
    const CompanionForm &form = *companionOf(lock.family, CompanionUse::Queue);
    const Reply &reply = replies[0];
    reading.read.insert(self);
    Reply members = reply;
    members.elements.clear();
    for (size_t i = 0; i + 1 < reply.elements.size(); i += 2)
        members.elements.push_back(reply.elements[i]);
    takeQueue(reading, members, self);
    const bool inSeconds = form.score == ScoreMeaning::SinceS || form.score == ScoreMeaning::EndsS;
    const bool isSince = isBegin(form.score);
    if (form.score == ScoreMeaning::None || (isSince && form.maxMs == 0))
        return {};
    for (qsizetype i = 0; i < reading.state.waiters.queue.size(); ++i) {
        const double score = reply.elements[size_t(2 * i + 1)].text.toDouble() * (inSeconds ? 1000 : 1);
        reading.state.waiters.queue[i].timeoutAtMs = static_cast<qint64>(score) + (isSince ? form.maxMs : 0);
    }
    return {};
}

/// Where a heartbeat is kept.
enum class BeatIn : quint8 { Key, Set, Hash };

BeatIn placeOf(const CompanionForm &form)
{
    if (!form.fields.empty())
        return BeatIn::Hash;
    return form.member.empty() ? BeatIn::Key : BeatIn::Set;
}

constexpr qsizetype maxHolders = 16; // of a lock

/// Those whom a hash beside the lock names, where its family keeps one; else its owners.
const QList<LockOwner> &holdersOf(const Lock &lock, const PartialCompanionState &reading)
{
    return companionOf(lock.family, CompanionUse::Holders) ? reading.holders : lock.owners;
}

/// The next holder of whom a heartbeat is kept, as far as is known; -1: there is none.
qsizetype nextHolder(const Lock &lock, const QList<LockOwner> &holders, const CompanionForm &form,
                     qsizetype from)
{
    const FamilySpec &spec = specOf(lock.family);
    for (qsizetype i = from; i < std::min(holders.size(), maxHolders); ++i) {
        const OwnerId &owner = holders[i].owner;
        const QByteArray member = filled(form.member, spec, lock.key(), owner);
        const bool isKept = std::ranges::none_of(
            form.except, [&member](const char *other) { return member == QByteArrayView(other); });
        if ((form.member.empty() || (!member.isEmpty() && isKept)) &&
            !filled(form.key, spec, lock.key(), owner).isEmpty())
            return i;
    }
    return -1;
}

template <BeatIn place>
void appendHeartbeat(CommandBatch &batch, const Lock &lock, const PartialCompanionState &reading)
{
    const CompanionForm *form = companionOf(lock.family, CompanionUse::Heartbeat);
    const QList<LockOwner> &holders = holdersOf(lock, reading);
    const qsizetype holder =
        form && placeOf(*form) == place ? nextHolder(lock, holders, *form, reading.heartbeats) : -1;
    if (holder < 0)
        return;
    const OwnerId &owner = holders[holder].owner;
    const QByteArray key = filled(form->key, specOf(lock.family), lock.key(), owner);
    const QByteArray member = filled(form->member, specOf(lock.family), lock.key(), owner);
    if (place == BeatIn::Set) {
        batch.add({"ZSCORE", key, member});
    } else if (place == BeatIn::Hash) {
        std::vector<QByteArrayView> command{"HMGET", key};
        for (const FieldShape &field : form->fields)
            command.emplace_back(form->member.empty() ? field.name : QByteArrayView(member));
        batch.add(command);
    }
    batch.add({"EXISTS", key});
    if (place != BeatIn::Key)
        batch.add({"TIME"});
}

/// Epoch ms, of the reply to TIME.
CompactOptional<qint64> momentIn(const Reply &time)
{
    if (time.elements.size() != 2)
        return {};
    return epochMsIn(time.elements[0].text + time.elements[1].text.rightJustified(6, '0').first(3));
}

/// Until when the holder counts as alive, of a member's score or of fields.
CompactOptional<qint64> endIn(const CompanionForm &form, const Reply &told)
{
    if (placeOf(form) == BeatIn::Set) {
        const bool inSeconds = form.score == ScoreMeaning::SinceS || form.score == ScoreMeaning::EndsS;
        const CompactOptional<qint64> moment =
            epochMsIn(QByteArray::number(told.text.toDouble() * (inSeconds ? 1000 : 1), 'f'));
        return moment ? CompactOptional(*moment + form.maxMs) : moment;
    }
    QList<std::pair<QByteArray, QByteArray>> fields;
    for (size_t i = 0; i < std::min(told.elements.size(), form.fields.size()); ++i) {
        if (told.elements[i].isText())
            fields.append({form.fields[i].name.toByteArray(), told.elements[i].text});
    }
    return aliveUntil(form, fields);
}

/// What one holder's heartbeat says.
struct Beat
{
    Heartbeat::State state = Heartbeat::State::Unknown;
    CompactOptional<qint64> untilMs{};
    bool isProven = true;
};

/// Judges a moment by the server's clock. A writer's clock may differ: a moment in the future says nothing.
Beat beatUntil(const CompanionForm &form, qint64 end, qint64 now)
{
    using enum Heartbeat::State;
    constexpr qint64 dayMs = 86'400'000;
    const bool isAge = form.maxMs > 0;
    const qint64 ahead = end - (isAge ? form.maxMs : 0) - now;
    if (ahead > (isAge && form.everyMs > 0 ? 2 * form.everyMs : dayMs))
        return {};
    return {now < end ? Alive : Dead, end};
}

/// Reads one holder's heartbeat. A value without a moment, or a missing one, says nothing unless the file says that it does.
Beat beatIn(const CompanionForm &form, std::span<const Reply> replies)
{
    using enum Heartbeat::State;
    if (placeOf(form) == BeatIn::Key)
        return replies[0].isInteger() ? Beat{isThere(replies[0]) ? Alive : Dead} : Beat();
    const Reply &told = replies[0];
    const auto isNothing = [](const Reply &reply) { return reply.isNil(); };
    const bool isMissing =
        told.isNil() || (!told.elements.empty() && std::ranges::all_of(told.elements, isNothing));
    if (isMissing)
        return form.missingIsDead && isThere(replies[1]) ? Beat{Dead, {}, false} : Beat();
    const CompactOptional<qint64> now = momentIn(replies[2]);
    const CompactOptional<qint64> end = endIn(form, told);
    return now && end ? beatUntil(form, *end, *now) : Beat();
}

/// The lock's holder is dead if one of several is; all have to be alive.
template <const CompanionQuery &self>
CompanionQueries takeHeartbeat(const Lock &lock, PartialCompanionState &reading,
                               std::span<const Reply> replies, Family family)
{
    using enum Heartbeat::State;
    const CompanionForm &form = *companionOf(lock.family, CompanionUse::Heartbeat);
    const QList<LockOwner> &holders = holdersOf(lock, reading);
    const qsizetype holder = nextHolder(lock, holders, form, reading.heartbeats);
    const Beat found = beatIn(form, replies);
    Heartbeat &known = reading.state.heartbeat;
    reading.read.insert(family);
    reading.isBeatMissing = reading.isBeatMissing || found.state == Unknown || holder > reading.heartbeats;
    reading.heartbeats = holder + 1;
    const bool isSooner = found.untilMs && (!known.untilMs || *found.untilMs < *known.untilMs);
    if (found.state == Dead ? known.gone.isEmpty() : known.gone.isEmpty() && isSooner)
        known.untilMs = found.untilMs;
    if (found.state == Dead) {
        const qint64 holds = holders[holder].holdCount.value_or(1);
        known.gone.append({holders[holder].owner, found.untilMs, holds, found.isProven});
        known.state = Dead;
    }
    if (nextHolder(lock, holders, form, reading.heartbeats) >= 0)
        return {&self};
    const bool isAll = !reading.isBeatMissing && reading.heartbeats >= holders.size() &&
                       !lock.problems.testFlag(Problem::TooBig);
    known.areAllGone = isAll && !reading.isHolderUnreadable && known.gone.size() == holders.size();
    if (known.state == Dead)
        return {};
    if (isAll)
        known.state = Alive;
    else
        known = {};
    return {};
}

/// The query that reads the heartbeats, where one of these holders has one; nullptr: none does.
const CompanionQuery *heartbeatQuery(const Lock &lock, const QList<LockOwner> &holders)
{
    const CompanionForm *form = companionOf(lock.family, CompanionUse::Heartbeat);
    if (!form || nextHolder(lock, holders, *form, 0) < 0)
        return nullptr;
    switch (placeOf(*form)) {
    case BeatIn::Key:
        return &keyHeartbeatQuery;
    case BeatIn::Set:
        return &setHeartbeatQuery;
    case BeatIn::Hash:
        break;
    }
    return &hashHeartbeatQuery;
}

void appendHolders(CommandBatch &batch, const Lock &lock, const PartialCompanionState &)
{
    if (const QByteArray key = keyOf(lock, CompanionUse::Holders); !key.isEmpty())
        batch.add({"HSCAN", key, "0", "COUNT", QByteArray::number(maxHolders)});
}

/// Takes those whose count is above zero, and then their heartbeats. Other entries, but zeros, may be holders.
CompanionQueries takeHolders(const Lock &lock, PartialCompanionState &reading, std::span<const Reply> replies,
                             Family self)
{
    const CompanionForm &form = *companionOf(lock.family, CompanionUse::Holders);
    const Template count = form.fields.front().value;
    const std::vector<Reply> &page = replies[0].elements;
    reading.read.insert(self);
    if (page.size() != 2)
        return {};
    const std::vector<Reply> &pairs = page[1].elements;
    QByteArrayList names;
    for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
        Captures field;
        Captures value;
        const bool isHolder = matches(form.member, pairs[i].text, field) &&
                              matches(count, pairs[i + 1].text, value) &&
                              parseCount(partOf(count, value, PartRole::Holds)).value_or(0) > 0;
        if (!isHolder) {
            reading.isHolderUnreadable = reading.isHolderUnreadable || pairs[i + 1].text != "0";
            continue;
        }
        if (reading.holders.size() == maxHolders) {
            reading.isBeatMissing = true;
            break;
        }
        const QByteArray owner = partOf(form.member, field, PartRole::Owner).toByteArray();
        if (isAmong(reading.holders, {OwnerId(owner), {}, {}})) // told twice while the hash grows
            continue;
        reading.holders.append({OwnerId(owner), pairs[i + 1].text, parseCount(pairs[i + 1].text)});
        names.append(owner + " ×" + pairs[i + 1].text);
    }
    reading.isBeatMissing = reading.isBeatMissing || page[0].text != "0";
    reading.state.worker = names.join(", ");
    const CompanionQuery *beats = heartbeatQuery(lock, reading.holders);
    return beats ? CompanionQueries{beats} : CompanionQueries();
}

QByteArray patternOf(const Lock &lock, CompanionUse use)
{
    QByteArray glob;
    for (const TemplatePart &part : companionOf(lock.family, use)->key)
        glob += part.type == PartType::Literal ? escapedGlob(part.literal().toByteArray()) : QByteArray("*");
    return glob;
}

constexpr std::array recordCommands{QByteArrayView("hmget")};
constexpr std::array queueCommands{QByteArrayView("zrange")};
constexpr std::array holdersCommands{QByteArrayView("hscan")};
constexpr std::array keyCommands{QByteArrayView("exists")};
constexpr std::array setCommands{QByteArrayView("zscore"), QByteArrayView("exists"), QByteArrayView("time")};
constexpr std::array hashCommands{QByteArrayView("hmget"), QByteArrayView("exists"), QByteArrayView("time")};

QByteArray heartbeatPattern(const Lock &lock)
{
    return patternOf(lock, CompanionUse::Heartbeat);
}

} // namespace

constinit const CompanionQuery fileRecordQuery{
    .commands = recordCommands,
    .apart = 1,
    .append = appendRecord,
    .take = takeRecord,
    .pattern = [](const Lock &lock) { return patternOf(lock, CompanionUse::Record); }};
constinit const CompanionQuery fileQueueQuery{
    .commands = queueCommands,
    .apart = 1,
    .append = appendQueue,
    .take = takeWaiters,
    .pattern = [](const Lock &lock) { return patternOf(lock, CompanionUse::Queue); }};
constinit const CompanionQuery fileHoldersQuery{
    .commands = holdersCommands,
    .apart = 1,
    .append = appendHolders,
    .take = takeHolders,
    .pattern = [](const Lock &lock) { return patternOf(lock, CompanionUse::Holders); }};
constinit const CompanionQuery keyHeartbeatQuery{.commands = keyCommands,
                                                 .apart = 2,
                                                 .append = appendHeartbeat<BeatIn::Key>,
                                                 .take = takeHeartbeat<keyHeartbeatQuery>,
                                                 .pattern = heartbeatPattern};
constinit const CompanionQuery setHeartbeatQuery{.commands = setCommands,
                                                 .weight = 2,
                                                 .apart = 2,
                                                 .append = appendHeartbeat<BeatIn::Set>,
                                                 .take = takeHeartbeat<setHeartbeatQuery>,
                                                 .pattern = heartbeatPattern};
constinit const CompanionQuery hashHeartbeatQuery{.commands = hashCommands,
                                                  .weight = 2,
                                                  .apart = 2,
                                                  .append = appendHeartbeat<BeatIn::Hash>,
                                                  .take = takeHeartbeat<hashHeartbeatQuery>,
                                                  .pattern = heartbeatPattern};

CompanionQueries fileCompanionQueriesOf(const Lock &lock)
{
    CompanionQueries queries;
    if (!keyOf(lock, CompanionUse::Record).isEmpty())
        queries.push_back(&fileRecordQuery);
    if (!fileQueueKey(lock).isEmpty())
        queries.push_back(&fileQueueQuery);
    if (!keyOf(lock, CompanionUse::Holders).isEmpty()) // which tell whose heartbeats to look for
        queries.push_back(&fileHoldersQuery);
    else if (const CompanionQuery *beats = heartbeatQuery(lock, holdersOf(lock, {})))
        queries.push_back(beats);
    return queries;
}

bool hasFileCompanions(const Lock &lock)
{
    // Most locks are of other families, and each is asked about.
    return !companionsOf(specOf(lock.family)).empty() && !fileCompanionQueriesOf(lock).empty();
}

QByteArrayList fileCompanionKeys(const Lock &lock, const QByteArray &unknown)
{
    QByteArrayList keys;
    const FamilySpec &spec = specOf(lock.family);
    for (const CompanionForm &form : companionsOf(spec)) {
        if (form.use != CompanionUse::Index) // nothing reads it
            keys.append(filled(form.key, spec, lock.key(), {}, unknown));
    }
    return keys;
}

QByteArrayList indexKeys(Family family, const LockKey &lock, const QList<LockOwner> &owners,
                         const QByteArray &unknown)
{
    QByteArrayList keys;
    const FamilySpec &spec = specOf(family);
    for (const CompanionForm &form : companionsOf(spec)) {
        for (const LockOwner &owner : owners) {
            const QByteArray key = form.use == CompanionUse::Index
                                       ? filled(form.key, spec, lock, owner.owner, unknown)
                                       : QByteArray();
            if (!key.isEmpty() && !keys.contains(key))
                keys.append(key);
        }
    }
    std::ranges::sort(keys);
    return keys;
}

milliseconds heartbeatLifetime(Family family)
{
    const CompanionForm *beat = companionOf(family, CompanionUse::Heartbeat);
    return milliseconds(beat ? beat->maxMs : 0);
}

milliseconds heartbeatInterval(Family family)
{
    const CompanionForm *beat = companionOf(family, CompanionUse::Heartbeat);
    return beat && beat->everyMs > 0 ? milliseconds(beat->everyMs) : heartbeatLifetime(family);
}

QByteArray heartbeatKey(const Lock &lock, const OwnerId &owner)
{
    const CompanionForm *form = companionOf(lock.family, CompanionUse::Heartbeat);
    return form ? filled(form->key, specOf(lock.family), lock.key(), owner) : QByteArray();
}

QByteArray fileQueueKey(const Lock &lock)
{
    return keyOf(lock, CompanionUse::Queue);
}

} // namespace lockscope
