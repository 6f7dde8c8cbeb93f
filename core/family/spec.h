// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/family/companions.h"
#include "core/family/content.h"
#include "core/family/ownerfacts.h"
#include "core/family/scripts.h"

#include <array>
#include <initializer_list>
#include <optional>

namespace lockscope {

struct Forms;

/// Evidence that makes a family certain or likely: each set is enough, if all of it is present. Otherwise the
/// family is ambiguous.
struct Proof
{
    EvidenceSets certain{};
    EvidenceSets likely{};

    friend bool operator==(const Proof &, const Proof &) = default;
};

// Proofs that several families share.
/// Only a family rule names it among several families; the rule is certain if the content fits.
inline constexpr Proof provenByRule{.certain = {{Evidence::Rule, Evidence::Content}},
                                    .likely = {Evidence::Rule}};
/// Companion keys or subscribers that only this family has.
inline constexpr Proof provenByCompanions{.certain = {Evidence::Companions, Evidence::Listeners}};
/// An ordinary token under a name that only hints at its library.
inline constexpr Proof provenByHint{.certain = {{Evidence::Rule, Evidence::Content}},
                                    .likely = {{Evidence::Content, Evidence::Name}, Evidence::Rule}};
/// An ordinary token under a hinting name, with a plausible lease.
inline constexpr Proof provenByHintAndLease{
    .certain = {{Evidence::Rule, Evidence::Content},
                {Evidence::Content, Evidence::Name, Evidence::Lease, Evidence::Renewals}},
    .likely = {{Evidence::Content, Evidence::Name, Evidence::Lease}, Evidence::Rule}};
/// A name that no other program uses, with the library's form of a token.
inline constexpr Proof provenByOwnName{
    .certain = {{Evidence::Content, Evidence::Name}, {Evidence::Rule, Evidence::Content}},
    .likely = {Evidence::Rule}};
/// An own name and token; strings without lease may be something else of that library.
inline constexpr Proof provenByOwnNameAndLease{
    .certain = {{Evidence::Content, Evidence::Name, Evidence::Lease}, {Evidence::Rule, Evidence::Content}},
    .likely = {{Evidence::Content, Evidence::Name}, Evidence::Rule}};
/// A form that other programs write too, but seldom with such a lease.
inline constexpr Proof provenByLease{.certain = {{Evidence::Content, Evidence::Lease, Evidence::Name},
                                                 {Evidence::Content, Evidence::Lease, Evidence::Renewals},
                                                 {Evidence::Rule, Evidence::Content}},
                                     .likely = {{Evidence::Content, Evidence::Lease}, Evidence::Rule}};

/// A hinting name and a plausible lease, without a claim to be certain.
inline constexpr Proof likelyByHintAndLease{
    .certain = {{Evidence::Rule, Evidence::Content}},
    .likely = {{Evidence::Content, Evidence::Name, Evidence::Lease}, Evidence::Rule}};

/// How waiters learn that a lock is free.
enum class WaitMechanism : quint8 {
    Polling,          ///< they retry by themselves: nothing to publish, and nobody to count
    Message,          ///< a message on the lock's channel wakes one thread of each process
    MessageToAll,     ///< a message on the lock's channel wakes all waiters
    QueueHeadChannel, ///< a message on the channel of the queue head
    Handoff,          ///< the lock is given to the queue head
    ListPush,
    KeyMessage, ///< a message that names the key, to waiters of all locks
};

/// The effect of a forced expiry on the owner.
enum class OwnerImpact : quint8 {
    Unknown,
    Unaware, ///< notices nothing until it releases, or never
    FailsRelease,
    JobReassigned, ///< its job is given to another worker while it may still run
    FailsRenewal,
    Notified,        ///< notified by the server through its library
    RewritesLock,    ///< its next renewal writes the lock again, unless another owner has acquired it
    DeletesNextLock, ///< its release deletes the key, even the next owner's lock
    Exits,           ///< its process ends when a renewal finds the lock lost
    ExitsDeleting,   ///< its process ends when a renewal finds no lock, and deletes the key even if another
                     ///< owner acquired it
};

/// Whether Lockscope can acquire such a lock, or why not.
enum class AcquireSupport : quint8 {
    Supported,
    BypassesQueue, ///< the lock has a wait queue, which would be bypassed
    IsJob,         ///< the lock belongs to a job in a queue, which would stall
    NoOwners,      ///< a counter without owners: the acquired permits could not be identified
    NoScript,
};

/// Whether a scan looks for locks under the family's usual names.
enum class Discovery : quint8 {
    Always,
    Hint,  ///< names too wide, or content too private: counted, and offered as a pattern
    Never, ///< too many other keys have such names: they only help to recognize a lock
};

class NameGlobs
{
public:
    static constexpr int most = 8;

