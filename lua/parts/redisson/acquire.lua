#!lua
-- KEYS: the lock
-- ARGV: lease in milliseconds, owner ("<client uuid>:<thread>")
-- Returns: nil acquired or re-entered; held by another: what is left of its lease in milliseconds
-- SPDX-License-Identifier: GPL-3.0-or-later

--#include shared/redisson-arguments.lua

if redis.call('EXISTS', key) == 1 and redis.call('HEXISTS', key, owner) == 0 then
    return redis.call('PTTL', key)
end
--#include shared/hold.lua
return false
