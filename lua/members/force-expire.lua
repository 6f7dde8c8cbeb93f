#!lua flags=allow-oom
-- KEYS: the lock: a sorted set or a set of owners, or a string with the only one
-- ARGV: grace in seconds or '', 'all' or 'only', then a pair for each: owner, '' where a count would stand
-- Returns: {outcome, holds, pttl, message}; 'only' ends some owners' holds and leaves the lock to the others
-- SPDX-License-Identifier: GPL-3.0-or-later

-- For symfony, redis-semaphore and madelson: which type they store depends on the kind of lock.
local key, grace, scope = KEYS[1], ARGV[1], ARGV[2]
if #KEYS ~= 1 or key == '' or #ARGV < 4 or #ARGV % 2 == 1 or (scope ~= 'all' and scope ~= 'only')
        or (scope == 'only' and grace ~= '') then
    return redis.error_reply('ERR usage: one key that is not empty; grace in seconds or an empty text '
        .. '(always empty with only), all or only, then owner, an empty text for every owner')
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

-- An owner given twice would stand for one that was not seen.
local given, owners = {}, {}
for i = 3, #ARGV, 2 do
    if given[ARGV[i]] then
        return redis.error_reply('ERR an owner is given twice: give every owner that was seen once')
    end
    given[ARGV[i]] = true
    owners[#owners + 1] = ARGV[i]
end

local function answer(outcome, holds, message)
    return {outcome, holds, redis.call('PTTL', key), message or ''}
end

local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer('already-gone', -1)
end
if kind ~= 'zset' and kind ~= 'set' and kind ~= 'string' then
    return answer('wrong-type', -1, 'the key holds a ' .. kind .. ', not a zset, a set or a string')
end

-- Symfony marks a lock that is held for writing with a member that is no owner.
local mark = kind == 'zset' and redis.call('ZSCORE', key, '__write__') and 1 or 0
local others
if kind == 'string' then
    others = 1 - #owners
    local same = redis.call('STRLEN', key) == #owners[1] and redis.call('GET', key) == owners[1]
    if not same then -- a huge value is never read
        return answer('owner-changed', -1)
    end
else
    others = redis.call(kind == 'zset' and 'ZCARD' or 'SCARD', key) - mark - #owners
    for _, owner in ipairs(owners) do
        local isThere = kind == 'zset' and redis.call('ZSCORE', key, owner) or kind == 'set'
            and redis.call('SISMEMBER', key, owner) == 1
        if not isThere then
            return answer('owner-changed', -1)
        end
    end
end
if others < 0 or (scope == 'all' and others > 0) then
    return answer('owner-changed', -1)
end

if ms then
    local left = redis.call('PTTL', key)
    if left == -1 or left > ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
elseif others == 0 then
    redis.call('DEL', key)
else
    for _, owner in ipairs(owners) do
        redis.call(kind == 'zset' and 'ZREM' or 'SREM', key, owner)
    end
end
return answer('expired', #owners)
