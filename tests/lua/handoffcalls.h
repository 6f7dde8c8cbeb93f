// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/blockingconnection.h"
#include "tests/support/scripttest.h"

#include <memory>

namespace lockscope {

/// Calls of lua/handoff/.
class HandoffTest : public ScriptTest
{
protected:
    HandoffTest() : ScriptTest("handoff", keysOf("lock")) {}

    static inline const QByteArray queue = "lock:handoff:queue";
    static inline const QByteArray waiters = "lock:handoff:waiters";
    static inline const QByteArray fence = "lock:handoff:fence";

    static Words keysOf(const QByteArray &key)
    {
        return {key, key + ":handoff:queue", key + ":handoff:waiters", key + ":handoff:fence"};
    }
    Words run(const QByteArray &script, const Words &arguments)
    {
        return answer(script, arguments).split(',');
    }
    /// What each script is called with so that it passes a's lock on; an acquisition by a stranger, when it has ended.
    static Words freeing(const QByteArray &script)
    {
        if (script == "acquire")
            return {"stranger", "30", "", "1"};
        return script == "release" ? Words{"a", "", "1"} : Words{"", "a", "1"};
    }
    /// Listens as a waiter does.
    std::unique_ptr<BlockingConnection> listen(const QByteArray &owner)
    {
        auto ear =
            std::make_unique<BlockingConnection>(m_server.socketAddress(), BlockingConnection::Options{});
        if (!ear->open() || !ear->subscribe("lock:handoff:wake:" + owner))
            qFatal("no subscription");
        return ear;
    }
    static QByteArray heard(BlockingConnection &ear,
                            std::chrono::milliseconds patience = std::chrono::seconds(5))
    {
        const auto message = ear.nextMessage(std::chrono::steady_clock::now() + patience);
        return message && *message ? (*message)->text : QByteArray();
    }
};

} // namespace lockscope
