#!lua flags=allow-oom
-- KEYS: the lock, then the same with :handoff:queue, :handoff:waiters, :handoff:fence
-- ARGV: the waiter
-- Returns: {outcome, -1, pttl, message}: removed, not-waiting, still-listens, not-heard or wrong-type
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, queue, waiters, waiter = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
if #KEYS ~= 4 or key == '' or queue ~= key .. ':handoff:queue' or waiters ~= key .. ':handoff:waiters'
        or KEYS[4] ~= key .. ':handoff:fence' or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: the lock, its :handoff:queue, :handoff:waiters and :handoff:fence; the waiter')
end
if waiter == '' then
    return redis.error_reply('ERR waiter must not be empty: name who is to leave the queue')
end

local function answer(outcome, message)
    return {outcome, -1, redis.call('PTTL', key), message or ''}
end

for i, wanted in ipairs({'hash', 'list', 'hash'}) do
    local kind = redis.call('TYPE', KEYS[i]).ok
    if kind ~= 'none' and kind ~= wanted then
        local name = KEYS[i]:match(':handoff:%l+$', #key + 1) or 'the key'
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

-- Asked, not published to: a message here gives the lock away. Whoever may not ask gets the refusal, and nothing
-- is changed.
local listeners = redis.call('PUBSUB', 'NUMSUB', key .. ':handoff:wake:' .. waiter)[2]
local apart = listeners == 0 and elsewhere()
if listeners > 0 or apart then
    local outcome = redis.call('HEXISTS', waiters, waiter) == 1 and (apart and 'not-heard' or 'still-listens')
    return answer(outcome or 'not-waiting', outcome and apart)
end
if redis.call('LREM', queue, 0, waiter) + redis.call('HDEL', waiters, waiter) == 0 then
    return answer('not-waiting')
end
return answer('removed')
