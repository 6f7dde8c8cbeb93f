// SPDX-License-Identifier: GPL-3.0-or-later
// Symfony's Redis store: a sorted set of tokens, with a mark where it is held exclusively.
#include "core/family/familytable.h"

#include <cmath>

namespace lockscope {

namespace {

constexpr QByteArrayView exclusiveMark = "__write__";

bool isToken(QByteArrayView member)
{
    constexpr qsizetype length = 44;
    return member.size() == length && member.back() == '=' && isBase64(member.chopped(1));
}

/// A writer has the library's own mark. Readers have none, but the last one expires with the key, as far as
/// clocks agree; in other sets of digests that is a coincidence.
std::optional<OwnersMatch> matchSortedSet(const SortedSetValue &set)
{
    constexpr double clocksApart = 300'000;
    QList<QByteArray> tokens;
    for (const auto &[member, score] : set.content.members) {
        if (member == exclusiveMark)
            continue;
        if (!isToken(member))
            return std::nullopt;
        tokens.append(member);
    }
    if (tokens.isEmpty())
        return std::nullopt;
    const bool isExclusive = tokens.size() < set.content.members.size();
    const double ends =
        static_cast<double>(set.nowMs) + static_cast<double>(set.ttl.value_or(milliseconds(0)).count());
    const bool endsWithKey = set.ttl && std::abs(set.content.members.last().second - ends) < clocksApart;
    OwnersMatch result = holding(tokens, contentEvidence(isExclusive, endsWithKey),
                                 isExclusive ? HoldMode::Write : HoldMode::Read, set.content.complete);
    result.problems.setFlag(Problem::SeveralOwners, isExclusive && result.owners.size() > 1);
    return result;
}

/// True for the key that tests once whether the server is recent enough.
bool isCommonKey(QByteArrayView key)
{
    return key == "symfony_check_support_time";
}

} // namespace

constinit const FamilySpec families::symfony{
    .name = "symfony",
    .noun = QT_TRANSLATE_NOOP("phrases", "Symfony lock"),
    .stored = "sorted set of tokens in base64",
    .proof = {.certain = {{Evidence::Content, Evidence::Name, Evidence::Lease},
                          {Evidence::Content, Evidence::Lease, Evidence::Renewals}},
              .likely = {{Evidence::Content, Evidence::Name}, {Evidence::Content, Evidence::Lease}}},
    .prevalence = 60,
    .ownerImpact = OwnerImpact::FailsRenewal,
    .acquire = AcquireSupport::NoScript,
    .severalOwners = true,
    .strings = {TokenFormat::Base64Of32},
    .matchString = matchByFormat, // as before 5.2
    .matchSortedSet = matchSortedSet,
    .isCommonKey = isCommonKey,
    .scripts = &memberScripts,
    .ownerEffect = QT_TRANSLATE_NOOP(
        "phrases",
        "The holder is not notified and may still be working. Its refresh will fail, but not its release."),
};

} // namespace lockscope
