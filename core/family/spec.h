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

/// Which evidence makes a family certain, and which likely: each set does by itself, with all that is in it. What meets
/// none of them is ambiguous.
struct Proof
{
    EvidenceSets certain{};
    EvidenceSets likely{};

    friend bool operator==(const Proof &, const Proof &) = default;
};

// Proofs that several families share.
/// Nothing but a rule of the user makes it more than one of several. A rule is certain where the content fits.
inline constexpr Proof provenByRule{.certain = {{Evidence::Rule, Evidence::Content}},
                                    .likely = {Evidence::Rule}};
/// Keys or listeners that only this family has.
inline constexpr Proof provenByCompanions{.certain = {Evidence::Companions, Evidence::Listeners}};
/// An ordinary token under a name that only hints at its library.
inline constexpr Proof provenByHint{.certain = {{Evidence::Rule, Evidence::Content}},
                                    .likely = {{Evidence::Content, Evidence::Name}, Evidence::Rule}};
/// The same, where a lease has to be in keeping as well.
inline constexpr Proof provenByHintAndLease{
    .certain = {{Evidence::Rule, Evidence::Content},
                {Evidence::Content, Evidence::Name, Evidence::Lease, Evidence::Renewals}},
    .likely = {{Evidence::Content, Evidence::Name, Evidence::Lease}, Evidence::Rule}};
/// A name that no other program gives, with the library's form of a token.
inline constexpr Proof provenByOwnName{
    .certain = {{Evidence::Content, Evidence::Name}, {Evidence::Rule, Evidence::Content}},
    .likely = {Evidence::Rule}};
/// The same, where strings without a lease may be other things of that library.
inline constexpr Proof provenByOwnNameAndLease{
    .certain = {{Evidence::Content, Evidence::Name, Evidence::Lease}, {Evidence::Rule, Evidence::Content}},
    .likely = {{Evidence::Content, Evidence::Name}, Evidence::Rule}};
/// A form that others write too, but seldom with such a lease.
inline constexpr Proof provenByLease{.certain = {{Evidence::Content, Evidence::Lease, Evidence::Name},
                                                 {Evidence::Content, Evidence::Lease, Evidence::Renewals},
                                                 {Evidence::Rule, Evidence::Content}},
                                     .likely = {{Evidence::Content, Evidence::Lease}, Evidence::Rule}};

/// The same without a claim to be certain.
inline constexpr Proof likelyByHintAndLease{
    .certain = {{Evidence::Rule, Evidence::Content}},
    .likely = {{Evidence::Content, Evidence::Name, Evidence::Lease}, Evidence::Rule}};

/// How those who wait for a lock learn that it is free.
enum class WaitMechanism : quint8 {
    Polling,          ///< they try again by themselves: nothing to send, and nobody to count
    Message,          ///< a message on the lock's channel wakes one waiting thread of each process
    MessageToAll,     ///< a message on the lock's channel wakes all of them
    QueueHeadChannel, ///< a message on the channel of the first in the queue
    Handoff,          ///< the lock is given to the first in the queue
    ListPush,         ///< an element pushed to a list
    KeyMessage,       ///< a message that names the key, to all who wait for any lock
};

/// What becomes of an owner whose lock was ended by force.
enum class OwnerImpact : quint8 {
    Unknown,         ///< not known
    Unaware,         ///< learns nothing until it releases, or never
    FailsRelease,    ///< its release fails, with an exception or a result that says so
    JobReassigned,   ///< its job is given to another worker while it may still run
    FailsRenewal,    ///< its next renewal fails
    Notified,        ///< its library is told by the server and tells it
    RewritesLock,    ///< its next renewal writes the lock anew, unless somebody has taken it meanwhile
    DeletesNextLock, ///< its release deletes whatever is there, the next owner's lock included
    Exits,           ///< its process ends when a renewal finds the lock lost
    ExitsDeleting,   ///< its process ends when a renewal finds no lock, and deletes whatever is there then
};

