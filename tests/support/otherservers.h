// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/hostileserver.h"

namespace lockscope {

// Peers that answer like servers of other makes, by their sources, with one token lock at "lock:1".

inline QByteArray bulkReply(const QByteArray &text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}

/// An active replica: both servers take writes.
class KeyDbPeer : public HostileServer
{
public:
    KeyDbPeer()
    {
        on("INFO",
           bulkReply("# Server\r\nredis_version:6.3.4\r\nredis_mode:standalone\r\ngcc_version:12.2.0\r\n"
                     "run_id:" +
                     QByteArray(40, 'e') +
                     "\r\nexecutable:/usr/local/bin/keydb-server\r\nfeatures:cluster_mget\r\n"
                     "maxmemory:0\r\nmaxmemory_policy:noeviction\r\nexpired_keys:0\r\n"
                     "# Replication\r\nrole:active-replica\r\nmaster_host:10.0.0.2\r\nmaster_port:6379\r\n"
                     "cmdstat_info:calls=3,usec=90\r\n# KeyDB\r\nmvcc_depth:0\r\n"));
        on("EVALSHA", "-NOSCRIPT No matching script. Please use EVAL.\r\n");
        on("EVAL", "*3\r\n$7\r\nexpired\r\n:0\r\n:-2\r\n");
    }
};

/// Tracks single keys in RESP3, notifies of expiries alone, takes no flags of Redis 7 in scripts.
class DragonflyPeer : public HostileServer
{
public:
    DragonflyPeer()
    {
        setCounts(0);
        on("HELLO", "%1\r\n$5\r\nproto\r\n:3\r\n");
        on("CLIENT TRACKING",
           "-ERR Client tracking is currently not supported for RESP2. Please use RESP3.\r\n");
        on("CLIENT TRACKING ON BCAST", "-ERR syntax error\r\n");
        on("CONFIG", "*2\r\n$22\r\nnotify_keyspace_events\r\n$2\r\nEx\r\n");
        on("EVALSHA", "-NOSCRIPT No matching script. Please use EVAL.\r\n");
        on("EVAL", "-ERR Error running script (call to f_1): @user_script:9: script tried accessing "
                   "undeclared key\r\n");
    }
    /// What was counted since the start; commands not under Redis' names.
    void setCounts(int expired)
    {
        on("INFO",
           bulkReply("# Server\r\nredis_version:7.4.0\r\ndragonfly_version:df-v1.38.0\r\n"
                     "redis_mode:standalone\r\nused_memory:1000\r\nmaxmemory:100000\r\n"
                     "maxmemory_policy:noeviction\r\nexpired_keys:" +
                     QByteArray::number(expired) +
                     "\r\nevicted_keys:0\r\nlast_success_save:1789999000\r\n"
                     "rdb_changes_since_last_success_save:12\r\n# Replication\r\nrole:master\r\n"
                     "connected_slaves:1\r\nslave0:ip=10.0.0.2,port=6379,state=stable_sync,lag=4711\r\n"
                     "cmdstat_DEL:calls=9,usec=9\r\n"));
        on("INFO server stats", "-ERR syntax error\r\n"); // one section at a time
    }
};

/// No tracking, no notifications, no scripts unless they were switched on.
class GarnetPeer : public HostileServer
{
public:
    GarnetPeer()
    {
        on("INFO", bulkReply("# Server\r\ngarnet_version:1.0.84\r\nos:Unix\r\nrun_id:" + QByteArray(40, 'd') +
                             "\r\nredis_version:7.4.3\r\nredis_mode:standalone\r\n"
                             "# Memory\r\naof_memory_size:-1\r\n"
                             "# Replication\r\nrole:master\r\nconnected_slaves:0\r\n"));
        on("CLIENT TRACKING", "-ERR unknown subcommand 'TRACKING'.\r\n");
        on("CONFIG", "*0\r\n");
        on("ACL DRYRUN", "-ERR unknown subcommand 'DRYRUN'.\r\n");
        on("PSUBSCRIBE", "*3\r\n$10\r\npsubscribe\r\n$1\r\n*\r\n:1\r\n");
        on("PING", "-ERR Can't execute 'PING' in subscribe mode\r\n");
        on("EVALSHA", "-ERR This instance has Lua scripting support disabled\r\n");
    }
};

} // namespace lockscope
