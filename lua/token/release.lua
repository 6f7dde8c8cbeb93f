#!lua flags=allow-oom
-- Generated from lua/parts/token/release.lua: edit that.
-- KEYS: the lock
-- ARGV: token [, 'deleted' (default) or 'done'] [, 'named']
-- Returns: 1 released, 0 not (for 'done' a lock already gone is 1 too); named: {outcome, holds left, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, token = KEYS[1], ARGV[1]
local last = #ARGV
local named = last > 1 and ARGV[last] == 'named'
last = named and last - 1 or last
local form = last > 1 and ARGV[2] or 'deleted'
if #KEYS ~= 1 or key == '' or last < 1 or last > 2 or (form ~= 'deleted' and form ~= 'done') then
    return redis.error_reply('ERR usage: one key that is not empty; token [, deleted or done] [, named]')
end
-- Refuses an empty token.
if token == '' then
    return redis.error_reply('ERR token must not be empty: give the value that the lock was acquired with')
end

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
if kind == 'none' then
    return answer(form == 'done' and 1 or 0, 'not-held', -1)
end
if redis.call('GET', key) ~= token then
    return answer(0, 'held-by-other', -1)
end

redis.call('DEL', key)
return answer(1, 'released', 0)
