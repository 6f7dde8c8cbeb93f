// SPDX-License-Identifier: GPL-3.0-or-later
// redis-lock for Node: a string with the moment of its own end, which every holder can delete.
#include "core/family/familytable.h"

#include <cstdlib>

namespace lockscope {

namespace {

std::optional<StringMatch> matchString(const StringValue &string)
{
    constexpr qsizetype epochMsLength = 13;
    constexpr qint64 clocksApart = 300'000; // of who wrote it and of who reads it
    if (!string.key.startsWith("lock.") || string.value.size() != epochMsLength || !isDigits(string.value))
        return std::nullopt;
    const qint64 end = string.value.toLongLong();
    const bool fits = string.ttl && std::abs(end - string.nowMs - string.ttl->count()) < clocksApart;
    return StringMatch{contentEvidence(true, fits)};
}

} // namespace

constinit const FamilySpec families::redis_lock{
    .name = "redis-lock",
    .noun = QT_TRANSLATE_NOOP("phrases", "redis-lock lock (Node)"),
    .stored = "string: epoch milliseconds, under `lock.…`",
    .proof = likelyByHintAndLease,
    .prevalence = 27,
    .ownerImpact = OwnerImpact::DeletesNextLock,
    .strings = {TokenFormat::Other},
    .matchString = matchString,
};

} // namespace lockscope
