#!lua flags=allow-oom
-- KEYS: the lock, the queue of a fair one ("<lock>:queue")
-- ARGV: token
-- Returns: {outcome, holds left, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, queue, token = KEYS[1], KEYS[2], ARGV[1]
if #KEYS ~= 2 or key == '' or queue ~= key .. ':queue' or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: the lock and its :queue; token')
end
if token == '' then
    return redis.error_reply('ERR token must not be empty: give the value that the lock was acquired with')
end

local function answer(outcome, holds, message)
    return {outcome, holds, redis.call('PTTL', key), message or ''}
end

local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer('not-held', -1)
end
if kind ~= 'string' then
    return answer('wrong-type', -1, 'the key holds a ' .. kind .. ', not a string')
end
if redis.call('STRLEN', key) ~= #token or redis.call('GET', key) ~= token then -- a huge value is never read
    return answer('held-by-other', -1)
end

-- While a fair lock is held its holder is the first in the queue, under another token: left there, it would keep all others
-- waiting. Another's sorted set is not touched. The lock goes last: a refusal before it leaves it as it is.
local own = #token == 40 and not token:find('%X') -- another's token has no place there
local first = own and redis.call('TYPE', queue).ok == 'zset' and redis.call('ZRANGE', queue, 0, 0)[1]
if first and #first == 40 and not first:find('%X') then
    redis.call('ZREM', queue, first)
end
redis.call('DEL', key)
return answer('released', 0)
