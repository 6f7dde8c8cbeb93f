// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/companionplan.h"

#include <deque>

namespace lockscope {

/// Reads what stands beside some locks: in rounds of commands, each bounded, whose sender it does not know. What is
/// missing, of another type or on another node is no failure: then nothing is there.
///
/// A queue is exact. Where there is none, the processes that listen on the lock's channel are counted: each has at
/// least one thread that waits. None listening means no more than that none waits by messages: some libraries poll.
class CompanionReader
{
public:
    /// Locks of one reading, so that its rounds are few.
    static constexpr qsizetype mostLocks = 500;
    /// There may be something beside such a lock.
    static bool isWorthwhile(const Lock &lock);

    /// `scope` must outlive this.
    CompanionReader(QList<Lock> locks, CompanionAccess &scope);

    /// The commands of the next round; empty when all is read.
    CommandBatch next();
    /// What they cost the server, in reads of a key.
    int weight() const { return m_weight; }
    /// Their replies. An Error: the server can't answer at the moment (LOADING, BUSY, …), and the reading is over.
    Result<void> take(std::span<const Reply> replies);

    const QList<Lock> &locks() const { return m_locks; }
    bool isFinished() const { return m_questions.empty() && m_channels.empty(); }
    /// When it is finished: the locks with it, named by it.
    QList<Lock> finished() const;

private:
    struct Asked
    {
        CompanionQuestion question;
        qsizetype lock;
    };
    /// A channel whose subscribers are counted.
    struct Channel
    {
        enum class Of : quint8 {
            Lock,   ///< its family's
            Family, ///< that of a family of which the lock is, if somebody listens
            Waiter, ///< of one in the queue
        };
        Of of;
        qsizetype lock;
        Family family;
        qsizetype waiter = 0; ///< in the queue
    };

    CompanionReading &reading(qsizetype lock) { return m_readings[static_cast<size_t>(lock)]; }
    void ask(const CompanionQuestions &questions, qsizetype lock);
    void takeListenersOfFamily(const Channel &channel, qint64 count);
    void takeAnswer(const Asked &asked, std::span<const Reply> replies);
    void appendListeners(CommandBatch &batch);
    QByteArray nameOf(const Channel &channel) const;
    void takeServers(std::span<const Reply> replies);
    void takeListeners(const Reply &reply);

    const QList<Lock> m_locks;
    CompanionAccess &m_scope;
    std::vector<CompanionReading> m_readings;
    std::deque<Asked> m_questions;
    std::deque<Channel> m_channels;
    std::vector<Asked> m_onTheWay;
    std::vector<Channel> m_channelsOnTheWay;
    int m_listenerReplies = 0;
    bool m_asksServers = false;           ///< in this round
    Silence m_silence = Silence::Unknown; ///< of those asked for in this round
    int m_weight = 0;
};

/// What stands beside the lock may tell of what kind it is, and so whether it ought to have an expiry; and who holds the
/// permits of a semaphore.
void refineFamily(Lock &lock);

} // namespace lockscope
