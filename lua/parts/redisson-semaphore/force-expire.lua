#!lua flags=allow-oom
-- KEYS: the semaphore, a counter of what is free; the sorted set of the permits that were given out
-- ARGV: '' for the grace that there is not, 'all' or 'only', then a pair for each permit: its id, '' [, 'sharded']
-- Returns: {outcome, permits given back, pttl, message}; 'only' leaves the other permits to their holders
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, permits, scope = KEYS[1], KEYS[2], ARGV[2]
local last = #ARGV
local sharded = last % 2 == 1 and ARGV[last] == 'sharded'
last = sharded and last - 1 or last
if #KEYS ~= 2 or key == '' or permits == '' or last < 4 or last % 2 == 1 or ARGV[1] ~= ''
        or (scope ~= 'all' and scope ~= 'only') then
    return redis.error_reply('ERR usage: the semaphore and its permits, none empty; an empty text, all or only, '
        .. 'then id, an empty text for every permit [, sharded]')
end

-- A permit given twice would be counted twice.
local given, ids = {}, {}
for i = 3, last, 2 do
    if ARGV[i] == '' or given[ARGV[i]] then
        return redis.error_reply('ERR a permit is empty or given twice: give every permit that was seen once')
    end
    given[ARGV[i]] = true
    ids[#ids + 1] = ARGV[i]
end

--#include shared/answer.lua

for i, wanted in ipairs({'string', 'zset'}) do
    local kind = redis.call('TYPE', KEYS[i]).ok
    if kind == 'none' then
        return answer('already-gone', -1)
    end
    if kind ~= wanted then
        local name = i == 1 and 'the key' or 'its set of permits'
        return answer('wrong-type', -1, name .. ' holds a ' .. kind .. ', not a ' .. wanted)
    end
end
if not redis.call('GETRANGE', key, 0, 31):match('^%-?%d+$') then
    return answer('wrong-type', -1, 'the key holds no number')
end
for _, id in ipairs(ids) do
    if not redis.call('ZSCORE', permits, id) then
        return answer('owner-changed', -1)
    end
end
if scope == 'all' and redis.call('ZCARD', permits) ~= #ids then
    return answer('owner-changed', -1)
end

-- Whoever may not take permits away may not count them as free either: the empty id is nobody's, and is refused first.
redis.call('ZREM', permits, '')
local free = redis.call('INCRBY', key, #ids)
for _, id in ipairs(ids) do
    redis.call('ZREM', permits, id)
end
local channel, word = 'redisson_sc:' .. (key:find('{', 1, true) and key or '{' .. key .. '}'), free
local message
--#include shared/redisson-publish.lua
return answer('expired', #ids, message)
