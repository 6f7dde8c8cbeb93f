#!lua flags=allow-oom
-- KEYS: the lock, its redisson_lock_queue, its redisson_lock_timeout
-- ARGV: the waiter [, 'sharded']
-- Returns: {outcome, -1, pttl, message}: removed, not-waiting, still-listens, not-heard or wrong-type
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, queue, timeouts, waiter = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
local braced = key and (key:find('{', 1, true) and key or '{' .. key .. '}')
local sharded = ARGV[2] == 'sharded'
if #KEYS ~= 3 or key == '' or queue ~= 'redisson_lock_queue:' .. braced
        or timeouts ~= 'redisson_lock_timeout:' .. braced or #ARGV ~= (sharded and 2 or 1) then
    return redis.error_reply('ERR usage: the lock, its redisson_lock_queue and redisson_lock_timeout; '
        .. 'the waiter [, sharded]')
end
if waiter == '' then
    return redis.error_reply('ERR waiter must not be empty: name who is to leave the queue')
end

local function answer(outcome, message)
    return {outcome, -1, redis.call('PTTL', key), message or ''}
end

for i, wanted in ipairs({'hash', 'list', 'zset'}) do
    local kind = redis.call('TYPE', KEYS[i]).ok
    if kind ~= 'none' and kind ~= wanted then
        local name = i == 1 and 'the key' or KEYS[i]:match('^redisson_lock_%l+')
        return answer('wrong-type', name .. ' holds a ' .. kind .. ', not a ' .. wanted)
    end
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

-- Asked, not published to: a live waiter is not to be disturbed. Whoever may not ask gets the server's refusal, and
-- nothing is changed.
local channel = 'redisson_lock__channel:' .. braced .. ':'
local listeners = redis.call('PUBSUB', 'NUMSUB', channel .. waiter)[2]
if sharded then
    listeners = listeners + redis.call('PUBSUB', 'SHARDNUMSUB', channel .. waiter)[2]
end
local apart = listeners == 0 and elsewhere()
if listeners > 0 or apart then
    local outcome = redis.call('ZSCORE', timeouts, waiter) and (apart and 'not-heard' or 'still-listens')
    return answer(outcome or 'not-waiting', outcome and apart)
end

local head = redis.call('LINDEX', queue, 0)
if redis.call('LREM', queue, 0, waiter) + redis.call('ZREM', timeouts, waiter) == 0 then
    return answer('not-waiting')
end

-- A free lock waits for its head to take it, and the new head sleeps.
local heir = head == waiter and redis.call('EXISTS', key) == 0 and redis.call('LINDEX', queue, 0)
local heard = heir and redis.pcall('PUBLISH', channel .. heir, '0')
if type(heard) == 'table' then
    return answer('removed', 'waiters not woken: ' .. heard.err)
end
return answer('removed')
