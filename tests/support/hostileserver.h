// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/fakepeer.h"

namespace lockscope {

/// A FakePeer that answers like a Redis with one token lock at "lock:1", for monitors, lists and actions.
/// Later on() and once() replace single answers.
///
///     HostileServer server;
///     server.on("SCAN", "$9223372036854775807\r\n");
class HostileServer : public FakePeer
{
public:
    HostileServer()
    {
        on("SCAN", "*2\r\n$1\r\n0\r\n*1\r\n$6\r\nlock:1\r\n");
        on("PTTL", ":60000\r\n");
        on("HSCAN", "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n");
        on("GETRANGE", "$36\r\n7c9e6679-7425-40de-944b-e07fc1f90ae7\r\n");
        on("TYPE", "+string\r\n");
        on("EXISTS", ":1\r\n");
        on("DBSIZE", ":1\r\n");
        on("CLIENT ID", ":7\r\n");
        on("SUBSCRIBE", "*3\r\n$9\r\nsubscribe\r\n$20\r\n__redis__:invalidate\r\n:1\r\n");
        on("EVALSHA", "*4\r\n$8\r\nacquired\r\n:1\r\n:30000\r\n$0\r\n\r\n");
        on("PUBSUB", "*0\r\n");
        on("CONFIG", "*2\r\n$22\r\nnotify-keyspace-events\r\n$0\r\n\r\n");
    }
};

} // namespace lockscope
