#!lua flags=allow-oom
-- KEYS: the latch, a counter
-- ARGV: '' for the grace that there is not, the count seen [, ''] [, 'sharded']
-- Returns: {outcome, holds, pttl, message}; the latch is open then, whatever was left to count down
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, seen = KEYS[1], ARGV[2]
local last = #ARGV
local sharded = last > 2 and ARGV[last] == 'sharded'
last = sharded and last - 1 or last
if #KEYS ~= 1 or key == '' or last < 2 or last > 3 or ARGV[1] ~= '' or (last == 3 and ARGV[3] ~= '') then
    return redis.error_reply('ERR usage: one key that is not empty; an empty text, '
        .. 'the count that was seen [, an empty text] [, sharded]')
end

local function answer(outcome, message)
    return {outcome, -1, redis.call('PTTL', key), message or ''}
end

local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer('already-gone')
end
if kind ~= 'string' then
    return answer('wrong-type', 'the key holds a ' .. kind .. ', not a string')
end
if redis.call('STRLEN', key) ~= #seen or redis.call('GET', key) ~= seen then -- a huge value is never read
    return answer('holds-changed')
end

redis.call('DEL', key)
-- 0 says that it is open, to all who wait; 1, which the library sends when it deletes one, wakes nobody. Refused or
-- not, the latch is open: hence pcall.
local channel, message = 'redisson_countdownlatch__channel__{' .. key .. '}', nil
for i = 1, sharded and 2 or 1 do -- in a cluster of Redis 7 newer clients listen to the shard
    local heard = redis.pcall(i == 1 and 'PUBLISH' or 'SPUBLISH', channel, '0')
    message = message or (type(heard) == 'table' and 'waiters not woken: ' .. heard.err) or nil
end
return answer('expired', message)
