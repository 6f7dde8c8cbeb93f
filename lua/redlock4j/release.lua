#!lua flags=allow-oom
-- Generated from lua/parts/redlock4j/release.lua: edit that.
-- KEYS: the lock, the queue of a fair one ("<lock>:queue")
-- ARGV: token
-- Returns: {outcome, holds left, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, queue, token = KEYS[1], KEYS[2], ARGV[1]
if #KEYS ~= 2 or key == '' or queue ~= key .. ':queue' or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: the lock and its :queue; token')
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

local absent, other = 'not-held', 'held-by-other'
-- Goes on only where the key holds token; else answers `absent` for no key, `other` for another value.
local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer(absent, -1)
end
if kind ~= 'string' then
    return answer('wrong-type', -1, 'the key holds a ' .. kind .. ', not a string')
end
if redis.call('STRLEN', key) ~= #token or redis.call('GET', key) ~= token then -- a huge value is never read
    return answer(other, -1)
end

-- While a fair lock is held its holder is the first in the queue, under another token: left there, it would keep all others
-- waiting. Another's sorted set is not touched.
local own = #token == 40 and not token:find('%X') -- another's token has no place there
local first = own and redis.call('TYPE', queue).ok == 'zset' and redis.call('ZRANGE', queue, 0, 0)[1]
if first and #first == 40 and not first:find('%X') then
    redis.call('ZREM', queue, first)
end
-- The lock goes last: a refusal before it leaves it as it is.
redis.call('DEL', key)
return answer('released', 0)