/// Why the tool does not take such a lock for an operator, or that it does.
enum class AcquireSupport : quint8 {
    Supported,
    BypassesQueue, ///< a queue stands there: it would be jumped
    IsJob,         ///< the lock belongs to a job in a queue: taking it would stall that job
    NoOwners,      ///< a counter without owners: what was taken could not be told from the rest
    NoScript,      ///< no script of ours writes this form
};

/// Whether locks are looked for under a family's usual names without being asked.
enum class Discovery : quint8 {
    Always,
    Hint, ///< the names are too wide, or what stands there too private: they are counted, and told as a pattern
    Never, ///< too many other things have such names: they only tell what a lock is of
};

/// A few globs of names.
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

/// Several formats of tokens, or of a hash's fields.
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
    /// As bits() gives them.
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

/// The texts of a family in Chinese; nullptr: as in English.
struct Translations
{
    const char *noun = nullptr;
    const char *wakeEffect = nullptr;
    const char *ownerEffect = nullptr;
    const char *companionNote = nullptr;
};

/// What a renewing thread of the library does unless it is configured otherwise.
struct Watchdog
{
    milliseconds lease{0}; ///< 0: the library has none that is always the same
    int renewsAt = 0;      ///< the share of the lease that is left then, in 255ths
};

/// All that is known of a family, in one value: its file in core/family/libraries/ defines it, and nothing else in the
/// program names the family. Sentences are phrases (core/base/phrase.h). Functions are pure; nullptr: nothing to say.
struct FamilySpec
{
    const char *name;   ///< as programs read it: JSON, command line, settings. Never translated
    const char *noun;   ///< as people do
    const char *stored; ///< the form of what is stored, in English, for the table in the documentation
    /// Families of one library, where what is kept for the one rules out the others'.
    const char *library = nullptr;
    Proof proof{};
    /// How usual it is: among several that it may be, the more usual is named first.
    int prevalence = 0;
    /// The names that its locks have unless their users choose others; none: any.
    NameGlobs usualNames{};
    Discovery discovery = Discovery::Always;

    WaitMechanism wake = WaitMechanism::Polling;
    OwnerImpact ownerImpact = OwnerImpact::FailsRelease;
    AcquireSupport acquire = AcquireSupport::Supported;
    bool isAnybodys = false;     ///< nothing stored says which library wrote it
    bool severalOwners = false;  ///< more than one at a time is no problem
    bool canLackExpiry = false;  ///< no expiry is what its users get by default
    bool renews = false;         ///< by default its holder renews the lease while it lives
    bool mayRenew = false;       ///< it does by an option of the library, or by what is built on it
    bool maySpanServers = false; ///< it may be kept on several servers that know nothing of each other
    bool countsHolds = false;    ///< a hash with a field an owner, whose value counts its holds
    bool clientMayCount = false; ///< a client may count re-entries itself, unseen
    bool mayListenElsewhere =
        false; ///< those who wait may listen to something else than the channel: none is no sign
    bool ownersAreProcesses = false; ///< owners name processes: one thread may hold while another waits
    bool ownersAreBytes = false;     ///< ids of owners are raw bytes, which its library logs in hex
    bool countsPermits = false;      ///< the value is a number of permits: without owners it stands for all
    bool ownersAreFields =
        true;              ///< of a hash: the id of an owner names the field that may have a TTL of its own
    bool hasQueue = false; ///< those who wait stand in a queue that is read
    Watchdog watchdog{};

    /// The texts in other languages, of a family that is data; those of the others are in resources/translations.
    const Translations *translations = nullptr;
    const char *runbook = nullptr; ///< an address
    const char *contact = nullptr; ///< whom to ask
    /// The client libraries on which it is built, as they name themselves (CLIENT SETINFO), with blanks between.
    const char *clients = nullptr;
    int version = 1;
    const char *file = nullptr; ///< of a user's own, where it was read

    /// Of a family that is data, in place of the functions for recognition and owners.
    const Forms *forms = nullptr;

