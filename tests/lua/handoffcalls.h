// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/blockingconnection.h"
#include "tests/lua/namedcall.h"

#include <memory>

namespace lockscope {

/// Calls of lua/handoff/ on a server of their own, in the form that the global row `flagged` says.
class HandoffCalls
{
protected:
    using Words = QByteArrayList;

    static inline const QByteArray queue = "lock:handoff:queue";
    static inline const QByteArray waiters = "lock:handoff:waiters";
    static inline const QByteArray fence = "lock:handoff:fence";

    /// Whatever the test before has set.
    void clear() { m_server.lines({"AUTH default x", "CONFIG SET maxmemory 0", "FLUSHALL"}); }
    static bool flagged()
    {
        QFETCH_GLOBAL(bool, flagged);
        return flagged;
    }
    static Words keysOf(const QByteArray &key)
    {
        return {key, key + ":handoff:queue", key + ":handoff:waiters", key + ":handoff:fence"};
    }
    static QByteArray call(const QByteArray &script, const Words &arguments, const Words &keys)
    {
        return ScriptServer::call("handoff/" + script, flagged(), keys, arguments);
    }
    static QByteArray call(const QByteArray &script, const Words &arguments)
    {
        return call(script, arguments, keysOf("lock"));
    }
    Words run(const QByteArray &script, const Words &arguments)
    {
        return m_server.lines({call(script, arguments)})[0].split(',');
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

    ScriptServer m_server;
};

} // namespace lockscope
