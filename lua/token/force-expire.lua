#!lua flags=allow-oom
-- Generated from lua/parts/token/force-expire.lua: edit that.
-- KEYS: the lock
-- ARGV: grace in seconds or '' for at once, token seen [, ''] [, 'pttl<=MS'] [, 'named']; '' stands where a count would
-- Returns: 1 expired, 0 refused, nil already gone; named: {outcome, holds, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later
-- MS is the time left at most if nothing has changed, -1 for none: compared too where a token says little.

local key, grace, token = KEYS[1], ARGV[1], ARGV[2]
local last = #ARGV
local named = last > 2 and ARGV[last] == 'named'
last = named and last - 1 or last
local most = last > 2 and tonumber(ARGV[last]:match('^pttl<=(%-?%d+)$'))
last = most and last - 1 or last
if #KEYS ~= 1 or key == '' or last < 2 or last > 3 or (last == 3 and ARGV[3] ~= '') then
    return redis.error_reply('ERR usage: one key that is not empty; grace in seconds or an empty text, '
        .. 'the token that was seen [, an empty text] [, pttl<=MS] [, named]')
end

-- Defines ms: the milliseconds of grace; nil for an empty text.
local ms
if grace ~= '' then
    local text = grace
    -- Sets ms to the milliseconds of text, which is decimal seconds, or to nil. By pattern, since tonumber() also takes nan, inf,
    -- 1e3, 0x10 and blanks.
    ms = (text:match('^%d+$') or text:match('^%d+%.%d+$')) and math.floor(tonumber(text) * 1000 + 0.5)
    ms = ms and ms >= 1 and ms <= 1e15 and ms or nil
    if not ms then
        return redis.error_reply('ERR grace must be decimal seconds from 0.001 to 1000000000000, such as 5 or 0.1, '
            .. 'or empty to end the lock at once')
    end
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
    return answer(false, 'already-gone', -1)
end
if redis.call('STRLEN', key) ~= #token or redis.call('GET', key) ~= token then -- a huge value is never read
    return answer(0, 'owner-changed', -1)
end
local now = redis.call('PTTL', key)
if most and (now > most or (now == -1) ~= (most == -1)) then
    return answer(0, 'lease-changed', 1)
end

if ms then
    if now == -1 or now > ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
    return answer(1, 'expired', 1)
end

redis.call('DEL', key)
return answer(1, 'expired', 1)
