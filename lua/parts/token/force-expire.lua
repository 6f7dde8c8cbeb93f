#!lua flags=allow-oom
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

--#include shared/grace.lua

--#include shared/answer-named.lua

local wanted = 'string'
--#include shared/type-named.lua
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
