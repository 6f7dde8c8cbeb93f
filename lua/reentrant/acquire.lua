#!lua
-- Generated from lua/parts/reentrant/acquire.lua: edit that.
-- KEYS: the lock
-- ARGV: owner, lease in seconds [, 'named']
-- Returns: 1 acquired or re-entered, 0 held by another; named: {outcome, holds, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, owner, lease, named = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
if #KEYS ~= 1 or key == '' or #ARGV < 2 or #ARGV > 3 or (named and named ~= 'named') then
    return redis.error_reply('ERR usage: one key that is not empty; owner, lease in seconds [, named]')
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
-- Defines answer(): what the script returns, published or in names, with what timeLeft() says.
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
local function answer(published, outcome, holds, message)
    if not named then
        return published
    end
    local left, sooner = timeLeft(holds)
    return {outcome, holds, left, message or sooner}
end

local wanted = 'hash'
-- Defines kind: the type of the key. Answers wrong-type unless it is `wanted`, or none.
local kind = redis.call('TYPE', key).ok
if kind ~= 'none' and kind ~= wanted then
    local message = 'the key holds a ' .. kind .. ', not a ' .. wanted
    return answer(redis.error_reply('WRONGTYPE ' .. message), 'wrong-type', -1, message)
end

if kind == 'hash' then
    local count = redis.call('HGET', key, owner)
    if not count then
        return answer(0, 'held-by-other', -1)
    end
    local most = 999999999999998
    -- Refuses a stored count that is no whole number from 1 to `most`.
    if not count:match('^[1-9]%d*$') or #count > 15 or count + 0 > most then
        return answer(redis.error_reply('ERR the stored count is not a whole number from 1 to ' .. string.format('%.0f', most)
            .. ': nothing was changed; look at the key, force-expire can end it'),
            'bad-count', -1, 'stored count: ' .. count:sub(1, 64))
    end
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
return answer(1, holds == 1 and 'acquired' or 'reentered', holds)
