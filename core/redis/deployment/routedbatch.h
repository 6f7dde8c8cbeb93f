// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/deployment/deployment.h"
#include "core/redis/deployment/redirection.h"
#include "core/redis/promisetask.h"

#include <QDeadlineTimer>
#include <QPointer>

#include <functional>
#include <memory>

namespace lockscope {

/// A batch sent to the nodes of a cluster: split by the slots of its keys, redirected where needed, and
/// reassembled. A refused command has not run, and only that is sent again.
class RoutedBatch : public PromiseTask<Result<std::vector<Reply>>>
{
public:
    ~RoutedBatch() override;
    /// Read commands that nodes other than `home` do not answer in `patience` count as out of reach.
    static QFuture<Answer> send(Deployment &deployment, Shard &home, const CommandBatch &batch,
                                std::chrono::milliseconds patience);

private:
    struct Part
    {
        QPointer<Connection> to;
        bool asks = false; ///< preceded by ASKING
        int hops = 0;
        std::optional<Reply> reply;
    };
    /// A count requested from every node.
    struct Count
    {
        int index = 0;
        int open = 0;
        bool isWhole = true;
        bool waitsForAll = true;
        std::optional<Reply> own;
        std::vector<qint64> sums;
        std::vector<Reply> names;
    };

    RoutedBatch(Deployment &deployment, Shard &home, CommandBatch batch, std::chrono::milliseconds patience);

    void start();
    void sendRound();
    void sendTo(Connection &node, const std::vector<int> &indices);
    void whenDecided(Connection &node, std::function<void()> then);
    void take(const std::vector<int> &indices, const QPointer<Connection> &node, const Answer &answer);
    bool follow(Part &part, const Connection *node);
    void askEverywhere(int index);
    void takeCount(Count &count, bool isHome, const Result<Reply> &reply);
    void finishCount(const Count &count);
    const Connection *home() const;
    static Reply sumOf(const Count &count);
    void waitForOthers();
    void giveUpOthers();
    void finishRound();
    bool finishIfDone();

    static constexpr int maxHops = 5;

    Deployment &m_deployment;
    QPointer<Shard> m_home;
    const CommandBatch m_batch;
    std::vector<Part> m_parts;
    std::vector<std::unique_ptr<Count>> m_counts;
    int m_underWay = 0; ///< number of writes and counts
    const std::chrono::milliseconds m_patienceWithOthers;
    QDeadlineTimer m_patience; ///< including transient errors
    bool m_waitsForOthers = false;
    int m_waits = 0;
    bool m_mustWait = false;
};

} // namespace lockscope
