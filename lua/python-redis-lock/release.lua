#!lua flags=allow-oom
-- Generated from lua/parts/python-redis-lock/release.lua: edit that.
-- KEYS: the lock ("lock:<name>"), its signal list ("lock-signal:<name>")
-- ARGV: token
-- Returns: {outcome, holds left, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, signal, token = KEYS[1], KEYS[2], ARGV[1]
if #KEYS ~= 2 or key:sub(1, 5) ~= 'lock:' or signal ~= 'lock-signal:' .. key:sub(6) or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: lock:<name> and lock-signal:<name>; token')
end
-- Refuses an empty token.
if token == '' then
    return redis.error_reply('ERR token must not be empty: give the value that the lock was acquired with')
end

-- Defines answer(): what the script returns. The time left is asked for where it isn't given.
-- Defines keyTimeLeft(): PTTL of the lock. While a cluster moves the slot, a key that is not there any more can't be asked for:
-- whether it is on the other node, too, is not known here, but this script has just deleted it.
local function keyTimeLeft()
    local left = redis.pcall('PTTL', key)
    if type(left) == 'table' and string.find(left.err, 'non local key', 1, true) then
        return -2
    end
    return type(left) == 'table' and redis.call('PTTL', key) or left
end
local function answer(outcome, holds, message, left)
    return {outcome, holds, left or keyTimeLeft(), message or ''}
end

local types, called = {'string', 'list'}, 'its signal'
-- Answers wrong-type unless each key is absent or of the type that `types` has for it. The name of a companion is what of its
-- key matches `called`, or `called` itself.
for i, wanted in ipairs(types) do
    local kind = KEYS[i] and redis.call('TYPE', KEYS[i]).ok or 'none'
    if kind ~= 'none' and kind ~= wanted then
        local name = i == 1 and 'the key' or KEYS[i]:match(called) or called
        return answer('wrong-type', -1, name .. ' holds a ' .. kind .. ', not a ' .. wanted)
    end
end
if redis.call('EXISTS', key) == 0 then
    return answer('not-held', -1)
end
if redis.call('STRLEN', key) ~= #token or redis.call('GET', key) ~= token then -- a huge value is never read
    return answer('held-by-other', -1)
end

-- Ends the lock. One element for the first that blocks, which passes it on when it is done; without one it goes by itself.
-- The lock goes last: a refusal before it leaves it as it is.
redis.call('DEL', signal)
redis.call('LPUSH', signal, '1')
redis.call('PEXPIRE', signal, '1000')
redis.call('DEL', key)
return answer('released', 0)
