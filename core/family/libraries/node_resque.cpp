// SPDX-License-Identifier: GPL-3.0-or-later
// node-resque: the lock of the scheduler that leads, and those of jobs that run, or wait, once at a time.
#include "core/family/familytable.h"

#include <cstdlib>

namespace lockscope {

namespace {

constexpr QByteArrayView leaderSuffix = ":resque_scheduler_leader_lock";

/// "<host>:<process>".
bool isLeader(QByteArrayView value)
{
    const qsizetype colon = value.lastIndexOf(':');
    return colon > 0 && isDigits(value.sliced(colon + 1));
}

std::optional<StringMatch> matchString(const StringValue &string)
{
    constexpr qsizetype epochSecondsLength = 10;
    constexpr qint64 clocksApart = 300;
    if (string.key.endsWith(leaderSuffix) && isLeader(string.value))
        return StringMatch{contentEvidence(true, string.ttl.has_value())};
    const bool isOwnName = string.key.contains(":workerslock:") || string.key.startsWith("resque:lock:");
    const bool mayBe = isOwnName || string.key.contains(":lock:");
    if (!mayBe || string.value.size() != epochSecondsLength || !isDigits(string.value))
        return std::nullopt;
    const qint64 left = string.ttl ? string.ttl->count() / 1000 : 0;
    const bool fits =
        string.ttl && std::abs(string.value.toLongLong() - string.nowMs / 1000 - left) < clocksApart;
    return StringMatch{contentEvidence(isOwnName, fits)};
}

OwnerFacts ownerFacts(const LockKey &, const OwnerId &owner)
{
    OwnerFacts facts;
    if (isLeader(owner.bytes)) {
        const qsizetype colon = owner.bytes.lastIndexOf(':');
        facts.host = owner.bytes.first(colon);
        facts.process = owner.bytes.sliced(colon + 1);
    }
    return facts;
}

} // namespace

constinit const FamilySpec families::node_resque{
    .name = "node-resque",
    .noun = QT_TRANSLATE_NOOP("phrases", "node-resque lock"),
    .stored = "string: `<host>:<process>` of the leader, or epoch seconds, under `resque:workerslock:…` or "
              "`resque:lock:…`",
    .proof = likelyByHintAndLease,
    .prevalence = 44,
    .ownerImpact = OwnerImpact::DeletesNextLock,
    .acquire = AcquireSupport::NoScript,
    .strings = {TokenFormat::Other},
    .matchString = matchString,
    .ownerFacts = ownerFacts,
    .scripts = &jobScripts,
    .wakeEffect = QT_TRANSLATE_NOOP(
        "phrases",
        "No waiter is notified. Postponed jobs retry within seconds, and schedulers check every 5 s."),
    .ownerEffect = QT_TRANSLATE_NOOP(
        "phrases", "If a job holds the lock, it is not notified and may run twice; when it ends, it deletes "
                   "the key without a check, even if the next owner holds the lock. If a scheduler holds it, "
                   "it checks again before it continues."),
};

} // namespace lockscope
