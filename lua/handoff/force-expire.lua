#!lua flags=allow-oom
-- Generated from lua/parts/handoff/force-expire.lua: edit that.
-- KEYS: the lock, then the same with :handoff:queue, :handoff:waiters, :handoff:fence
-- ARGV: grace in seconds or '' for at once, then a pair for every owner seen: owner, count ('': any)
-- Returns: {outcome, holds, pttl, message}; whoever waits first gets a lock that is ended at once
-- SPDX-License-Identifier: GPL-3.0-or-later

-- Defines key, queue, waiters and fence, and fits: whether these are the keys.
local key, queue, waiters, fence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local fits = #KEYS == 4 and key ~= '' and queue == key .. ':handoff:queue' and waiters == key .. ':handoff:waiters'
    and fence == key .. ':handoff:fence'
local grace, first, last = ARGV[1], 2, #ARGV
if not fits or last < 3 or last % 2 == 0 then
    return redis.error_reply('ERR usage: the lock, its :handoff:queue, :handoff:waiters and :handoff:fence; '
        .. 'grace in seconds or an empty text, then owner, count for every owner that was seen')
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

-- Defines now: the server's time in milliseconds; time: the same as the server tells it.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

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

local types, called = {'hash', 'list', 'hash', 'string'}, ':handoff:%l+$'
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

if ms then
    -- Lets the lock end in ms milliseconds, unless it ends sooner. Defines left: what it had before.
    local left = redis.call('PTTL', key)
    if left == -1 or left > ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
    local sooner
    left, sooner = timeLeft()
    return answer('expired', holds, sooner, left)
end

local owner, try = nil, redis.pcall
-- Defines grant(), which gives the free lock away and returns its token, or nil and the error: then it could not be given an end.
-- `try` is redis.call where a refusal may end the script, else redis.pcall.
local function grant(id, left)
    -- Defines number: the next fencing token. It grows over restarts and FLUSHALL too, by `time`.
    local last = tonumber((redis.call('GET', fence) or ''):match('^%d+$') or 0)
    local number = math.max(last < 9e15 and last + 1 or 0, time[1] * 1000000 + time[2])
    local refused = try('SET', fence, string.format('%.0f', number), 'PX', 86400000)
    refused = refused.err and refused or try('HSET', key, id, 1)
    if type(refused) ~= 'table' then
        refused = redis.pcall('PEXPIRE', key, string.format('%.0f', left))
    end
    if type(refused) == 'table' then
        redis.call('DEL', key)
        return nil, refused
    end
    return number
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

-- Defines passOn(), which passes the free lock to the first waiter that hears of it, as far as that can be told; owner, who
-- calls, hears. Returns its id, and what is to be said where it was not heard; or nil, and why it could not be passed on.
local function passOn()
    local id = redis.call('LINDEX', queue, 0)
    while id do
        local deadline, wanted = (redis.call('HGET', waiters, id) or ''):match('^(%d+) (%d+)$')
        local left = deadline and math.min(deadline - now, wanted) or 0
        local heard, message = id == owner and 1 or 0, nil
        if left >= 1 and heard == 0 then
            local token, refused = grant(id, left)
            heard = refused or redis.pcall('PUBLISH', key .. ':handoff:wake:' .. id,
                string.format('%.0f %.0f', token, left))
            if type(heard) == 'table' then
                redis.call('DEL', key)
                return nil, 'waiters not woken: ' .. heard.err
            end
            local apart = heard == 0 and elsewhere()
            if apart then -- it may have heard all the same, and then it works already
                heard, message = 1, 'the first in the queue was handed the lock, but not heard here: ' .. apart
            elseif heard == 0 then
                redis.call('DEL', key) -- nobody listens: its connection is gone
            end
        end
        redis.call('LPOP', queue)
        redis.call('HDEL', waiters, id)
        if heard > 0 then
            return id, message
        end
        id = redis.call('LINDEX', queue, 0)
    end
end

redis.call('DEL', key)
-- A user may be refused what it takes to pass it on: the lock has ended all the same.
local isWhole, told, message = pcall(passOn)
if not isWhole then
    message = 'waiters not woken, or not all: ' .. (type(told) == 'table' and told.err or tostring(told))
end
return answer('expired', holds, message)
