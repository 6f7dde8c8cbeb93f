// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/beside.h"

#include "core/base/glob.h"
#include "core/family/registry.h"
#include "core/model/lock.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

/// The one of this use; nullptr: there is none.
const BesideForm *besideOf(const Lock &lock, BesideUse use)
{
    const Forms *forms = specOf(lock.family).forms;
    if (!forms)
        return nullptr;
    const auto found = std::ranges::find(forms->companions, use, &BesideForm::use);
    return found == forms->companions.end() ? nullptr : &*found;
}

QByteArray keyOf(const Lock &lock, BesideUse use)
{
    const BesideForm *form = besideOf(lock, use);
    const OwnerId owner = lock.owners.size() == 1 ? lock.owners.front().owner : OwnerId();
    return form ? filled(form->key, specOf(lock.family), lock.key(), owner) : QByteArray();
}

void appendRecord(CommandBatch &batch, const Lock &lock, const CompanionReading &)
{
    const QByteArray key = keyOf(lock, BesideUse::Record);
    if (key.isEmpty())
        return;
    std::vector<QByteArrayView> command{"HMGET", key};
    for (const FieldForm &field : besideOf(lock, BesideUse::Record)->fields)
        command.emplace_back(field.name);
    batch.add(command);
}

void appendQueue(CommandBatch &batch, const Lock &lock, const CompanionReading &)
{
    if (const QByteArray key = besideQueue(lock); !key.isEmpty())
        batch.add({"ZRANGE", key, "0", lastWaiterAsked, "WITHSCORES"});
}

CompanionQueries takeRecord(const Lock &lock, CompanionReading &reading, std::span<const Reply> replies,
                            Family self)
{
    const BesideForm &form = *besideOf(lock, BesideUse::Record);
    const std::vector<Reply> &values = replies[0].elements;
    reading.read.insert(self);
    QList<std::pair<QByteArray, QByteArray>> fields;
    for (size_t i = 0; i < std::min(values.size(), form.fields.size()); ++i) {
        if (values[i].isText())
            fields.append({form.fields[i].name, values[i].text});
    }
    const OwnerFacts facts = factsOf(form, fields);
    if (!facts.host.isEmpty() && !facts.process.isEmpty())
        reading.state.worker = facts.host + ':' + facts.process;
    return {};
}

/// Members and scores, one after the other.
CompanionQueries takeWaiters(const Lock &lock, CompanionReading &reading, std::span<const Reply> replies,
                             Family self)
{
    const BesideForm &form = *besideOf(lock, BesideUse::Queue);
    const Reply &reply = replies[0];
    reading.read.insert(self);
    Reply members = reply;
    members.elements.clear();
    for (size_t i = 0; i + 1 < reply.elements.size(); i += 2)
        members.elements.push_back(reply.elements[i]);
    takeQueue(reading, members, self);
    const bool inSeconds = form.score == ScoreMeaning::SinceS || form.score == ScoreMeaning::EndsS;
    const bool isSince = form.score == ScoreMeaning::SinceS || form.score == ScoreMeaning::SinceMs;
    if (form.score == ScoreMeaning::None || (isSince && form.waitsMs == 0))
        return {};
    for (qsizetype i = 0; i < reading.state.waiters.queue.size(); ++i) {
        const double score = reply.elements[size_t(2 * i + 1)].text.toDouble() * (inSeconds ? 1000 : 1);
        reading.state.waiters.queue[i].timeoutAtMs =
            static_cast<qint64>(score) + (isSince ? form.waitsMs : 0);
    }
    return {};
}

QByteArray patternOf(const Lock &lock, BesideUse use)
{
    QByteArray glob;
    for (const TemplatePart &part : besideOf(lock, use)->key)
        glob += part.type == PartType::Literal ? escapedGlob(part.literal().toByteArray()) : QByteArray("*");
    return glob;
}

constexpr std::array recordCommands{QByteArrayView("hmget")};
constexpr std::array queueCommands{QByteArrayView("zrange")};

} // namespace

constinit const CompanionQuery besideRecordQuery{
    .commands = recordCommands,
    .isApart = true,
    .append = appendRecord,
    .take = takeRecord,
    .pattern = [](const Lock &lock) { return patternOf(lock, BesideUse::Record); }};
constinit const CompanionQuery besideQueueQuery{
    .commands = queueCommands,
    .isApart = true,
    .append = appendQueue,
    .take = takeWaiters,
    .pattern = [](const Lock &lock) { return patternOf(lock, BesideUse::Queue); }};

CompanionQueries besideQueriesOf(const Lock &lock)
{
    CompanionQueries queries;
    if (!keyOf(lock, BesideUse::Record).isEmpty())
        queries.push_back(&besideRecordQuery);
    if (!besideQueue(lock).isEmpty())
        queries.push_back(&besideQueueQuery);
    return queries;
}

bool hasBeside(const Lock &lock)
{
    return !besideQueriesOf(lock).empty();
}

QByteArrayList besideKeys(const Lock &lock, const QByteArray &unknown)
{
    QByteArrayList keys;
    const FamilySpec &spec = specOf(lock.family);
    for (const BesideForm &form : spec.forms ? spec.forms->companions : std::span<const BesideForm>())
        keys.append(filled(form.key, spec, lock.key(), {}, unknown));
    return keys;
}

QByteArray besideQueue(const Lock &lock)
{
    return keyOf(lock, BesideUse::Queue);
}

} // namespace lockscope
