// SPDX-License-Identifier: GPL-3.0-or-later
// redsync: a string of 16 random bytes in base64.
#include "core/family/familytable.h"

namespace lockscope {

namespace {

std::optional<StringMatch> matchString(const StringValue &string)
{
    // node-redis-warlock writes the same, of a UUID that tells when: then nobody knows.
    const bool isNamed = namesALock(string.key) && uuidInBase64(string.value).isEmpty();
    return StringMatch{contentEvidence(isNamed, string.ttl.has_value())};
}

} // namespace

constinit const FamilySpec families::redsync{
    .name = "redsync",
    .noun = QT_TRANSLATE_NOOP("phrases", "redsync lock"),
    .stored = "string: base64 of 16 bytes",
    .proof = provenByHintAndLease,
    .prevalence = 60,
    .maySpanServers = true,
    .strings = {TokenFormat::Base64Of16},
    .matchString = matchString,
};

} // namespace lockscope
