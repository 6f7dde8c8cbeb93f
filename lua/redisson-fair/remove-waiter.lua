#!lua flags=allow-oom
-- Generated from lua/parts/redisson-fair/remove-waiter.lua: edit that.
-- KEYS: the lock, its redisson_lock_queue, its redisson_lock_timeout
-- ARGV: the waiter [, 'sharded'] [, 'counted': every other node of the cluster was just asked, and has no subscriber]
-- Returns: {outcome, -1, pttl, message}: removed, not-waiting, still-listens, not-heard or wrong-type
-- SPDX-License-Identifier: GPL-3.0-or-later

local third = 'redisson_lock_timeout:'
-- Defines key and queue; braced: the lock's name in those of its companions; fits: whether these are the keys, the lock alone or
-- with its queue and the companion whose name begins with `third`.
local key, queue = KEYS[1], KEYS[2]
local braced = key and (key:find('{', 1, true) and key or '{' .. key .. '}')
local fits = (#KEYS == 1 or #KEYS == 3) and key ~= ''
    and (not queue or queue == 'redisson_lock_queue:' .. braced and KEYS[3] == third .. braced)
local timeouts, waiter = KEYS[3], ARGV[1]
local sharded, counted = ARGV[2] == 'sharded', #ARGV > 1 and ARGV[#ARGV] == 'counted'
if not fits or not queue or #ARGV ~= 1 + (sharded and 1 or 0) + (counted and 1 or 0) then
    return redis.error_reply('ERR usage: the lock, its redisson_lock_queue and redisson_lock_timeout; '
        .. 'the waiter [, sharded] [, counted]')
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

-- Asked, not published to: a live waiter is not to be disturbed. Whoever may not ask gets the server's refusal, and
-- nothing is changed.
local channel = 'redisson_lock__channel:' .. braced .. ':'
local listeners = redis.call('PUBSUB', 'NUMSUB', channel .. waiter)[2]
if sharded then
    listeners = listeners + redis.call('PUBSUB', 'SHARDNUMSUB', channel .. waiter)[2]
end
local apart = listeners == 0 and not counted and elsewhere()
if listeners > 0 or apart then
    local outcome = redis.call('ZSCORE', timeouts, waiter) and (apart and 'not-heard' or 'still-listens')
    return answer(outcome or 'not-waiting', -1, outcome and apart)
end

local head = redis.call('LINDEX', queue, 0)
if redis.call('LREM', queue, 0, waiter) + redis.call('ZREM', timeouts, waiter) == 0 then
    return answer('not-waiting', -1)
end

-- A free lock waits for its head to take it, and the new head sleeps.
local heir = head == waiter and redis.call('EXISTS', key) == 0 and redis.call('LINDEX', queue, 0)
local heard = heir and redis.pcall('PUBLISH', channel .. heir, '0')
if type(heard) == 'table' then
    return answer('removed', -1, 'waiters not woken: ' .. heard.err)
end
return answer('removed', -1)
