// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/inspector.h"
#include "core/watch/keynamefilter.h"
#include "core/watch/permissionstatus.h"

#include <QHash>
#include <QSet>

#include <functional>
#include <utility>

namespace lockscope {

struct FeedStatus;

/// Knows which commands and keys the server refuses to this login, and when to retry them. Sends nothing.
///
/// Each refusal of a command or key is an entry in the server's ACL LOG. So a refused command is not sent for
/// other keys, a refused key is not read again, and a retry is a few commands: for the same keys each time
/// but one, which takes turns; the rest is retried only after one of these succeeds.
class PermissionTracker
{
public:
    using Use = PermissionStatus::Use;
    using Missing = PermissionStatus::Missing;

    static constexpr qsizetype maxProbes = 8;

    PermissionTracker(KeyNameFilter names, milliseconds retryInterval);

    /// Forgets keys that do not match.
    void setNames(const KeyNameFilter &names);

    // Commands that read no key: SCAN and INFO.
    void refuse(Use use, const QByteArray &command, const Error &why, TimePoint now);
    void permit(Use use, const QByteArray &command);
    /// True if the command must not be sent now.
    bool isRefused(Use use) const;
    /// True if it was refused the last time.
    bool isMissing(Use use) const;
    /// Replaces the refusals that the feed or the companion reader keep.
    void replace(Use use, const QList<Missing> &missing, TimePoint now);

    /// Takes the refusals of the feed, once they are known.
    void takeFeed(const FeedStatus &status, TimePoint now);

    // Reading keys.
    /// The target with only those commands that may be sent.
    inspector::Target adapted(inspector::Target target) const;
    /// Takes the replies to appendRead(), to learn which of its commands are permitted.
    void takeReplies(const inspector::Target &target, std::span<const Reply> replies, TimePoint now);
    struct Unread
    {
        bool isLock = false;      ///< read as a lock before
        bool isThere = false;     ///< found by the current SCAN; the server refuses missing names too
        std::optional<Error> why; ///< absent: nothing was sent
    };
    void refuseKey(const inspector::Target &target, const Unread &unread, TimePoint now);
    /// Records that the key was read. True if it was unreadable before.
    bool permitKey(const LockKey &key);
    /// True if the key must not be read now.
    bool isRefused(const LockKey &key) const;
    bool isKnown(const LockKey &key) const { return m_keys.contains(key); }
    /// Keys to read again since the last call.
    QList<LockKey> takeDue();

    // A SCAN pass shows which of the unreadable keys still exist.
    void beginPass() { ++m_pass; }
    void meet(const LockKey &key);
    /// Ends the pass: keys that it `meets` but has not found are gone. Returns the locks among them.
    QList<LockKey> endPass(const std::function<bool(QByteArrayView name)> &meets);

    TimePoint nextRetry() const;
    /// Keys to read now as a retry. Commands without a suitable key count as permitted until the next retry.
    QList<inspector::Target> takeRetries(TimePoint now);
    /// Retries everything, key by key.
    void retryAll(TimePoint now);
    /// Schedules a retry for a new connection.
    void expectRetry();

    /// The number of existing keys that cannot be read.
    qint64 unreadable() const { return m_counted; }
    PermissionStatus status() const;
    /// True if the status has changed since takeChanged().
    bool hasChanged() const { return m_hasChanged; }
    bool takeChanged() { return std::exchange(m_hasChanged, false); }

private:
    struct Entry
    {
        Missing missing;
        bool isDue = false;
    };
    struct Key
    {
        inspector::Reads by; ///< refused commands; none: the key is refused
        KeyType type = KeyType::Unknown;
        quint32 refusedIn = 0;
        quint32 metIn = 0; ///< last pass; 0: none
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

    KeyNameFilter m_names;
    const milliseconds m_retryInterval;
    TimePoint m_retryAt = TimePoint::max();
    QList<Entry> m_missing;
    inspector::Reads m_refused;      ///< missing commands that are not sent
    inspector::Reads m_worked;       ///< permitted once at least
    bool m_areOthersRefused = false; ///< a key that is not nominated was refused: no more of them are read
    QSet<Use> m_workedUses;
    Keys m_keys;
    Refusal m_keyRefusal; ///< for the key refused last
    QByteArray m_keySaid;
    qint64 m_byKey = 0; ///< number of keys that are refused themselves
    qint64 m_lost = 0;
    qint64 m_counted = 0;
    QList<LockKey> m_steady;
    QSet<LockKey> m_probes;
    quint64 m_retries = 0; ///< number so far
    bool m_isTrying = false;
    QList<LockKey> m_due;
    QList<QByteArray> m_matched; ///< patterns that match keys which are refused themselves
    quint32 m_pass = 1;
    bool m_hasChanged = false;
    bool m_feedWasFree = false; ///< it was permitted once
};

} // namespace lockscope
