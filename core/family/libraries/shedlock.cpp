// SPDX-License-Identifier: GPL-3.0-or-later
// ShedLock: a string that says when it was written, and where.
#include "core/family/familytable.h"

namespace lockscope {

namespace {

std::optional<StringMatch> matchString(const StringValue &string)
{
    return StringMatch{contentEvidence(string.key.startsWith("job-lock:"), string.ttl.has_value())};
}

/// ADDED:time@host, and later a colon and a UUID of this acquisition.
OwnerFacts ownerFacts(const LockKey &, const OwnerId &owner)
{
    constexpr QByteArrayView head = "ADDED:";
    const QByteArrayView bytes = owner.bytes;
    OwnerFacts facts;
    const qsizetype at = bytes.indexOf('@');
    if (shapeOf(bytes) != TokenFormat::AddedAt || at < head.size())
        return facts;
    facts.sinceMs = isoTime(bytes.first(at).sliced(head.size()));
    QByteArrayView host = bytes.sliced(at + 1);
    if (host.size() > uuidLength + 1 && host[host.size() - uuidLength - 1] == ':' &&
        isUuid(host.last(uuidLength)))
        host = host.chopped(uuidLength + 1);
    facts.host = host.toByteArray();
    return facts;
}

} // namespace

constinit const FamilySpec families::shedlock{
    .name = "shedlock",
    .noun = QT_TRANSLATE_NOOP("phrases", "ShedLock lock"),
    .stored = "string: `ADDED:<time>@<host>`, under `job-lock:…`",
    .proof = provenByLease,
    .prevalence = 80,
    .ownerImpact = OwnerImpact::DeletesNextLock,
    .strings = {TokenFormat::AddedAt},
    .matchString = matchString,
    .ownerFacts = ownerFacts,
    .wakeEffect =
        QT_TRANSLATE_NOOP("phrases", "Nobody waits for such a lock. The task can start when it is next due."),
};

} // namespace lockscope
