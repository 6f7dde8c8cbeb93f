#!lua flags=allow-oom
-- Generated from lua/parts/redisson-fair/force-expire.lua: edit that.
-- KEYS: the lock [, its redisson_lock_queue, its redisson_lock_timeout]
-- ARGV: grace in seconds or '' for at once, then a pair for every owner seen: owner, count ('': any) [, 'sharded']
-- Returns: {outcome, holds, pttl, message}; for Redisson's plain and fenced locks too, the fencing token stays
-- SPDX-License-Identifier: GPL-3.0-or-later

-- One script for the three: a lock that was seen without a queue may have one by now.
local third = 'redisson_lock_timeout:'
-- Defines key and queue; braced: the lock's name in those of its companions; fits: whether these are the keys, the lock alone or
-- with its queue and the companion whose name begins with `third`.
local key, queue = KEYS[1], KEYS[2]
local braced = key and (key:find('{', 1, true) and key or '{' .. key .. '}')
local fits = (#KEYS == 1 or #KEYS == 3) and key ~= ''
    and (not queue or queue == 'redisson_lock_queue:' .. braced and KEYS[3] == third .. braced)
local timeouts, grace = KEYS[3], ARGV[1]
local sharded = #ARGV % 2 == 0 and ARGV[#ARGV] == 'sharded'
local first, last = 2, sharded and #ARGV - 1 or #ARGV
if not fits or last < 3 or last % 2 == 0 then
    return redis.error_reply('ERR usage: the lock [, its redisson_lock_queue and redisson_lock_timeout]; '
        .. 'grace in seconds or an empty text, then owner, count for every owner that was seen [, sharded]')
end

-- Defines ms: the milliseconds of grace; nil for an empty text.
local ms
if grace ~= '' then
    local text = grace
    -- Sets ms to the milliseconds of text, which is decimal seconds, or to nil. By pattern, since tonumber() also takes nan, inf,
    -- 1e3, 0x10 and blanks.
    ms = (text:match('^%d+$') or text:match('^%d+%.%d+$')) and math.floor(tonumber(text) * 1000 + 0.5)
    ms = ms and ms >= 1 and ms <= 1e15 and ms or nil
    if not ms then
        return redis.error_reply('ERR grace must be decimal seconds from 0.001 to 1000000000000, such as 5 or 0.1, '
            .. 'or empty to end the lock at once')
    end
end

-- Refuses an owner given twice among ARGV[first], ARGV[first + 2] .. ARGV[last]: it would stand for one that was not seen.
local given = {}
for i = first, last, 2 do
    if given[ARGV[i]] then
        return redis.error_reply('ERR an owner is given twice: give every owner that was seen once')
    end
    given[ARGV[i]] = true
end

-- Defines timeLeft(): what is left of the lock, and why where that is less than the key has: with Redis 7.4 the fields of its
-- owners, ARGV[first], ARGV[first + 2] .. ARGV[last], may end before, and the last of them ends it. Nothing is sent to a server
-- that has no such command, nor for a user without the permission.
local function timeLeft()
    local ask = {'HPTTL', key, 'FIELDS', string.format('%.0f', (last - first + 1) / 2)}
    for i = first, last, 2 do
        ask[#ask + 1] = ARGV[i]
    end
    local left, latest = redis.call('PTTL', key), 0
    local isThere, may = pcall(redis.acl_check_cmd, unpack(ask))
    for _, field in ipairs(isThere and may and redis.call(unpack(ask)) or {-1}) do
        latest = field >= 0 and latest >= 0 and math.max(latest, field) or -1
    end
    if latest >= 0 and (left == -1 or latest < left) then
        return latest, "its owners' fields have an earlier end of their own, which was left as it is"
    end
    return left
end
-- Defines answer(): what the script returns. The time left is asked for where it isn't given.
-- Defines keyTimeLeft(): PTTL of the lock. While a cluster moves the slot, a key that is not there any more can't be asked for:
-- whether it is on the other node, too, is not known here, but this script has just deleted it.
local function keyTimeLeft()
    local left = redis.pcall('PTTL', key)
    if type(left) == 'table' and string.find(left.err, 'non local key', 1, true) then
        return -2
    end
    return type(left) == 'table' and redis.call('PTTL', key) or left
end
local function answer(outcome, holds, message, left)
    return {outcome, holds, left or keyTimeLeft(), message or ''}
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
-- Goes on only where the hash has the owners seen and no other, with the counts seen; else answers what has changed.
if redis.call('EXISTS', key) == 0 then
    return answer('already-gone', -1)
end
if redis.call('HLEN', key) ~= (last - first + 1) / 2 then -- asked first, so that a huge hash is never read
    return answer('owner-changed', -1)
end
-- Compares the owners seen, each with its count, ARGV[first], ARGV[first + 1] .. ARGV[last], with those of the hash. Defines
-- missing: whether one is gone; changed: whether a count is another ('' fits any); holds: all counts, -1 if one is no count.
local holds, changed, missing = 0, false, false
for i = first, last, 2 do
    local count = redis.call('HGET', key, ARGV[i])
    if not count then
        missing = true
        break
    end
    changed = changed or (ARGV[i + 1] ~= '' and ARGV[i + 1] ~= count)
    local number = count:match('^[1-9]%d*$') and #count <= 15 and tonumber(count)
    holds = holds and number and holds + number
end
holds = holds or -1
if missing then
    return answer('owner-changed', -1)
end
if changed then
    return answer('holds-changed', holds)
end

-- Where it lasts for a grace, what ends it sooner is told.
local function ended(message)
    if not ms then
        return answer('expired', holds, message)
    end
    local left, sooner = timeLeft()
    return answer('expired', holds, message and sooner and message .. '; ' .. sooner or message or sooner, left)
end

if ms then
    -- The server sends Redisson's waiters nothing when the key goes: told now, they sleep no longer than it lasts.
    -- Lets the lock end in ms milliseconds, unless it ends sooner. Defines left: what it had before.
    local left = redis.call('PTTL', key)
    if left == -1 or left > ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
    if left ~= -1 and left <= ms then
        return ended()
    end
else
    redis.call('DEL', key)
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
    return ended(message)
end

-- Defines elsewhere(): why silence here proves nothing, nil where it does. A server counts its own subscribers alone, while what
-- is published reaches those of its replicas and of a cluster's other nodes too. Asked in here: nothing comes in between.
local function elsewhere()
    local replication, cluster = redis.pcall('INFO', 'replication'), redis.pcall('INFO', 'cluster')
    if type(replication) == 'table' or type(cluster) == 'table' then
        return 'whether other servers have subscribers too may not be asked here'
    elseif not cluster:find('cluster_enabled:0', 1, true) then
        return 'the other nodes of this cluster may have subscribers too'
    elseif not replication:find('role:master', 1, true) then
        return 'this is a replica, and other servers may have subscribers too'
    elseif not replication:find('connected_slaves:0', 1, true)
            or not replication:find('repl_backlog_active:0', 1, true) then -- had some lately: they come back
        return 'the replicas of this server may have subscribers too'
    end
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

    -- Who nobody listens for would keep those behind waiting until its time is up, so it goes; one that had only not come so
    -- far queues again at its next try. Not where it may listen to another server, or where the lock is still held.
    local deaf, apart = 0, nil
    for _, waiter in ipairs(redis.call('LRANGE', queue, 0, 63)) do
        local heard, refused = wake(channel .. ':' .. waiter)
        if heard ~= 0 then
            message = refused
            break
        end
        if deaf == 0 then
            apart = elsewhere()
        end
        deaf = deaf + 1
        if not ms and not apart then
            redis.call('LPOP', queue)
            redis.call('ZREM', timeouts, waiter)
        end
    end
    if deaf > 0 and not message then
        local one = deaf == 1
        message = 'the first ' .. (one and '' or deaf .. ' ') .. 'in the queue ' ..
            (apart and (one and 'was not heard here and stays: ' or 'were not heard here and stay: ') .. apart
            or 'did not listen' .. (ms and ': those behind wait until they are removed or time out'
                or one and ' and was dropped' or ' and were dropped'))
    end
    return message
end

-- A user may be refused what it takes: the lock has ended all the same.
local isWhole, told = pcall(wakeQueue)
if not isWhole then
    told = 'waiters not woken: ' .. (type(told) == 'table' and told.err or tostring(told))
end
return ended(told)
