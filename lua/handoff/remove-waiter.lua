#!lua flags=allow-oom
-- Generated from lua/parts/handoff/remove-waiter.lua: edit that.
-- KEYS: the lock, then the same with :handoff:queue, :handoff:waiters, :handoff:fence
-- ARGV: the waiter
-- Returns: {outcome, -1, pttl, message}: removed, not-waiting, still-listens, not-heard or wrong-type
-- SPDX-License-Identifier: GPL-3.0-or-later

-- Defines key, queue, waiters and fence, and fits: whether these are the keys.
local key, queue, waiters, fence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local fits = #KEYS == 4 and key ~= '' and queue == key .. ':handoff:queue' and waiters == key .. ':handoff:waiters'
    and fence == key .. ':handoff:fence'
local waiter = ARGV[1]
if not fits or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: the lock, its :handoff:queue, :handoff:waiters and :handoff:fence; the waiter')
end
if waiter == '' then
    return redis.error_reply('ERR waiter must not be empty: name who is to leave the queue')
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

local types, called = {'hash', 'list', 'hash'}, ':handoff:%l+$'
-- Answers wrong-type unless each key is absent or of the type that `types` has for it. The name of a companion is what of its
-- key matches `called`, or `called` itself.
for i, wanted in ipairs(types) do
    local kind = KEYS[i] and redis.call('TYPE', KEYS[i]).ok or 'none'
    if kind ~= 'none' and kind ~= wanted then
        local name = i == 1 and 'the key' or KEYS[i]:match(called) or called
        return answer('wrong-type', -1, name .. ' holds a ' .. kind .. ', not a ' .. wanted)
    end
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

-- Asked, not published to: a message here gives the lock away. Whoever may not ask gets the refusal, and nothing
-- is changed.
local listeners = redis.call('PUBSUB', 'NUMSUB', key .. ':handoff:wake:' .. waiter)[2]
local apart = listeners == 0 and elsewhere()
if listeners > 0 or apart then
    local outcome = redis.call('HEXISTS', waiters, waiter) == 1 and (apart and 'not-heard' or 'still-listens')
    return answer(outcome or 'not-waiting', -1, outcome and apart)
end
if redis.call('LREM', queue, 0, waiter) + redis.call('HDEL', waiters, waiter) == 0 then
    return answer('not-waiting', -1)
end
return answer('removed', -1)