    constexpr NameGlobs() = default;
    constexpr NameGlobs(std::initializer_list<const char *> globs)
    {
        for (const char *glob : globs)
            add(glob);
    }
    constexpr void add(const char *glob) { m_globs.at(m_count++) = glob; }
    constexpr bool isEmpty() const { return m_count == 0; }
    constexpr const char *const *begin() const { return m_globs.data(); }
    constexpr const char *const *end() const { return m_globs.data() + m_count; }

private:
    std::array<const char *, most> m_globs{};
    size_t m_count = 0;
};

template <typename Format>
class FormatSet
{
public:
    constexpr FormatSet() = default;
    constexpr FormatSet(std::initializer_list<Format> formats)
    {
        for (const Format format : formats)
            insert(format);
    }
    constexpr void insert(Format format) { m_bits |= quint32(1) << static_cast<int>(format); }
    constexpr void insert(FormatSet more) { m_bits |= more.m_bits; }
    static constexpr FormatSet all()
    {
        FormatSet every;
        every.m_bits = ~quint32(0);
        return every;
    }
    static constexpr FormatSet ofBits(quint32 bits)
    {
        FormatSet some;
        some.m_bits = bits;
        return some;
    }
    constexpr quint32 bits() const { return m_bits; }
    constexpr bool contains(Format format) const { return m_bits >> static_cast<int>(format) & 1; }

private:
    quint32 m_bits = 0;
};

/// The family's texts in Chinese; nullptr: use the English text.
struct Translations
{
    const char *noun = nullptr;
    const char *wakeEffect = nullptr;
    const char *ownerEffect = nullptr;
    const char *companionNote = nullptr;
};

/// The entry of a running job in its queue.
struct ActiveJob
{
    QByteArray list; ///< key of the jobs that run
    QByteArray id;   ///< element of the list; empty: the lock belongs to no job
};

/// The renewals of the library's default configuration.
struct Watchdog
{
    milliseconds lease{0}; ///< 0: no fixed lease
    int renewsAt = 0;      ///< share of the lease left at a renewal, in 255ths
};

/// All properties of a family. Its file in core/family/libraries/ or resources/families defines it, and no
/// other code names the family. Sentences are phrases (core/base/phrase.h). Functions are pure; nullptr: not
/// applicable.
struct FamilySpec
{
    const char *name;   ///< for JSON, command line, settings; never translated
    const char *noun;   ///< for display
    const char *stored; ///< the stored form, in English, for the table in the documentation
    /// The library, if companions of one of its families rule out the others.
    const char *library = nullptr;
    Proof proof{};
    /// How usual the family is: among candidates, the more usual one is listed first.
    int prevalence = 0;
    /// Globs of the default names of its locks; empty: any name.
    NameGlobs usualNames{};
    Discovery discovery = Discovery::Always;

    WaitMechanism wake = WaitMechanism::Polling;
    OwnerImpact ownerImpact = OwnerImpact::FailsRelease;
    AcquireSupport acquire = AcquireSupport::Supported;
    bool hasGenericContent = false; ///< the content does not show which library wrote it
    bool severalOwners = false;     ///< more than one owner is no problem
    bool canLackExpiry = false;
    bool renews = false;             ///< the holder renews by default while it lives
    bool mayRenew = false;           ///< renews by an option, or by code built on the library
    bool maySpanServers = false;     ///< may be kept on several independent servers
    bool countsHolds = false;        ///< a hash with a field per owner, whose value is the hold count
    bool clientMayCount = false;     ///< a client may count re-entries itself, unseen
    bool mayListenElsewhere = false; ///< waiters may use another channel: no subscribers does not mean none
    bool ownersAreProcesses = false; ///< owners are processes: one thread may hold while another waits
    bool ownersAreBytes = false;     ///< owner IDs are raw bytes, which the library logs in hex
    bool countsPermits = false;      ///< the value is a number of permits; without owners it stands for all
                                     ///< holders
    bool ownersAreFields = true;     ///< a hash's owner ID is the field that may have a TTL of its own
    bool hasQueue = false;           ///< its wait queue is read
    Watchdog watchdog{};

