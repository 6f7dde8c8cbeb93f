#!lua flags=allow-oom
-- Generated from lua/parts/redisson/release.lua: edit that.
-- KEYS: the lock
-- ARGV: lease in milliseconds for what is left, owner ("<client uuid>:<thread>")
-- Returns: 1 released, 0 one level less, nil not held by owner
-- SPDX-License-Identifier: GPL-3.0-or-later

-- Defines key, ms (the lease in milliseconds, as text) and owner.
local key, ms, owner = KEYS[1], ARGV[1], ARGV[2]
if #KEYS ~= 1 or key == '' or #ARGV ~= 2 or owner == '' then
    return redis.error_reply('ERR usage: one key that is not empty; lease in milliseconds, owner that is not empty')
end
if not ms:match('^[1-9]%d*$') or #ms > 15 then
    return redis.error_reply('ERR lease must be whole milliseconds from 1 to 999999999999999')
end

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
