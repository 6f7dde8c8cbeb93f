#!lua flags=allow-oom
-- KEYS: the lock, then the same with :handoff:queue, :handoff:waiters, :handoff:fence
-- ARGV: owner, lease in seconds for what is left or '', level held before ('': the stored one) or 'all'
-- Returns: {outcome, holds left, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local call, pcall = redis.call, redis.pcall
--#include shared/handoff-keys.lua
local owner, lease, level = ARGV[1], ARGV[2], ARGV[3]
if not fits or #ARGV ~= 3 then
    return redis.error_reply('ERR usage: the lock, its :handoff:queue, :handoff:waiters and :handoff:fence; '
        .. 'owner, lease in seconds or an empty text, level or all or an empty text')
end
--#include shared/owner-given.lua
if level ~= '' and level ~= 'all' and (not level:match('^[1-9]%d*$') or #level > 15) then
    return redis.error_reply('ERR level must be a whole number from 1 to 999999999999999, or all, '
        .. 'or empty for one level of those stored')
end

--#include shared/lease-of-rest.lua

local count = pcall('HGET', key, owner)
if type(count) == 'table' then
    return {'wrong-type', -1, call('PTTL', key), 'the key holds a ' .. call('TYPE', key).ok .. ', not a hash'}
end
if not count then
    return {call('EXISTS', key) == 1 and 'held-by-other' or 'not-held', -1, call('PTTL', key), ''}
end
if not count:match('^[1-9]%d*$') or #count > 15 then
    return {'bad-count', -1, call('PTTL', key), 'stored count: ' .. count:sub(1, 64)}
end

-- By level, so that the same again, after a lost answer, changes nothing more.
local left = level == 'all' and 0 or level == '' and count - 1 or math.min(count, level - 1)
if left > 0 then
    if ms then
        call('PEXPIRE', key, string.format('%.0f', ms))
    end
    call('HSET', key, owner, string.format('%.0f', left))
    return {'unwound', left, call('PTTL', key), ''}
end

call('HDEL', key, owner)
if call('EXISTS', key) == 1 then -- another owner's field keeps it
    return {'released', 0, call('PTTL', key), ''}
end

-- Passes the free lock to the first waiter that hears of it. Every call counts here, and so does every function that
-- Lua has to make: whoever waits, waits for this script too.
local time = call('TIME')
local token = time[1] * 1000000 + time[2]
local now = math.floor(token / 1000)
while true do
    local id = pcall('LPOP', queue)
    if not id then
        return {'released', 0, -2, ''}
    end
    local failure = type(id) == 'table' and id
    local entry = failure or pcall('HGET', waiters, id)
    failure = type(entry) == 'table' and entry
    local deadline, wanted
    if entry and not failure then
        deadline, wanted = entry:match('^(%d+) (%d+)$')
    end
    local granted = deadline and math.min(deadline - now, wanted) or 0
    local heard = 0
    if granted >= 1 then
        -- The token grows over restarts and FLUSHALL too.
        local text = string.format('%.0f', token)
        local last = pcall('SET', fence, text, 'PX', '86400000', 'GET')
        if type(last) == 'table' and last.err:find('syntax', 1, true) then -- before Redis 6.2
            last = pcall('GET', fence)
            if type(last) ~= 'table' then
                call('SET', fence, text, 'PX', '86400000')
            end
        end
        failure = type(last) == 'table' and last
        if last and not failure and last:match('^%d+$') and last + 1 > token and last + 0 < 9e15 then
            token = last + 1
            text = string.format('%.0f', token)
            call('SET', fence, text, 'PX', '86400000')
        end
        if not failure then
            call('HSET', key, id, '1')
            local lasts = string.format('%.0f', granted)
            local ended = pcall('PEXPIRE', key, lasts)
            failure = type(ended) == 'table' and ended
            heard = failure or pcall('PUBLISH', key .. ':handoff:wake:' .. id, text .. ' ' .. lasts)
            failure = type(heard) == 'table' and heard
        end
    end
    if failure then -- another's key, or a user without the permission
        call('DEL', key)
        if type(id) == 'string' and call('LPUSH', queue, id) == 1
                and type(pcall('PEXPIRE', queue, math.max(call('PTTL', waiters), 1))) == 'table' then
            call('LPOP', queue) -- the last one took the queue's end with it; its next sign of life queues it anew
        end
        return {'released', 0, -2, 'waiters not woken: ' .. failure.err}
    end
    call('HDEL', waiters, id)
    if heard > 0 then
        return {'released', 0, granted, ''}
    end
    if granted >= 1 then -- subscribers of replicas and of a cluster's other nodes are not counted, and hear all the same
        local replication, cluster = pcall('INFO', 'replication'), pcall('INFO', 'cluster')
        if type(replication) == 'table' or type(cluster) == 'table'
                or not cluster:find('cluster_enabled:0', 1, true) or not replication:find('role:master', 1, true)
                or not replication:find('connected_slaves:0', 1, true)
                or not replication:find('repl_backlog_active:0', 1, true) then -- had some lately: they come back
            return {'released', 0, granted, 'the first in the queue was handed the lock, but not heard here: '
                .. 'other servers may have subscribers too'}
        end
    end
    call('DEL', key) -- nobody listens: its connection is gone, or its time was up
    token = token + 1
end