    // Recognition. Only those are asked that claim the format of the value.
    FormatSet<TokenFormat> strings{};
    std::optional<StringMatch> (*matchString)(const StringValue &string) = nullptr;
    FormatSet<FieldFormat> fields{}; ///< of a hash's first field
    std::optional<Holding> (*matchHash)(const HashValue &hash) = nullptr;
    std::optional<Holding> (*matchSortedSet)(const SortedSetValue &set) = nullptr;
    std::optional<Holding> (*matchSet)(const SetValue &set) = nullptr;
    /// What the owners of a hash that may be anybody's say of it; nullopt: none of this family's.
    std::optional<EvidenceSet> (*matchOwners)(const HashOwners &hash) = nullptr;
    /// What companions of this family, which were seen, say of a lock; nullopt: it can't be of it.
    std::optional<EvidenceSet> (*matchCompanions)(const Lock &lock) = nullptr;
    int precedence = 0; ///< among those whose companions were seen
    /// Of names whose locks are deleted at their release whoever holds them, whatever `ownerImpact` says of others.
    bool (*isReleasedUnchecked)(QByteArrayView key) = nullptr;
    /// In which way a string under this name is held.
    HoldMode (*modeOf)(QByteArrayView key) = nullptr;
    /// The lock to which a value belongs that holds nothing itself; empty for others.
    LockKey (*parentOfString)(const StringValue &string) = nullptr;
    LockKey (*parentOfSortedSet)(const SortedSetValue &set) = nullptr;
    /// The same by the name alone, which every name that is met is asked for.
    LockKey (*parentOfName)(QByteArrayView key) = nullptr;
    /// Whether what stands under this name tells that a number of the same name without the end is a lock.
    bool (*isPermitsKey)(QByteArrayView key) = nullptr;
    /// A key that belongs to many locks, or to none.
    bool (*isCommonKey)(QByteArrayView key) = nullptr;

    // Owners.
    OwnerFacts (*ownerFacts)(const LockKey &key, const OwnerId &owner) = nullptr;
    /// The part of an id that is the same wherever that thread or job holds or waits.
    QByteArray (*threadIdentity)(const OwnerId &owner) = nullptr;
    /// The field under which a hash keeps a holder; nullptr: the owner's id.
    QByteArray (*storedField)(const LockOwner &holder) = nullptr;

    // Waiters and companions.
    /// The channel to which waiters subscribe, one of each process.
    QByteArray (*unlockChannel)(const LockKey &lock) = nullptr;
    /// The channel of one waiter in the queue.
    QByteArray (*waiterChannel)(const LockKey &lock, const OwnerId &waiter) = nullptr;
    /// Whether listeners on the channel of this family tell that such a lock, which may be anybody's, is of it.
    bool (*isToldByListeners)(const Lock &lock) = nullptr;
    Companions companions{};
    /// The lock whose queue has this name; empty for other names.
    LockKey (*lockOfQueue)(QByteArrayView key) = nullptr;
    /// The other lock whose companions have the same names.
    std::optional<LockKey> (*twinOf)(const LockKey &lock) = nullptr;

    // Acting.
    const Scripts *scripts = &tokenScripts;
    const char *offer = nullptr; ///< how it is offered for a new lock: "token: a string; not re-entrant"
    /// Why no lock may be taken under this name, whatever family is asked for; empty where it may.
    Phrase (*nameRefusal)(QByteArrayView key) = nullptr;
    const char *ownerSuffix = nullptr; ///< what follows the UUID of a new owner: ":1"
    // What people are told of an end by force, where the sentences for `wake` and `ownerImpact` don't fit. %1: the channel.
    const char *wakeEffect = nullptr;
    const char *ownerEffect = nullptr;
    const char *companionNote = nullptr; ///< what becomes of its companion keys
    Phrase (*companionEffect)(const Lock &lock) = nullptr;
    bool sleepsOn = false; ///< who waits for a message or an element sleeps on after an end without it
};

} // namespace lockscope
