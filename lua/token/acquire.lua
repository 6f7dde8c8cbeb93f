#!lua
-- Generated from lua/parts/token/acquire.lua: edit that.
-- KEYS: the lock
-- ARGV: token, lease in seconds [, 'named']
-- Returns: 1 acquired, 0 held by another; named: {outcome, holds, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, token, lease, named = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
if #KEYS ~= 1 or key == '' or #ARGV < 2 or #ARGV > 3 or (named and named ~= 'named') then
    return redis.error_reply('ERR usage: one key that is not empty; token, lease in seconds [, named]')
end
-- Refuses an empty token for a new lock.
if token == '' then
    return redis.error_reply('ERR token must not be empty: give a value that only its holder knows')
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

-- Defines answer(): what the script returns, published or in names. The time left is asked for where it isn't given.
-- Defines keyTimeLeft(): PTTL of the lock. While a cluster moves the slot, a key that is not there any more can't be asked for:
-- whether it is on the other node, too, is not known here, but this script has just deleted it.
local function keyTimeLeft()
    local left = redis.pcall('PTTL', key)
    if type(left) == 'table' and string.find(left.err, 'non local key', 1, true) then
        return -2
    end
    return type(left) == 'table' and redis.call('PTTL', key) or left
end
local function answer(published, outcome, holds, message, left)
    return named and {outcome, holds, left or keyTimeLeft(), message} or published
end

local wanted = 'string'
-- Defines kind: the type of the key. Answers wrong-type unless it is `wanted`, or none.
local kind = redis.call('TYPE', key).ok
if kind ~= 'none' and kind ~= wanted then
    local message = 'the key holds a ' .. kind .. ', not a ' .. wanted
    return answer(redis.error_reply('WRONGTYPE ' .. message), 'wrong-type', -1, message)
end

if redis.call('SET', key, token, 'NX', 'PX', ms) then
    return answer(1, 'acquired', 1)
end
return answer(0, 'held-by-other', -1)
