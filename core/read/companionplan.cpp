// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/companionplan.h"

#include "core/family/companionkeys.h"
#include "core/family/filecompanions.h"
#include "core/family/registry.h"

#include <algorithm>
#include <array>

namespace lockscope {

using Part = CompanionAccess::Part;
using Kind = CompanionStep::Kind;

namespace {

const Companions &companionsOf(Family family)
{
    return specOf(family).companions;
}

/// The families of a lock's possible companions on this server.
QList<Family> possible(const Lock &lock, const CompanionAccess &access)
{
    QList<Family> found;
    for (const Family family : familiesWithCompanions()) {
        const Companions &companions = companionsOf(family);
        if (specOf(family).forms && family != lock.family)
            continue; // a family that is data has those of its own locks
        if (companions.mayHave(lock) && !(companions.needOneServer && access.isCluster()))
            found.append(family);
    }
    return found;
}

/// True if other known families exclude it: a lock has companions of one library, and one queue.
bool isRuledOut(Family family, const FamilySet &known)
{
    const FamilySpec &spec = specOf(family);
    return std::ranges::any_of(known.begin(), known.end(), [&](Family other) {
        const bool isOther = qstrcmp(specOf(other).library, spec.library) != 0;
        if (other == family || !companionsOf(other).decideKind ||
            (known.contains(family) && specOf(other).precedence < spec.precedence))
            return false; // of two that were both seen, the first in order stays
        return isOther || companionsOf(other).queue;
    });
}

QList<Family> withSigns(const Lock &lock, const CompanionAccess &access)
{
    QList<Family> found = possible(lock, access);
    const FamilySet &known = lock.companions->implied;
    found.removeIf([&](Family family) {
        return !companionsOf(family).signs || known.contains(family) || isRuledOut(family, known) ||
               !access.mayAsk(Part::of(family), lock.key());
    });
    return found;
}

CompanionQuestions all(Family family, std::span<const CompanionQuery *const> queries)
{
    CompanionQuestions questions;
    for (const CompanionQuery *query : queries)
        questions.push_back({Kind::Query, family, query});
    return questions;
}

void add(CompanionQuestions &questions, const CompanionQuestions &more)
{
    questions.insert(questions.end(), more.begin(), more.end());
}

std::span<const QByteArrayView> commandsOf(const CompanionStep &question)
{
    static constexpr std::array exists{QByteArrayView("exists")};
    static constexpr std::array length{QByteArrayView("llen")};
    if (question.query)
        return question.query->commands;
    return question.kind == Kind::Length ? std::span<const QByteArrayView>(length) : exists;
}

FamilySet familiesOf(const CompanionStep &question)
{
    if (question.kind == Kind::AnySign)
        return question.asked;
    FamilySet one;
    one.insert(question.family);
    return one;
}

/// A glob of the keys read; empty for queues and for keys that are retried one by one.
QByteArray patternOf(const CompanionStep &question, const Lock &lock)
{
    if (question.kind == Kind::AnySign || question.kind == Kind::Length)
        return {};
    const CompanionQuery *query =
        question.query ? question.query : companionsOf(question.family).queries.front();
    return query->pattern ? query->pattern(lock) : QByteArray();
}

void noteAbsence(PartialCompanionState &reading, Family family)
{
    reading.read.insert(family);
    reading.queueRead = reading.queueRead || companionsOf(family).queue;
}

} // namespace

Part CompanionStep::part() const
{
    switch (kind) {
    case Kind::AnySign:
        return Part::any();
    case Kind::Length:
        return Part::lengths();
    case Kind::Query:
        if (query->apart != 0)
            return Part::apart(family, query->apart);
        break;
    case Kind::Signs:
        break;
    }
    return Part::of(family);
}

CompanionQuestions firstQuestions(const Lock &lock, const CompanionAccess &access)
{
    CompanionQuestions questions;
    for (const Family family : possible(lock, access)) {
        const Companions &companions = companionsOf(family);
        const FamilySet &known = lock.companions->implied;
        const bool isAsked = (known.contains(family) && !isRuledOut(family, known)) || !companions.signs;
        if (isAsked && access.mayAsk(Part::of(family), lock.key()))
            add(questions, all(family, companions.queries));
        if (!companions.more)
            continue;
        for (const CompanionQuery *query : companions.more(lock)) {
            if (const CompanionStep more{Kind::Query, family, query}; access.mayAsk(more.part(), lock.key()))
                questions.push_back(more);
        }
    }
    const QList<Family> open = withSigns(lock, access);
    if (open.size() > 1 && access.mayAsk(Part::any(), lock.key())) {
        CompanionStep any{Kind::AnySign, {}};
        for (const Family family : open)
            any.asked.insert(family);
        questions.push_back(any);
        return questions;
    }
    for (const Family family : open)
        questions.push_back({Kind::Signs, family});
    return questions;
}

void append(CommandBatch &batch, const CompanionStep &question, const Lock &lock,
            const PartialCompanionState &reading)
{
    if (question.kind == Kind::Query)
        return question.query->append(batch, lock, reading);
    if (question.kind == Kind::Length)
        return batch.add({"LLEN", companionsOf(question.family).queue(lock.key())});
    QByteArrayList keys;
    for (const Family family : familiesOf(question))
        keys += companionsOf(family).signs(lock.key());
    std::vector<QByteArrayView> command{"EXISTS"};
    command.insert(command.end(), keys.begin(), keys.end());
    batch.add(command);
}

CompanionQuestions takeAnswer(const CompanionStep &question, const Lock &lock, PartialCompanionState &reading,
                              std::span<const Reply> replies, CompanionAccess &access)
{
    access.noteAnswer(question.part(), commandsOf(question), lock.key());
    const Reply &first = replies.front();
    CompanionQuestions more;
    switch (question.kind) {
    case Kind::AnySign:
        for (const Family family : question.asked) {
            if (first.isError()) // names that fall into different slots
                more.push_back({Kind::Signs, family});
            else if (isThere(first))
                add(more, all(family, companionsOf(family).queries));
            else
                noteAbsence(reading, family);
        }
        return more;
    case Kind::Signs:
        if (isThere(first))
            return all(question.family, companionsOf(question.family).queries);
        if (first.isInteger())
            noteAbsence(reading, question.family);
        reading.read.insert(question.family);
        return {};
    case Kind::Length:
        reading.isLonger = false;
        if (first.isInteger())
            reading.state.waiters.count = std::max<qint64>(first.integer, reading.state.waiters.queue.size());
        return {};
    case Kind::Query:
        break;
    }
    const bool wasLonger = reading.isLonger;
    const CompanionQueries queries = question.query->take(lock, reading, replies, question.family);
    if (reading.isLonger && !wasLonger && companionsOf(question.family).queue)
        more.push_back({Kind::Length, question.family});
    add(more, all(question.family, queries));
    return more;
}

CompanionQuestions takeRefusal(const CompanionStep &question, const Lock &lock, CompanionAccess &access,
                               const Error &why)
{
    access.refuse(question.part(), {commandsOf(question), patternOf(question, lock)}, lock.key(), why);
    if (question.kind != Kind::AnySign)
        return {};
    // Some of these names may be forbidden, and others not.
    CompanionQuestions questions;
    for (const Family family : question.asked)
        questions.push_back({Kind::Signs, family});
    return questions;
}

namespace {

/// The queue of a family that is data, its holders and their heartbeats are refused apart from each other.
Unread unreadOfFile(const Lock &lock, const PartialCompanionState &reading, const CompanionAccess &access)
{
    const auto isRefused = [&](const CompanionQuery &query) {
        return access.isForbidden(Part::apart(lock.family, query.apart), lock.key());
    };
    Unread unread = Unread::Nothing;
    for (const CompanionQuery *query : fileCompanionQueriesOf(lock)) {
        const bool isQueue = query == &fileQueueQuery;
        const bool isMissing =
            isQueue ? !reading.queueRead && isRefused(*query)
                    : query != &fileRecordQuery &&
                          (isRefused(*query) || (query == &fileHoldersQuery && isRefused(keyHeartbeatQuery)));
        if (isMissing)
            unread = std::max(unread, isQueue ? Unread::Waiters : Unread::Heartbeat);
    }
    return unread;
}

} // namespace

Unread unreadOf(const Lock &lock, const PartialCompanionState &reading, const CompanionAccess &access)
{
    Unread unread = reading.isLonger && access.isForbidden(Part::lengths(), lock.key()) ? Unread::Waiters
                                                                                        : Unread::Nothing;
    for (const Family family : possible(lock, access)) {
        const bool isMissing =
            !reading.read.contains(family) && access.isForbidden(Part::of(family), lock.key());
        if (!isMissing || isRuledOut(family, reading.state.implied))
            continue;
        if (family == lock.family && specOf(family).acquire == AcquireSupport::IsJob)
            continue; // its name alone said what it is, and nobody waits for it
        if (companionsOf(family).decideKind)
            return Unread::Kind;
        if (companionsOf(family).tellWaiters)
            unread = Unread::Waiters;
    }
    return std::max(unread, unreadOfFile(lock, reading, access));
}

bool mayHaveCompanions(const Lock &lock)
{
    return std::ranges::any_of(familiesWithCompanions(),
                               [&](Family family) { return companionsOf(family).mayHave(lock); });
}

void appendQueue(CommandBatch &batch, const Lock &lock)
{
    if (const auto queue = companionsOf(queueFamilyOf(lock)).queue)
        batch.add({"LRANGE", queue(lock.key()), "0", lastWaiterAsked});
    else
        batch.add({"ZRANGE", fileQueueKey(lock), "0", lastWaiterAsked});
}

QList<Waiter> queueFrom(const Lock &lock, const Reply &members)
{
    return waitersIn(members, queueFamilyOf(lock));
}

} // namespace lockscope
