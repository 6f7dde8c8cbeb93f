// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"
#include "core/family/forms.h"
#include "core/family/spec.h"

#include <span>

namespace lockscope {

/// The type of a key's value in a family file.
enum class KeyKind : quint8 {
    Text,
    Flag,
    Whole,
    Texts,
    Duration,
    OneOf,
    Shape,
    Shapes,
    Proof,
    Table,
    Tables,
    Members
};

/// A key that a family file may have. The reader, the JSON Schema and the grammar document follow from these.
struct FamilyKey
{
    const char *name;
    KeyKind kind;
    const char *meaning;                   ///< English, for authors of files
    QByteArrayList (*choices)() = nullptr; ///< for KeyKind::OneOf
    std::span<const FamilyKey> keys{};     ///< for KeyKind::Table and Tables; empty: any
};

inline constexpr EnumNames discoveryName{Named<Discovery>{Discovery::Always, "always"},
                                         Named<Discovery>{Discovery::Hint, "hint"},
                                         Named<Discovery>{Discovery::Never, "never"}};
inline constexpr EnumNames formTypeName{
    Named<KeyType>{KeyType::String, "string"}, Named<KeyType>{KeyType::Hash, "hash"},
    Named<KeyType>{KeyType::Set, "set"}, Named<KeyType>{KeyType::SortedSet, "sorted-set"}};
inline constexpr EnumNames formModeName{Named<HoldMode>{HoldMode::Exclusive, "exclusive"},
                                        Named<HoldMode>{HoldMode::Read, "read"},
                                        Named<HoldMode>{HoldMode::Write, "write"}};
inline constexpr EnumNames elsewhereName{Named<UnusualNameMatch>{UnusualNameMatch::Never, "never"},
                                         Named<UnusualNameMatch>{UnusualNameMatch::Candidate, "candidate"},
                                         Named<UnusualNameMatch>{UnusualNameMatch::Content, "content"}};
inline constexpr EnumNames scoreName{Named<ScoreMeaning>{ScoreMeaning::SinceMs, "since-ms"},
                                     Named<ScoreMeaning>{ScoreMeaning::SinceS, "since-s"},
                                     Named<ScoreMeaning>{ScoreMeaning::RenewedMs, "renewed-ms"},
                                     Named<ScoreMeaning>{ScoreMeaning::EndsMs, "ends-ms"},
                                     Named<ScoreMeaning>{ScoreMeaning::EndsS, "ends-s"}};
inline constexpr EnumNames companionUseName{
    Named<CompanionUse>{CompanionUse::Record, "record"}, Named<CompanionUse>{CompanionUse::Queue, "queue"},
    Named<CompanionUse>{CompanionUse::Heartbeat, "heartbeat"},
    Named<CompanionUse>{CompanionUse::Holders, "holders"}, Named<CompanionUse>{CompanionUse::Index, "index"}};
inline constexpr EnumNames impactName{Named<OwnerImpact>{OwnerImpact::Unknown, "unknown"},
                                      Named<OwnerImpact>{OwnerImpact::Unaware, "unaware"},
                                      Named<OwnerImpact>{OwnerImpact::FailsRelease, "fails-release"},
                                      Named<OwnerImpact>{OwnerImpact::JobReassigned, "job-reassigned"},
                                      Named<OwnerImpact>{OwnerImpact::FailsRenewal, "fails-renewal"},
                                      Named<OwnerImpact>{OwnerImpact::Notified, "notified"},
                                      Named<OwnerImpact>{OwnerImpact::RewritesLock, "rewrites-lock"},
                                      Named<OwnerImpact>{OwnerImpact::DeletesNextLock, "deletes-next-lock"},
                                      Named<OwnerImpact>{OwnerImpact::Exits, "exits"},
                                      Named<OwnerImpact>{OwnerImpact::ExitsDeleting, "exits-and-deletes"}};
inline constexpr EnumNames wakeName{Named<WaitMechanism>{WaitMechanism::Polling, "polling"},
                                    Named<WaitMechanism>{WaitMechanism::KeyMessage, "key-message"}};
inline constexpr EnumNames acquireName{Named<AcquireSupport>{AcquireSupport::Supported, "supported"},
                                       Named<AcquireSupport>{AcquireSupport::IsJob, "job"},
                                       Named<AcquireSupport>{AcquireSupport::NoOwners, "no-owners"},
                                       Named<AcquireSupport>{AcquireSupport::NoScript, "no-script"}};

// Scripts and proofs by their names in files. Addresses: they are compared, and written as names.
inline constexpr EnumNames scriptsName{
    Named<const Scripts *>{&tokenScripts, "compare-string"},
    Named<const Scripts *>{&jobScripts, "job"},
    Named<const Scripts *>{&memberScripts, "members"},
    Named<const Scripts *>{&fieldScripts, "fields"},
    Named<const Scripts *>{&recordScripts, "record"},
    Named<const Scripts *>{&noScripts, "none"},
    Named<const Scripts *>{&setFieldScripts, "set-field"},
    Named<const Scripts *>{&counterScripts, "decrement"},
    Named<const Scripts *>{&redisSemaphoreScripts, "redis-semaphore"},
    Named<const Scripts *>{&redlock4jScripts, "redlock4j"},
    Named<const Scripts *>{&simpleRedisMutexScripts, "simple-redis-mutex"},
    Named<const Scripts *>{&springIntegrationScripts, "spring-integration"}};
inline constexpr EnumNames proofName{Named<const Proof *>{&provenByRule, "rule"},
                                     Named<const Proof *>{&provenByHint, "hint"},
                                     Named<const Proof *>{&provenByHintAndLease, "hint-and-lease"},
                                     Named<const Proof *>{&provenByOwnName, "own-name"},
                                     Named<const Proof *>{&provenByOwnNameAndLease, "own-name-and-lease"},
                                     Named<const Proof *>{&provenByLease, "lease"},
                                     Named<const Proof *>{&likelyByHintAndLease, "likely-by-hint-and-lease"}};

/// The top-level keys of a family file.
extern const std::span<const FamilyKey> familyKeys;
/// Describes the expected value: "a duration: …".
Phrase expectedOf(KeyKind kind);
/// Reads "30s" or "1.5h", in ms.
std::optional<qint64> durationMs(QByteArrayView text);
/// Reads the escapes "\x0f" and "\\" in a text.
QByteArray bytesWritten(QByteArrayView text);

} // namespace lockscope
