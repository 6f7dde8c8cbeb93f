// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/deployment/deployment.h"

#include <algorithm>
#include <utility>

namespace lockscope {

class Deployment::AnyLink : public Link
{
public:
    explicit AnyLink(Deployment &deployment) : Link(&deployment), m_deployment(deployment) {}

    void open() override { m_deployment.open(); }
    void close() override { m_deployment.close(); }
    void distrust(const Phrase &why) override { first().distrust(why); }
    void retryNow() override { m_deployment.retryNow(); }

    State state() const override
    {
        if (!m_deployment.isCluster() && !m_deployment.isGroup())
            return first().state();
        const auto isIn = [](State state) {
            return [state](const Shard *shard) { return shard->state() == state; };
        };
        const QList<Shard *> &shards = m_deployment.shards();
        const bool areDecided =
            m_isUp || std::ranges::all_of(shards, [](const Shard *shard) { return shard->isDecided(); });
        if (areDecided && std::ranges::any_of(shards, isIn(State::Ready)))
            return State::Ready;
        for (const State state : {State::Connecting, State::Ready, State::Backoff}) {
            if (std::ranges::any_of(shards, isIn(state)))
                return state == State::Ready ? State::Connecting : state;
        }
        return first().state();
    }
    bool isReadOnly() const override { return first().isReadOnly(); }
    const ServerAddress &address() const override { return m_deployment.address(); }
    const ServerInfo &server() const override { return one().server(); }
    const Error &lastError() const override
    {
        const auto lost = std::ranges::find_if(m_deployment.shards(), [](const Shard *shard) {
            return shard->state() != State::Ready && shard->isDecided();
        });
        const Shard &shard = lost == m_deployment.shards().end() ? first() : **lost;
        const Error &why = shard.lastError();
        const bool isOfNetwork = why.kind == ErrorKind::ConnectionRefused ||
                                 why.kind == ErrorKind::ConnectTimeout ||
                                 why.kind == ErrorKind::NetworkFailed;
        if (!m_deployment.isCluster() || !isOfNetwork || shard.address() == m_deployment.address())
            return why;
        m_error = Error(ErrorKind::NodeNotReached, // else it would be taken for what befell the given address
                        Phrase(QT_TRANSLATE_NOOP("phrases", "its address: %1"), shard.nodeName()));
        return m_error;
    }
    Link &forKey(QByteArrayView key) override { return m_deployment.linkFor(key); }

    using Link::send;
    QFuture<Result<std::vector<Reply>>> send(const CommandBatch &batch) override
    {
        return one().send(batch, m_deployment.m_options.commandDeadline); // each is as good as the others
    }

    /// Updates the state after a shard became ready or was lost.
    void follow(const Shard &shard)
    {
        const State now = state();
        if (now == State::Ready) {
            if (!std::exchange(m_isUp, true))
                emit ready();
        } else if (now == State::Backoff || now == State::Connecting) {
            if (std::exchange(m_isUp, false) || now == State::Backoff)
                emit connectionLost(lastError(), shard.nextTry().value_or(std::chrono::milliseconds(0)));
        } else {
            m_isUp = false;
            if (shard.state() != State::Closed || lastError().kind != ErrorKind::Canceled)
                emit connectionRefused(lastError());
        }
    }

private:
    Shard &first() const { return *m_deployment.shards().first(); }
    Shard &one() const
    {
        Shard *ready = m_deployment.anyReady();
        return ready ? *ready : first();
    }

    Deployment &m_deployment;
    mutable Error m_error;
    bool m_isUp = false;
};

} // namespace lockscope
