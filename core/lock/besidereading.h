// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/besidescope.h"
#include "core/lock/lock.h"
#include "core/redis/command.h"
#include "core/redis/reply.h"

#include <deque>
#include <span>
#include <vector>

namespace lockscope {

/// Reads what stands beside some locks: in rounds of commands, each bounded, whose sender it does not know. What is
/// missing, of another type or on another node is no failure: then nothing is there.
///
/// A queue is exact. Where there is none, the processes that listen on the lock's channel are counted: each has at
/// least one thread that waits, so none listening means no more than that none waits by messages; some libraries poll.
class BesideReading
{
public:
    /// Locks of one reading, so that its rounds are few.
    static constexpr qsizetype mostLocks = 500;
    /// There may be something beside such a lock.
    static bool isWorthwhile(const Lock &lock);
    /// The command that reads the queue of a lock that has one, and what it said; who listens is not asked.
    static void appendQueue(CommandBatch &batch, const Lock &lock);
    static QList<Waiter> queueOf(const Lock &lock, const Reply &members);

    /// `scope` must outlive this.
    BesideReading(QList<Lock> locks, BesideScope &scope);

    /// The commands of the next round; empty when all is read.
    CommandBatch next();
    /// What they cost the server, in reads of a key.
    int weight() const { return m_weight; }
    /// Their replies. An Error: the server can't answer at the moment (LOADING, BUSY, …), and the reading is over.
    Result<void> take(std::span<const Reply> replies);

    const QList<Lock> &locks() const { return m_locks; }
    bool isFinished() const { return m_questions.empty() && m_channels.empty(); }
    /// When it is finished: the locks with it, their families named by it.
    QList<Lock> finished() const;

private:
    /// What is asked about one lock at once.
    enum class Question : quint8 {
        RedissonProbe,
        RedissonQueue,
        RedissonFence,
        HandoffProbe,
        HandoffQueue,
        HandoffWaiters,
        HandoffFence,
        Job,
        DigestQueue,
        Length, ///< of a queue that was not read whole
    };
    struct Asked
    {
        Question question;
        qsizetype lock;
    };
    /// A channel whose subscribers are counted: of a waiter in the queue, or with -1 of the lock.
    struct Channel
    {
        qsizetype lock;
        qsizetype waiter;
    };
    struct Seen
    {
        Beside beside;
        QByteArray queueKey;
        qint64 listeners = -1; ///< -1: not known
        bool queueRead = false;
    };

    void begin(qsizetype lock);
    void ask(Question question, qsizetype lock) { m_questions.push_back({question, lock}); }
    static int weightOf(Question question);
    static int repliesTo(Question question);
    static BesideScope::Part partOf(Question question);
    void append(CommandBatch &batch, const Asked &asked) const;
    void appendListeners(CommandBatch &batch);
    QByteArray nameOf(const Channel &channel) const;
    void answer(const Asked &asked, std::span<const Reply> replies);
    void takeQueue(qsizetype lock, const QByteArray &key, const Reply &members);
    void takeListeners(const Reply &reply);
    Waiters waitersOf(const Seen &seen, const Lock &lock) const;

    const QList<Lock> m_locks;
    BesideScope &m_scope;
    std::vector<Seen> m_seen;
    std::deque<Asked> m_questions;
    std::deque<Channel> m_channels;
    std::vector<Asked> m_onTheWay;
    std::vector<Channel> m_channelsOnTheWay;
    int m_listenerReplies = 0;
    int m_weight = 0;
};

} // namespace lockscope
