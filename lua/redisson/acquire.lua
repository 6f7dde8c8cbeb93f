#!lua
-- Generated from lua/parts/redisson/acquire.lua: edit that.
-- KEYS: the lock
-- ARGV: lease in milliseconds, owner ("<client uuid>:<thread>")
-- Returns: nil acquired or re-entered; held by another: what is left of its lease in milliseconds
-- SPDX-License-Identifier: GPL-3.0-or-later

-- Defines key, ms (the lease in milliseconds, as text) and owner.
local key, ms, owner = KEYS[1], ARGV[1], ARGV[2]
if #KEYS ~= 1 or key == '' or #ARGV ~= 2 or owner == '' then
    return redis.error_reply('ERR usage: one key that is not empty; lease in milliseconds, owner that is not empty')
end
if not ms:match('^[1-9]%d*$') or #ms > 15 then
    return redis.error_reply('ERR lease must be whole milliseconds from 1 to 999999999999999')
end

if redis.call('EXISTS', key) == 1 and redis.call('HEXISTS', key, owner) == 0 then
    return redis.call('PTTL', key)
end
-- Gives owner a level more, for ms milliseconds. Defines holds: how many it has then.
local holds = redis.call('HINCRBY', key, owner, 1)
local renewed = redis.pcall('PEXPIRE', key, ms)
if type(renewed) == 'table' then
    -- Refused, as to a user without the permission. A script's writes stay, and this lock would never end.
    if holds == 1 then
        redis.call('DEL', key)
    else
        redis.call('HINCRBY', key, owner, -1)
    end
    return renewed
end
return false
