#!lua flags=allow-oom
-- Generated from lua/parts/redisson-fair/release.lua: edit that.
-- KEYS: the lock [, its redisson_lock_queue, its redisson_lock_timeout]
-- ARGV: owner, lease in seconds for what is left or '', 'one' level or 'all' [, 'sharded']
-- Returns: {outcome, holds left, pttl, message}; for Redisson's plain and fenced locks too
-- SPDX-License-Identifier: GPL-3.0-or-later

-- One script for the three: a lock that was seen without a queue may have one by now.
local third = 'redisson_lock_timeout:'
-- Defines key and queue; braced: the lock's name in those of its companions; fits: whether these are the keys, the lock alone or
-- with its queue and the companion whose name begins with `third`.
local key, queue = KEYS[1], KEYS[2]
local braced = key and (key:find('{', 1, true) and key or '{' .. key .. '}')
local fits = (#KEYS == 1 or #KEYS == 3) and key ~= ''
    and (not queue or queue == 'redisson_lock_queue:' .. braced and KEYS[3] == third .. braced)
local timeouts, owner, lease, levels = KEYS[3], ARGV[1], ARGV[2], ARGV[3]
local sharded = ARGV[4] == 'sharded'
if not fits or #ARGV ~= (sharded and 4 or 3) or (levels ~= 'one' and levels ~= 'all') then
    return redis.error_reply('ERR usage: the lock [, its redisson_lock_queue and redisson_lock_timeout]; '
        .. 'owner, lease in seconds or an empty text, one or all [, sharded]')
end
-- Refuses an empty owner, of one who holds.
if owner == '' then
    return redis.error_reply('ERR owner must not be empty: name who holds the lock')
end

-- Defines ms: the milliseconds of lease, for the levels that are left; nil for an empty text.
local ms
if lease ~= '' then
    local text = lease
    -- Sets ms to the milliseconds of text, which is decimal seconds, or to nil. By pattern, since tonumber() also takes nan, inf,
    -- 1e3, 0x10 and blanks.
    ms = (text:match('^%d+$') or text:match('^%d+%.%d+$')) and math.floor(tonumber(text) * 1000 + 0.5)
    ms = ms and ms >= 1 and ms <= 1e15 and ms or nil
    if not ms then
        return redis.error_reply('ERR lease must be decimal seconds from 0.001 to 1000000000000, such as 30 or 0.1, '
            .. 'or empty to leave the time as it is')
    end
end

local fewest = 1
-- Defines answer(): what the script returns, with what timeLeft() says.
-- Defines timeLeft(): what is left of the lock for owner, and why where that is less than the key has: with Redis 7.4 the owner's
-- field may end before. With fewer than `fewest` holds it has no end of its own. Nothing is sent to a server that has no such
-- command, nor for a user without the permission.
-- Defines keyTimeLeft(): PTTL of the lock. While a cluster moves the slot, a key that is not there any more can't be asked for:
-- whether it is on the other node, too, is not known here, but this script has just deleted it.
local function keyTimeLeft()
    local left = redis.pcall('PTTL', key)
    if type(left) == 'table' and string.find(left.err, 'non local key', 1, true) then
        return -2
    end
    return type(left) == 'table' and redis.call('PTTL', key) or left
end
local function timeLeft(holds)
    local left = keyTimeLeft()
    if holds < fewest then
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

local types, called = {'hash', 'list', 'zset'}, '^redisson_lock_%l+'
-- Answers wrong-type unless each key is absent or of the type that `types` has for it. The name of a companion is what of its
-- key matches `called`, or `called` itself.
for i, wanted in ipairs(types) do
    local kind = KEYS[i] and redis.call('TYPE', KEYS[i]).ok or 'none'
    if kind ~= 'none' and kind ~= wanted then
        local name = i == 1 and 'the key' or KEYS[i]:match(called) or called
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
    -- Releases one level of several. The rest is renewed first, for ms if that is set: a user may be refused that.
    if ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
    return answer('unwound', redis.call('HINCRBY', key, owner, -1))
end
redis.call('HDEL', key, owner)
if redis.call('EXISTS', key) == 1 then -- another owner's field keeps it
    return answer('released', 0)
end

-- Defines wake(): how many heard it, or nil and why nobody could be told. Refused or not, the lock has ended: hence pcall. Wakes
-- those who wait for the lock; defines channel, and message: what was refused.
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
    -- Defines head: who is first in the queue. Heads whose time is up are dropped, as each of Redisson's own scripts does.
    -- Defines now: the server's time in milliseconds; time: the same as the server tells it.
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
