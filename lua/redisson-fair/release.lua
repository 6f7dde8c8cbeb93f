#!lua flags=allow-oom
-- KEYS: the lock [, its redisson_lock_queue, its redisson_lock_timeout]
-- ARGV: owner, lease in seconds for what is left or '', 'one' level or 'all' [, 'sharded']
-- Returns: {outcome, holds left, pttl, message}; for Redisson's plain and fenced locks too
-- SPDX-License-Identifier: GPL-3.0-or-later

-- One script for the three: a lock that was seen without a queue may have one by now.
local key, queue, timeouts = KEYS[1], KEYS[2], KEYS[3]
local owner, lease, levels = ARGV[1], ARGV[2], ARGV[3]
local braced = key and (key:find('{', 1, true) and key or '{' .. key .. '}')
local sharded = ARGV[4] == 'sharded'
if (#KEYS ~= 1 and #KEYS ~= 3) or key == '' or #ARGV ~= (sharded and 4 or 3) or (levels ~= 'one' and levels ~= 'all')
        or (queue and queue ~= 'redisson_lock_queue:' .. braced)
        or (timeouts and timeouts ~= 'redisson_lock_timeout:' .. braced) then
    return redis.error_reply('ERR usage: the lock [, its redisson_lock_queue and redisson_lock_timeout]; '
        .. 'owner, lease in seconds or an empty text, one or all [, sharded]')
end
if owner == '' then
    return redis.error_reply('ERR owner must not be empty: name who holds the lock')
end

local ms
if lease ~= '' then
    -- By pattern, since tonumber() also takes nan, inf, 1e3, 0x10 and blanks.
    ms = (lease:match('^%d+$') or lease:match('^%d+%.%d+$')) and math.floor(tonumber(lease) * 1000 + 0.5)
    if not ms or ms < 1 or ms > 1e15 then
        return redis.error_reply('ERR lease must be decimal seconds from 0.001 to 1000000000000, such as 30 or 0.1, '
            .. 'or empty to leave the time as it is')
    end
end

-- With Redis 7.4 the owner's field may end before the key does; what is left is the smaller of both. Nothing is sent to a
-- server that has no such command, nor for a user without the permission.
local function timeLeft(holds)
    local left = redis.call('PTTL', key)
    if holds < 1 then
        return left
    end
    local isThere, may = pcall(redis.acl_check_cmd, 'HPTTL', key, 'FIELDS', '1', owner)
    local field = isThere and may and redis.call('HPTTL', key, 'FIELDS', '1', owner)[1] or -1
    if field >= 0 and (left == -1 or field < left) then
        return field, "the owner's field has an earlier end of its own, which was left as it is"
    end
    return left
end

local function answer(outcome, holds, message)
    local left, sooner = timeLeft(holds)
    return {outcome, holds, left, message and sooner and message .. '; ' .. sooner or message or sooner or ''}
end

for i, wanted in ipairs({'hash', 'list', 'zset'}) do
    local kind = KEYS[i] and redis.call('TYPE', KEYS[i]).ok or 'none'
    if kind ~= 'none' and kind ~= wanted then
        local name = i == 1 and 'the key' or KEYS[i]:match('^redisson_lock_%l+')
        return answer('wrong-type', -1, name .. ' holds a ' .. kind .. ', not a ' .. wanted)
    end
end
local count = redis.call('HGET', key, owner)
if not count then
    return answer(redis.call('EXISTS', key) == 1 and 'held-by-other' or 'not-held', -1)
end
if not count:match('^[1-9]%d*$') or #count > 15 then
    return answer('bad-count', -1, 'stored count: ' .. count:sub(1, 64))
end

if levels == 'one' and count ~= '1' then
    if ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
    return answer('unwound', redis.call('HINCRBY', key, owner, -1))
end
redis.call('HDEL', key, owner)
if redis.call('EXISTS', key) == 1 then -- another owner's field keeps it
    return answer('released', 0)
end

-- How many heard it, or nil and why nobody could be told. Refused or not, the lock is released: hence pcall.
local function wake(channel)
    local heard = redis.pcall('PUBLISH', channel, '0')
    if type(heard) == 'table' then
        return nil, 'waiters not woken: ' .. heard.err
    end
    if sharded then -- in a cluster of Redis 7 newer clients listen to the shard
        local more = redis.pcall('SPUBLISH', channel, '0')
        if type(more) == 'table' then
            return nil, 'waiters not woken: ' .. more.err
        end
        heard = heard + more
    end
    return heard
end

local channel = 'redisson_lock__channel:' .. braced
local _, message = wake(channel)
if not queue or message then
    return answer('released', 0, message)
end

local function wakeQueue()
    -- Heads whose time is up are dropped, as each of Redisson's own scripts does.
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local head = redis.call('LINDEX', queue, 0)
    while head and tonumber(redis.call('ZSCORE', timeouts, head) or 0) <= now do
        redis.call('LPOP', queue)
        redis.call('ZREM', timeouts, head)
        head = redis.call('LINDEX', queue, 0)
    end
    if head then
        return select(2, wake(channel .. ':' .. head))
    end
end

-- A user may be refused what it takes: the lock is released all the same.
local isWhole, told = pcall(wakeQueue)
if not isWhole then
    told = 'waiters not woken: ' .. (type(told) == 'table' and told.err or tostring(told))
end
return answer('released', 0, told)
