#!lua
-- KEYS: the lock
-- ARGV: token, lease in seconds [, 'named']
-- Returns: 1 acquired, 0 held by another; named: {outcome, holds, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, token, lease, named = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
if #KEYS ~= 1 or key == '' or #ARGV < 2 or #ARGV > 3 or (named and named ~= 'named') then
    return redis.error_reply('ERR usage: one key that is not empty; token, lease in seconds [, named]')
end
if token == '' then
    return redis.error_reply('ERR token must not be empty: give a value that only its holder knows')
end

-- By pattern, since tonumber() also takes nan, inf, 1e3, 0x10 and blanks.
local ms = (lease:match('^%d+$') or lease:match('^%d+%.%d+$')) and math.floor(tonumber(lease) * 1000 + 0.5)
if not ms or ms < 1 or ms > 1e15 then
    return redis.error_reply('ERR lease must be decimal seconds from 0.001 to 1000000000000, such as 30 or 0.1')
end
ms = string.format('%.0f', ms)

local function answer(published, outcome, holds, message)
    return named and {outcome, holds, redis.call('PTTL', key), message} or published
end

local kind = redis.call('TYPE', key).ok
if kind ~= 'none' and kind ~= 'string' then
    local message = 'the key holds a ' .. kind .. ', not a string'
    return answer(redis.error_reply('WRONGTYPE ' .. message), 'wrong-type', -1, message)
end

if redis.call('SET', key, token, 'NX', 'PX', ms) then
    return answer(1, 'acquired', 1)
end
return answer(0, 'held-by-other', -1)