    /// Translated texts of a file-defined family; those of the others are in resources/translations.
    const Translations *translations = nullptr;
    const char *runbook = nullptr; ///< web address
    const char *contact = nullptr; ///< person or team to ask
    const char *probe = nullptr;   ///< command that asks whether a holder is alive
    /// The client libraries it is built on, by the names they send (CLIENT SETINFO), separated by blanks.
    const char *clients = nullptr;
    int version = 1;
    const char *file = nullptr; ///< path of a user's file

    /// Forms of a file-defined family, in place of the functions for recognition and owners.
    const Forms *forms = nullptr;

    // Recognition. A function is called only for formats that the family declares.
    FormatSet<TokenFormat> strings{};
    std::optional<StringMatch> (*matchString)(const StringValue &string) = nullptr;
    FormatSet<FieldFormat> fields{}; ///< for a hash's first field
    std::optional<OwnersMatch> (*matchHash)(const HashValue &hash) = nullptr;
    std::optional<OwnersMatch> (*matchSortedSet)(const SortedSetValue &set) = nullptr;
    std::optional<OwnersMatch> (*matchSet)(const SetValue &set) = nullptr;
    /// The evidence in the owners of a hash that several families may write; nullopt: not of this family.
    std::optional<EvidenceSet> (*matchOwners)(const HashOwners &hash) = nullptr;
    /// The evidence in companions of this family that were found; nullopt: the lock cannot be of it.
    std::optional<EvidenceSet> (*matchCompanions)(const Lock &lock) = nullptr;
    int precedence = 0; ///< among families whose companions were found
    /// True for names whose locks a release deletes without checking the owner, whatever `ownerImpact` is.
    bool (*isReleasedUnchecked)(QByteArrayView key) = nullptr;
    /// The mode in which a string with this name is held.
    HoldMode (*modeOf)(QByteArrayView key) = nullptr;
    /// The lock to which a value without owner belongs; empty for others.
    LockKey (*parentOfString)(const StringValue &string) = nullptr;
    LockKey (*parentOfSortedSet)(const SortedSetValue &set) = nullptr;
    /// The lock to which a key belongs by its name alone; called for every name found.
    LockKey (*parentOfName)(QByteArrayView key) = nullptr;
    /// True if such a key shows that the number under the same name without the suffix is a lock.
    bool (*isPermitsKey)(QByteArrayView key) = nullptr;
    /// True for a key that belongs to many locks, or to none.
    bool (*isCommonKey)(QByteArrayView key) = nullptr;
    /// The queue entry of the job to which a lock of this name belongs.
    ActiveJob (*activeJob)(QByteArrayView key) = nullptr;

    // Owners.
    OwnerFacts (*ownerFacts)(const LockKey &key, const OwnerId &owner) = nullptr;
    /// The part of an ID that is the same wherever that thread or job holds or waits.
    QByteArray (*threadIdentity)(const OwnerId &owner) = nullptr;
    /// The hash field of a holder; nullptr: the owner's ID.
    QByteArray (*storedField)(const LockOwner &holder) = nullptr;

    // Waiters and companions.
    /// The channel to which waiters subscribe, once per process.
    QByteArray (*unlockChannel)(const LockKey &lock) = nullptr;
    QByteArray (*waiterChannel)(const LockKey &lock, const OwnerId &waiter) = nullptr;
    /// True if subscribers of this family's channel show that an ambiguous lock is of this family.
    bool (*isProvenBySubscribers)(const Lock &lock) = nullptr;
    Companions companions{};
    /// The lock whose queue has this name; empty for other names.
    LockKey (*lockOfQueue)(QByteArrayView key) = nullptr;
    std::optional<LockKey> (*twinOf)(const LockKey &lock) = nullptr;

    // Acting.
    const Scripts *scripts = &tokenScripts;
    const char *offer = nullptr; ///< offered for a new lock: "token: a string; not re-entrant"
    /// The reason why no lock of any family may be acquired under this name; empty: none.
    Phrase (*nameRefusal)(QByteArrayView key) = nullptr;
    const char *ownerSuffix = nullptr; ///< appended to the UUID of a new owner: ":1"
    // Effects of a forced expiry, if the sentences for `wake` and `ownerImpact` do not fit. %1: the channel.
    const char *wakeEffect = nullptr;
    const char *ownerEffect = nullptr;
    const char *companionNote = nullptr;
    Phrase (*companionEffect)(const Lock &lock) = nullptr;
    bool needsExplicitWakeUp =
        false; ///< a forced expiry without a message or list element leaves waiters asleep
};

} // namespace lockscope
