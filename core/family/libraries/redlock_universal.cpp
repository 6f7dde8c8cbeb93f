// SPDX-License-Identifier: GPL-3.0-or-later
// redlock-universal: random digits, or when the lean lock began to try and in which process.
#include "core/family/familytable.h"

namespace lockscope {

namespace {

OwnerFacts ownerFacts(const LockKey &, const OwnerId &owner)
{
    constexpr qsizetype tail = 1 + 16; // a colon, and what is random
    constexpr qsizetype timeLength = 13;
    OwnerFacts facts;
    if (shapeOf(owner.bytes) != TokenFormat::NodeAndTime)
        return facts;
    const QByteArrayView bytes = QByteArrayView(owner.bytes).chopped(tail);
    facts.sinceMs = bytes.last(timeLength).toLongLong();
    facts.sinceIsTry = true;
    facts.host = bytes.chopped(timeLength + 1).toByteArray();
    return facts;
}

std::optional<StringMatch> matchString(const StringValue &string)
{
    // The lean lock's own form; the others write random digits too.
    const bool isLean = string.format == TokenFormat::TimeAndProcess;
    return isLean ? StringMatch{contentEvidence(false, string.ttl.has_value())} : StringMatch();
}

} // namespace

constinit const FamilySpec families::redlock_universal{
    .name = "redlock-universal",
    .noun = QT_TRANSLATE_NOOP("phrases", "redlock-universal lock"),
    .stored = "string: time, process and random number",
    .proof = provenByLease,
    .prevalence = 66,
    .maySpanServers = true,
    .strings = {TokenFormat::Hex32, TokenFormat::NodeAndTime, TokenFormat::TimeAndProcess},
    .matchString = matchString,
    .ownerFacts = ownerFacts,
};

} // namespace lockscope
