#!lua
-- Generated from lua/parts/handoff/acquire.lua: edit that.
-- KEYS: the lock, then the same with :handoff:queue, :handoff:waiters, :handoff:fence
-- ARGV: owner, lease in seconds, patience in seconds ('': not to queue, to leave it), level wanted, from 1, or 'next'
-- Returns: {outcome, holds, pttl, message, fence}; queued: the place in the queue, from 1, and the fence before ours
-- SPDX-License-Identifier: GPL-3.0-or-later

-- Defines key, queue, waiters and fence, and fits: whether these are the keys.
local key, queue, waiters, fence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local fits = #KEYS == 4 and key ~= '' and queue == key .. ':handoff:queue' and waiters == key .. ':handoff:waiters'
    and fence == key .. ':handoff:fence'
local owner, lease, patience, level = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if not fits or #ARGV ~= 4 then
    return redis.error_reply('ERR usage: the lock, its :handoff:queue, :handoff:waiters and :handoff:fence; '
        .. 'owner, lease in seconds, patience in seconds or an empty text, level')
end
-- Refuses an empty owner, of one who acquires.
if owner == '' then
    return redis.error_reply('ERR owner must not be empty: name who is to hold the lock')
end
if level ~= 'next' and (not level:match('^[1-9]%d*$') or #level > 15) then
    return redis.error_reply('ERR level must be a whole number from 1 to 999999999999999, or next')
end

local function milliseconds(text)
    local ms
    -- Sets ms to the milliseconds of text, which is decimal seconds, or to nil. By pattern, since tonumber() also takes nan, inf,
    -- 1e3, 0x10 and blanks.
    ms = (text:match('^%d+$') or text:match('^%d+%.%d+$')) and math.floor(tonumber(text) * 1000 + 0.5)
    ms = ms and ms >= 1 and ms <= 1e15 and ms or nil
    return ms
end
local ms, wait = milliseconds(lease), milliseconds(patience)
if not ms then
    return redis.error_reply('ERR lease must be decimal seconds from 0.001 to 1000000000000, such as 30 or 0.1')
end
if not wait and patience ~= '' then
    return redis.error_reply('ERR patience must be decimal seconds from 0.001 to 1000000000000, such as 5 or 0.1, '
        .. 'or empty to try once')
end

-- Defines now: the server's time in milliseconds; time: the same as the server tells it.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function answer(outcome, holds, message, token)
    return {outcome, holds, redis.call('PTTL', key), message or '', tonumber(token or -1) or -1}
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

local count = redis.call('HGET', key, owner)
if count and (not count:match('^[1-9]%d*$') or #count > 15) then
    return answer('bad-count', -1, 'stored count: ' .. count:sub(1, 64))
end
if level == 'next' then -- for who does not know how many there are: the same again is a level more
    level = string.format('%.0f', (count or 0) + 1)
    if #level > 15 then
        return answer('bad-count', -1, 'stored count: ' .. count)
    end
end
if count then
    -- A further level; or the same again, after a lost answer or a hand-over: so the count is set, never raised.
    redis.call('PEXPIRE', key, string.format('%.0f', ms))
    redis.call('HSET', key, owner, level)
    return answer(level == '1' and 'acquired' or 'reentered', tonumber(level), '', redis.call('GET', fence))
end
if level ~= '1' then
    return answer('not-held', -1)
end

local try = redis.call
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

local message
if redis.call('EXISTS', key) == 0 then
    local first
    first, message = passOn()
    message = not first and message or nil
    if not message and (not first or first == owner) then
        local token, refused = grant(owner, ms)
        return refused or answer('acquired', 1, '', token)
    end
end

if not wait then
    if redis.call('HDEL', waiters, owner) == 1 then
        redis.call('LREM', queue, 1, owner)
    end
    return answer('held-by-other', -1, message)
end

local place
if redis.call('HSET', waiters, owner, string.format('%.0f %.0f', now + wait, ms)) == 0 then
    for i, id in ipairs(redis.call('LRANGE', queue, 0, -1)) do
        place = id == owner and i or place
    end
end
place = place or redis.call('RPUSH', queue, owner)
for _, companion in ipairs({queue, waiters}) do
    local refused = redis.call('PTTL', companion) < wait
        and redis.pcall('PEXPIRE', companion, string.format('%.0f', wait))
    if type(refused) == 'table' then -- nobody may queue who can't give the queue an end
        redis.call('HDEL', waiters, owner)
        redis.call('LREM', queue, 1, owner)
        return refused
    end
end
return answer('queued', place, message, redis.call('GET', fence))
