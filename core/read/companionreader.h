// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/companionplan.h"

#include <deque>
#include <optional>

namespace lockscope {

/// Reads companion keys of some locks, in rounds of bounded batches that the caller sends. A key that is
/// missing, of another type or on another node is not an error.
///
/// A queue is exact. Without one, subscribed processes are counted: each has at least one waiting thread. No
/// subscribers means only that none waits by messages: some libraries poll.
class CompanionReader
{
public:
    /// Limit of locks, to keep the number of rounds low.
    static constexpr qsizetype maxLocks = 500;
    static bool isWorthwhile(const Lock &lock);

    /// `scope` must outlive this object.
    CompanionReader(QList<Lock> locks, CompanionAccess &scope);

    /// The commands of the next round; empty: finished.
    CommandBatch next();
    /// The server cost of the round, in reads of a key.
    int weight() const { return m_weight; }
    /// Takes the replies. An Error (LOADING, BUSY, …) ends the reading.
    Result<void> take(std::span<const Reply> replies);

    const QList<Lock> &locks() const { return m_locks; }
    bool isFinished() const { return m_questions.empty() && m_channels.empty() && !wantsWrites(); }
    /// The locks with companions, and families set by them; once finished.
    QList<Lock> finished() const;

private:
    struct Asked
    {
        CompanionStep question;
        qsizetype lock;
    };
    /// A channel whose subscribers are counted.
    struct Channel
    {
        enum class Of : quint8 {
            Lock,   ///< the lock's family's
            Family, ///< a family's that subscribers would prove
            Waiter, ///< a queued waiter's
        };
        Of of;
        qsizetype lock;
        Family family;
        qsizetype waiter = 0;
    };

    PartialCompanionState &reading(qsizetype lock) { return m_readings[static_cast<size_t>(lock)]; }
    void ask(const CompanionQuestions &questions, qsizetype lock);
    void takeListenersOfFamily(const Channel &channel, qint64 count);
    void takeAnswer(const Asked &asked, std::span<const Reply> replies);
    void appendListeners(CommandBatch &batch);
    QByteArray nameOf(const Channel &channel) const;
    void takeServers(std::span<const Reply> replies);
    bool wantsWrites() const { return m_missesBeats && !m_acceptsWrites && m_scope.asksServers(); }
    void takeWrites(const Reply &info);
    void takeListeners(const Reply &reply);

    const QList<Lock> m_locks;
    CompanionAccess &m_scope;
    std::vector<PartialCompanionState> m_readings;
    std::deque<Asked> m_questions;
    std::deque<Channel> m_channels;
    std::vector<Asked> m_onTheWay;
    std::vector<Channel> m_channelsOnTheWay;
    int m_listenerReplies = 0;
    bool m_asksServers = false;          ///< in this round
    bool m_asksWrites = false;           ///< in this round
    bool m_missesBeats = false;          ///< of a holder
    std::optional<bool> m_acceptsWrites; ///< whether heartbeats are; absent: not asked
    NoSubscribersMeaning m_silence = NoSubscribersMeaning::Unknown; ///< for the waiters of this round
    int m_weight = 0;
};

/// Sets the lock's family, expiry problem and semaphore owners by its companions. permits of a semaphore.
void refineFamily(Lock &lock);

} // namespace lockscope
