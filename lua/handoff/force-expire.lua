#!lua flags=allow-oom
-- KEYS: the lock, then the same with :handoff:queue, :handoff:waiters, :handoff:fence
-- ARGV: grace in seconds or '' for at once, then a pair for every owner seen: owner, count ('': any)
-- Returns: {outcome, holds, pttl, message}; whoever waits first gets a lock that is ended at once
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, queue, waiters, fence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local grace = ARGV[1]
if #KEYS ~= 4 or key == '' or queue ~= key .. ':handoff:queue' or waiters ~= key .. ':handoff:waiters'
        or fence ~= key .. ':handoff:fence' or #ARGV < 3 or #ARGV % 2 == 0 then
    return redis.error_reply('ERR usage: the lock, its :handoff:queue, :handoff:waiters and :handoff:fence; '
        .. 'grace in seconds or an empty text, then owner, count for every owner that was seen')
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
local given = {}
for i = 2, #ARGV, 2 do
    if given[ARGV[i]] then
        return redis.error_reply('ERR an owner is given twice: give every owner that was seen once')
    end
    given[ARGV[i]] = true
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- With Redis 7.4 its owners' fields may end before the key does, and the last of them ends it. Nothing is sent to a server
-- that has no such command, nor for a user without the permission.
local function timeLeft()
    local ask = {'HPTTL', key, 'FIELDS', string.format('%.0f', (#ARGV - 1) / 2)}
    for i = 2, #ARGV, 2 do
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

local function answer(outcome, holds, message, left)
    return {outcome, holds, left or redis.call('PTTL', key), message or ''}
end

for i, wanted in ipairs({'hash', 'list', 'hash', 'string'}) do
    local kind = redis.call('TYPE', KEYS[i]).ok
    if kind ~= 'none' and kind ~= wanted then
        local name = KEYS[i]:match(':handoff:%l+$', #key + 1) or 'the key'
        return answer('wrong-type', -1, name .. ' holds a ' .. kind .. ', not a ' .. wanted)
    end
end

if redis.call('EXISTS', key) == 0 then
    return answer('already-gone', -1)
end
if redis.call('HLEN', key) ~= (#ARGV - 1) / 2 then -- asked first, so that a huge hash is never read
    return answer('owner-changed', -1)
end

local holds, changed = 0, false
for i = 2, #ARGV, 2 do
    local count = redis.call('HGET', key, ARGV[i])
    if not count then
        return answer('owner-changed', -1)
    end
    changed = changed or (ARGV[i + 1] ~= '' and ARGV[i + 1] ~= count)
    local number = count:match('^[1-9]%d*$') and #count <= 15 and tonumber(count)
    holds = holds and number and holds + number
end
holds = holds or -1
if changed then
    return answer('holds-changed', holds)
end

if ms then
    local left = redis.call('PTTL', key)
    if left == -1 or left > ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
    local sooner
    left, sooner = timeLeft()
    return answer('expired', holds, sooner, left)
end

-- Gives the free lock away. The token grows over restarts and FLUSHALL too; nil, error: it could not be given an end.
local function grant(id, left)
    local last = tonumber((redis.call('GET', fence) or ''):match('^%d+$') or 0)
    local token = math.max(last < 9e15 and last + 1 or 0, time[1] * 1000000 + time[2])
    local refused = redis.pcall('SET', fence, string.format('%.0f', token), 'PX', 86400000)
    refused = refused.err and refused or redis.pcall('HSET', key, id, 1)
    if type(refused) ~= 'table' then
        refused = redis.pcall('PEXPIRE', key, string.format('%.0f', left))
    end
    if type(refused) == 'table' then -- a user without the permission: the lock has ended all the same
        redis.call('DEL', key)
        return nil, refused
    end
    return token
end

-- Why silence here proves nothing: a server counts its own subscribers alone, while what is published reaches those of
-- its replicas and of a cluster's other nodes too. Asked in here, so that nothing comes in between; nil where it proves.
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

-- Passes the free lock to the first waiter that hears of it, as far as that can be told. Its id and that it was not
-- heard, or nil and why not.
local function passOn()
    local id = redis.call('LINDEX', queue, 0)
    while id do
        local deadline, wanted = (redis.call('HGET', waiters, id) or ''):match('^(%d+) (%d+)$')
        local left = deadline and math.min(deadline - now, wanted) or 0
        local heard = 0
        if left >= 1 then
            local token, refused = grant(id, left)
            heard = refused or redis.pcall('PUBLISH', key .. ':handoff:wake:' .. id,
                string.format('%.0f %.0f', token, left))
            if type(heard) == 'table' then
                redis.call('DEL', key)
                return nil, 'waiters not woken: ' .. heard.err
            elseif heard == 0 then
                local apart = elsewhere()
                if apart then -- it may have heard all the same, and then it works already
                    redis.call('LPOP', queue)
                    redis.call('HDEL', waiters, id)
                    return id, 'the first in the queue was handed the lock, but not heard here: ' .. apart
                end
                redis.call('DEL', key) -- nobody listens: its connection is gone
            end
        end
        redis.call('LPOP', queue)
        redis.call('HDEL', waiters, id)
        if heard > 0 then
            return id
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
