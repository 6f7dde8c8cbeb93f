#!lua flags=allow-oom
-- KEYS: the lock
-- ARGV: lease in milliseconds for what is left, owner ("<client uuid>:<thread>")
-- Returns: 1 released, 0 one level less, nil not held by owner
-- SPDX-License-Identifier: GPL-3.0-or-later

--#include shared/redisson-arguments.lua

if redis.call('HEXISTS', key, owner) == 0 then
    return false
end
if redis.call('HINCRBY', key, owner, -1) > 0 then
    redis.call('PEXPIRE', key, ms)
    return 0
end
redis.call('DEL', key)
-- Waiters sleep until this message. Refused or not, the lock has ended: hence pcall.
redis.pcall('PUBLISH', 'redisson_lock__channel:' .. (key:find('{', 1, true) and key or '{' .. key .. '}'), '0')
return 1
