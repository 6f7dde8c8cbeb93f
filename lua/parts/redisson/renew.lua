#!lua flags=allow-oom
-- KEYS: the lock
-- ARGV: lease in milliseconds, owner ("<client uuid>:<thread>")
-- Returns: 1 renewed, 0 not held by owner
-- SPDX-License-Identifier: GPL-3.0-or-later

--#include shared/redisson-arguments.lua

if redis.call('HEXISTS', key, owner) == 0 then
    return 0
end
return redis.call('PEXPIRE', key, ms)
