#!lua flags=allow-oom
-- KEYS: the lock: a sorted set or a set of owners, or a string with the only one
-- ARGV: grace in seconds or '', 'all' or 'only', then a pair for each: owner, '' where a count would stand
-- Returns: {outcome, holds, pttl, message}; 'only' ends some owners' holds and leaves the lock to the others
-- SPDX-License-Identifier: GPL-3.0-or-later

-- For symfony, redis-semaphore and madelson: which type they store depends on the kind of lock.
local key, grace, scope = KEYS[1], ARGV[1], ARGV[2]
local first, last = 3, #ARGV
if #KEYS ~= 1 or key == '' or last < 4 or last % 2 == 1 or (scope ~= 'all' and scope ~= 'only')
        or (scope == 'only' and grace ~= '') then
    return redis.error_reply('ERR usage: one key that is not empty; grace in seconds or an empty text '
        .. '(always empty with only), all or only, then owner, an empty text for every owner')
end

--#include shared/grace.lua

--#include shared/seen-once.lua

--#include shared/answer.lua

local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer('already-gone', -1)
end
if kind ~= 'zset' and kind ~= 'set' and kind ~= 'string' then
    return answer('wrong-type', -1, 'the key holds a ' .. kind .. ', not a zset, a set or a string')
end

local count = (last - first + 1) / 2
-- Symfony marks a lock that is held for writing with a member that is no owner.
local mark = kind == 'zset' and redis.call('ZSCORE', key, '__write__') and 1 or 0
local others
if kind == 'string' then
    others = 1 - count
    local same = redis.call('STRLEN', key) == #ARGV[first] and redis.call('GET', key) == ARGV[first]
    if not same then -- a huge value is never read
        return answer('owner-changed', -1)
    end
else
    others = redis.call(kind == 'zset' and 'ZCARD' or 'SCARD', key) - mark - count
    for i = first, last, 2 do
        local isThere = kind == 'zset' and redis.call('ZSCORE', key, ARGV[i]) or kind == 'set'
            and redis.call('SISMEMBER', key, ARGV[i]) == 1
        if not isThere then
            return answer('owner-changed', -1)
        end
    end
end
if others < 0 or (scope == 'all' and others > 0) then
    return answer('owner-changed', -1)
end

if ms then
    --#include shared/shorten.lua
elseif others == 0 then
    redis.call('DEL', key)
else
    for i = first, last, 2 do
        redis.call(kind == 'zset' and 'ZREM' or 'SREM', key, ARGV[i])
    end
end
return answer('expired', count)
