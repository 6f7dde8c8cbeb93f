#!lua flags=allow-oom
-- KEYS: the lock, the queue of a fair one ("<lock>:queue")
-- ARGV: grace in seconds or '' for at once, token seen [, '']; '' stands where a count would
-- Returns: {outcome, holds, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, queue, grace, token = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
if #KEYS ~= 2 or key == '' or queue ~= key .. ':queue' or #ARGV < 2 or #ARGV > 3 or (ARGV[3] and ARGV[3] ~= '') then
    return redis.error_reply('ERR usage: the lock and its :queue; grace in seconds or an empty text, '
        .. 'the token that was seen [, an empty text]')
end

local ms
if grace ~= '' then
    -- By pattern, since tonumber() also takes nan, inf, 1e3, 0x10 and blanks.
    ms = (grace:match('^%d+$') or grace:match('^%d+%.%d+$')) and math.floor(tonumber(grace) * 1000 + 0.5)
    if not ms or ms < 1 or ms > 1e15 then
        return redis.error_reply('ERR grace must be decimal seconds from 0.001 to 1000000000000, such as 5 or 0.1, '
            .. 'or empty to end the lock at once')
    end
end

local function answer(outcome, holds, message)
    return {outcome, holds, redis.call('PTTL', key), message or ''}
end

local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer('already-gone', -1)
end
if kind ~= 'string' then
    return answer('wrong-type', -1, 'the key holds a ' .. kind .. ', not a string')
end
if redis.call('STRLEN', key) ~= #token or redis.call('GET', key) ~= token then -- a huge value is never read
    return answer('owner-changed', -1)
end

if ms then
    local left = redis.call('PTTL', key)
    if left == -1 or left > ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
    return answer('expired', 1)
end

redis.call('DEL', key)
-- While a fair lock is held its holder is the first in the queue, under another token: left there, it would keep all others
-- waiting. Another's sorted set is not touched.
local own = #token == 40 and not token:find('%X') -- another's token has no place there
local first = own and redis.call('TYPE', queue).ok == 'zset' and redis.call('ZRANGE', queue, 0, 0)[1]
if first and #first == 40 and not first:find('%X') then
    redis.call('ZREM', queue, first)
end
return answer('expired', 1)
