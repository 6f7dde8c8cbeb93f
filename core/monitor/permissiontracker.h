// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/inspector.h"
#include "core/watch/nominatednames.h"
#include "core/watch/permissionstatus.h"

#include <QHash>
#include <QSet>

#include <functional>
#include <utility>

namespace lockscope {

struct FeedStatus;

/// Knows what the server refuses to this login: commands, and keys; and says when which of it is tried again. Sends nothing.
///
/// Each refused command is a line in the server's ACL LOG, and so is each refused key. So a refused command is not sent
/// again for other keys, a refused key not read again, and a retry is a few commands: for the same keys each time but for
/// one, so that each key has its turn; only when one of these is permitted is the rest tried.
class PermissionTracker
{
public:
    using Use = PermissionStatus::Use;
    using Missing = PermissionStatus::Missing;

    /// Keys of one retry.
    static constexpr qsizetype maxProbes = 8;

    PermissionTracker(NominatedNames names, milliseconds retryInterval);

    /// Keys that are none of them are forgotten.
    void setNames(const NominatedNames &names);

    // Commands that read no key: SCAN and INFO.
    void refuse(Use use, const QByteArray &command, const Error &why, TimePoint now);
    void permit(Use use, const QByteArray &command);
    /// Not to be sent now.
    bool isRefused(Use use) const;
    /// Refused the last time.
    bool isMissing(Use use) const;
    /// What others keep account of: the feed, and what stands beside locks.
    void replace(Use use, const QList<Missing> &missing, TimePoint now);

    /// What the feed was refused, once it is known.
    void takeFeed(const FeedStatus &status, TimePoint now);

    // Reading keys.
    /// How a key is to be read with the commands that may be sent.
    inspector::Target adapted(inspector::Target target) const;
    /// Takes the replies to appendRead(), for what they say of its commands.
    void takeReplies(const inspector::Target &target, std::span<const Reply> replies, TimePoint now);
    /// What is known of a key that can't be read.
    struct Unread
    {
        bool isLock = false; ///< it was read before
        bool isThere =
            false; ///< SCAN has just met its name: the server refuses names that are not there, too
        std::optional<Error> why; ///< absent: nothing was sent
    };
    void refuseKey(const inspector::Target &target, const Unread &unread, TimePoint now);
    /// The key was read. True where it could not be until now.
    bool permitKey(const LockKey &key);
    /// Not to be read now.
    bool isRefused(const LockKey &key) const;
    /// It can't be read, as far as is known.
    bool isKnown(const LockKey &key) const { return m_keys.contains(key); }
    /// Keys that are to be read again since the last call.
    QList<LockKey> takeDue();

    // A SCAN pass says which of the unreadable keys are there still.
    void beginPass() { ++m_pass; }
    void meet(const LockKey &key);
    /// The pass is through: those that it `meets` and has not met are gone; the locks among them.
    QList<LockKey> endPass(const std::function<bool(QByteArrayView name)> &meets);

    /// When something is to be tried again; not before then.
    TimePoint nextRetry() const;
    /// Keys to be read now to find out. Commands that no key is at hand for count as permitted until the next one.
    QList<inspector::Target> takeRetries(TimePoint now);
    /// Everything is to be tried again, key by key.
    void retryAll(TimePoint now);
    /// The next retry is due: the connection is another.
    void expectRetry();

    /// Keys that are there and can't be read.
    qint64 unreadable() const { return m_counted; }
    PermissionStatus status() const;
    /// Something of it has changed since takeChanged().
    bool hasChanged() const { return m_hasChanged; }
    bool takeChanged() { return std::exchange(m_hasChanged, false); }

private:
    struct Entry
    {
        Missing missing;
        bool isDue = false; ///< it is sent again, and its reply awaited
    };
    struct Key
    {
        inspector::Reads by;             ///< refused commands; none: the key is
        KeyType type = KeyType::Unknown; ///< as which it was to be read
        quint32 refusedIn = 0;           ///< pass
        quint32 metIn = 0;               ///< the last one; 0: none
        bool isLock = false;
        bool isDue = false;

        bool isCounted() const { return isLock || metIn > 0; }
    };
    using Keys = QHash<LockKey, Key>;

    Entry *find(Use use, const Refusal &refusal);
    void add(const Missing &missing, TimePoint now);
    void expectRetry(TimePoint now);
    void noteEnd();
    void permit(inspector::Read read);
    void makeDue(Key &key, const LockKey &name);
    void count(const Key &key, int sign);
    void remove(Keys::iterator key);
    template <typename IsToGo>
    bool forgetKeys(IsToGo isToGo);
    template <typename IsToGo>
    bool forgetMissing(IsToGo isToGo);
    void chooseProbes();
    void notePattern(const LockKey &key);
    void recomputePatterns();

    NominatedNames m_names;
    const milliseconds m_retryInterval;
    TimePoint m_retryAt = TimePoint::max();
    QList<Entry> m_missing;          ///< commands
    inspector::Reads m_refused;      ///< of them: those that are not sent
    inspector::Reads m_worked;       ///< once at least
    bool m_areOthersRefused = false; ///< of keys that are not nominated one was: no more of them are read
    QSet<Use> m_workedUses;
    Keys m_keys;
    Refusal m_keyRefusal; ///< of the key that was refused last
    QByteArray m_keySaid;
    qint64 m_byKey = 0; ///< keys that are refused themselves
    qint64 m_lost = 0;
    qint64 m_counted = 0;
    QList<LockKey> m_steady; ///< keys of every retry
    QSet<LockKey> m_probes;  ///< keys of the last retry
    quint64 m_retries = 0;   ///< so far
    bool m_isTrying = false; ///< their replies are awaited
    QList<LockKey> m_due;
    QList<QByteArray> m_matched; ///< patterns that match keys which are refused themselves
    quint32 m_pass = 1;
    bool m_hasChanged = false;
    bool m_feedWasFree = false; ///< it has met no refusal once
};

} // namespace lockscope
