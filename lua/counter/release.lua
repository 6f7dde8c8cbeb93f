#!lua flags=allow-oom
-- Generated from lua/parts/counter/release.lua: edit that.
-- KEYS: the lock, a count of holds without owners, or the only hold
-- ARGV: the value that was seen
-- Returns: {outcome, holds left, pttl, message}; ends one hold
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, token = KEYS[1], ARGV[1]
if #KEYS ~= 1 or key == '' or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: one key that is not empty; the value that was seen')
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

local count = token:match('^%-?%d+$') and tonumber(token)
if not count then
    redis.call('DEL', key)
    return answer('released', 0)
end
if count < 1 then
    return answer('not-held', -1)
end
-- A 0 is left, as the libraries leave it: to them it is the same as no key. Not DECR, which needs a permission more.
local left = redis.call('INCRBY', key, '-1')
if left > 0 then
    return answer('unwound', left)
end
return answer('released', 0, nil, -2)
