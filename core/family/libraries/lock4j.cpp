// SPDX-License-Identifier: GPL-3.0-or-later
// lock4j: a UUID of version 4 without hyphens.
#include "core/family/familytable.h"

namespace lockscope {

namespace {

std::optional<StringMatch> matchString(const StringValue &string)
{
    if (uuidVersion(string.value) != 4)
        return std::nullopt;
    return string.key.startsWith("lock4j:") ? StringMatch{contentEvidence(true, string.ttl.has_value())}
                                            : StringMatch();
}

} // namespace

constinit const FamilySpec families::lock4j{
    .name = "lock4j",
    .noun = QT_TRANSLATE_NOOP("phrases", "Lock4j lock"),
    .stored = "string: UUID version 4 in hex, under `lock4j:…`",
    .proof = provenByOwnNameAndLease,
    .prevalence = 60,
    .renews = true,
    .strings = {TokenFormat::Hex32},
    .matchString = matchString,
};

} // namespace lockscope
