#!lua
-- Generated from lua/parts/redisson-fair/acquire.lua: edit that.
-- KEYS: the lock [, its redisson_lock_queue, its redisson_lock_token]
-- ARGV: owner ("<client uuid>:<thread>"), lease in seconds
-- Returns: {outcome, holds, pttl, message}; for Redisson's plain and fenced locks too, nobody in a queue is overtaken
-- SPDX-License-Identifier: GPL-3.0-or-later

local third = 'redisson_lock_token:'
-- Defines key and queue; braced: the lock's name in those of its companions; fits: whether these are the keys, the lock alone or
-- with its queue and the companion whose name begins with `third`.
local key, queue = KEYS[1], KEYS[2]
local braced = key and (key:find('{', 1, true) and key or '{' .. key .. '}')
local fits = (#KEYS == 1 or #KEYS == 3) and key ~= ''
    and (not queue or queue == 'redisson_lock_queue:' .. braced and KEYS[3] == third .. braced)
local fence, owner, lease = KEYS[3], ARGV[1], ARGV[2]
if not fits or #ARGV ~= 2 then
    return redis.error_reply('ERR usage: the lock [, its redisson_lock_queue and redisson_lock_token]; '
        .. 'owner, lease in seconds')
end
-- Refuses an empty owner, of one who acquires.
if owner == '' then
    return redis.error_reply('ERR owner must not be empty: name who is to hold the lock')
end

-- Defines ms: the milliseconds of lease, as text.
local text, ms = lease, nil
-- Sets ms to the milliseconds of text, which is decimal seconds, or to nil. By pattern, since tonumber() also takes nan, inf,
-- 1e3, 0x10 and blanks.
ms = (text:match('^%d+$') or text:match('^%d+%.%d+$')) and math.floor(tonumber(text) * 1000 + 0.5)
ms = ms and ms >= 1 and ms <= 1e15 and ms or nil
if not ms then
    return redis.error_reply('ERR lease must be decimal seconds from 0.001 to 1000000000000, such as 30 or 0.1')
end
ms = string.format('%.0f', ms)

local fewest = 2 -- a new field has no end of its own
-- Defines answer(): what the script returns, with what timeLeft() says.
-- Defines timeLeft(): what is left of the lock for owner, and why where that is less than the key has: with Redis 7.4 the owner's
-- field may end before. With fewer than `fewest` holds it has no end of its own. Nothing is sent to a server that has no such
-- command, nor for a user without the permission.
-- Defines keyTimeLeft(): PTTL of the lock. While a cluster moves the slot, a key that is not there any more can't be asked for:
-- whether it is on the other node, too, is not known here, but this script has just deleted it.
local function keyTimeLeft()
    local left = redis.pcall('PTTL', key)
    if type(left) == 'table' and string.find(left.err, 'non local key', 1, true) then
        return -2
    end
    return type(left) == 'table' and redis.call('PTTL', key) or left
end
local function timeLeft(holds)
    local left = keyTimeLeft()
    if holds < fewest then
        return left
    end
    local isThere, may = pcall(redis.acl_check_cmd, 'HPTTL', key, 'FIELDS', '1', owner)
    local field = isThere and may and redis.call('HPTTL', key, 'FIELDS', '1', owner)[1] or -1
    if field >= 0 and (left == -1 or field < left) then
        return field, "the owner's field has an earlier end of its own, which was left as it is"
    end
    return left
end
local function answer(outcome, holds, message)
    local left, sooner = timeLeft(holds)
    return {outcome, holds, left, message and sooner and message .. '; ' .. sooner or message or sooner or ''}
end

local types, called = {'hash', 'list', 'string'}, '^redisson_lock_%l+'
-- Answers wrong-type unless each key is absent or of the type that `types` has for it. The name of a companion is what of its
-- key matches `called`, or `called` itself.
for i, wanted in ipairs(types) do
    local kind = KEYS[i] and redis.call('TYPE', KEYS[i]).ok or 'none'
    if kind ~= 'none' and kind ~= wanted then
        local name = i == 1 and 'the key' or KEYS[i]:match(called) or called
        return answer('wrong-type', -1, name .. ' holds a ' .. kind .. ', not a ' .. wanted)
    end
end
local count = redis.call('HGET', key, owner)
if count and (not count:match('^[1-9]%d*$') or #count > 15 or count == '999999999999999') then
    return answer('bad-count', -1, 'stored count: ' .. count:sub(1, 64))
end
if not count and redis.call('EXISTS', key) == 1 then
    return answer('held-by-other', -1)
end
if not count and queue and redis.call('EXISTS', queue) == 1 then
    return answer('held-by-other', -1, 'nobody holds it, but a queue waits for it, which acquiring would jump')
end

-- A fenced lock counts every acquisition, and its holder's writes are judged by that.
local fenced = fence and redis.call('EXISTS', fence) == 1 and redis.pcall('INCR', fence)
if type(fenced) == 'table' then
    return fenced
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
return answer(holds == 1 and 'acquired' or 'reentered', holds,
    fenced and 'fencing token: ' .. string.format('%.0f', fenced) or nil)
