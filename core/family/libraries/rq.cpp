// SPDX-License-Identifier: GPL-3.0-or-later
// RQ: the lock of a queue's scheduler. The token is its process ID, or since RQ 2.10 its name.
#include "core/family/familytable.h"
#include "core/model/lock.h"

#include <array>

namespace lockscope {

namespace {

constexpr QByteArrayView prefix = "rq:scheduler-lock:";
constexpr QByteArrayView schedulers = "rq:scheduler:";

std::optional<StringMatch> matchString(const StringValue &string)
{
    const bool isToken = string.format == TokenFormat::Hex32 || isDigits(string.value);
    if (!string.key.startsWith(prefix) || !isToken)
        return std::nullopt;
    return StringMatch{contentEvidence(true, string.ttl.has_value())};
}

OwnerFacts ownerFacts(const LockKey &, const OwnerId &owner)
{
    OwnerFacts facts;
    if (isDigits(owner.bytes))
        facts.process = owner.bytes;
    return facts;
}

/// A scheduler's record of itself: no lock, though it says who and where.
bool isRecord(QByteArrayView key)
{
    return key.startsWith(schedulers) && shapeOf(key.sliced(schedulers.size())) == TokenFormat::Hex32;
}

bool isNamed(const Lock &lock)
{
    return isOf(lock, families::rq) && lock.owners.size() == 1 &&
           shapeOf(lock.owners.front().owner.bytes) == TokenFormat::Hex32;
}

void append(CommandBatch &batch, const Lock &lock, const CompanionReading &)
{
    const QByteArray record = schedulers.toByteArray() + lock.owners.front().owner.bytes;
    batch.add({"HMGET", record, "hostname", "pid"});
}

CompanionQueries take(const Lock &, CompanionReading &reading, std::span<const Reply> replies, Family self)
{
    reading.read.insert(self);
    const std::vector<Reply> &values = replies[0].elements;
    if (values.size() == 2 && values[0].isText() && values[1].isText())
        reading.state.worker = values[0].text + ':' + values[1].text;
    return {};
}

constexpr std::array commands{QByteArrayView("hmget")};
constexpr CompanionQuery recordQuery{
    .commands = commands, .append = append, .take = take, .pattern = [](const Lock &) -> QByteArray {
        return schedulers.toByteArray() + '*';
    }};
constexpr std::array queries{&recordQuery};

} // namespace

constinit const FamilySpec families::rq{
    .name = "rq",
    .noun = QT_TRANSLATE_NOOP("phrases", "RQ scheduler lock"),
    .stored = "string: process ID, or 32 hex digits, under `rq:scheduler-lock:…`",
    .proof = provenByOwnName,
    .prevalence = 46,
    .usualNames = {"rq:scheduler-lock:*"},
    .ownerImpact = OwnerImpact::DeletesNextLock,
    .renews = true,
    .strings = {TokenFormat::Hex32, TokenFormat::Other},
    .matchString = matchString,
    .isCommonKey = isRecord,
    .ownerFacts = ownerFacts,
    .companions = {.mayHave = isNamed, .queries = queries, .tellWaiters = false},
    .wakeEffect = QT_TRANSLATE_NOOP("phrases", "No waiter is notified. Another scheduler finds the lock free "
                                               "at its next check, which can be 10 minutes away."),
    .ownerEffect = QT_TRANSLATE_NOOP(
        "phrases", "The holder is not notified and keeps scheduling, so two schedulers may enqueue a job "
                   "twice. When it stops, it deletes the key without a check. Stop its process instead."),
};

} // namespace lockscope
