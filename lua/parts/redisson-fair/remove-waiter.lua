#!lua flags=allow-oom
-- KEYS: the lock, its redisson_lock_queue, its redisson_lock_timeout
-- ARGV: the waiter [, 'sharded'] [, 'counted': every other node of the cluster was just asked, and has no subscriber]
-- Returns: {outcome, -1, pttl, message}: removed, not-waiting, still-listens, not-heard or wrong-type
-- SPDX-License-Identifier: GPL-3.0-or-later

local third = 'redisson_lock_timeout:'
--#include shared/redisson-fair-keys.lua
local timeouts, waiter = KEYS[3], ARGV[1]
local sharded, counted = ARGV[2] == 'sharded', #ARGV > 1 and ARGV[#ARGV] == 'counted'
if not fits or not queue or #ARGV ~= 1 + (sharded and 1 or 0) + (counted and 1 or 0) then
    return redis.error_reply('ERR usage: the lock, its redisson_lock_queue and redisson_lock_timeout; '
        .. 'the waiter [, sharded] [, counted]')
end
if waiter == '' then
    return redis.error_reply('ERR waiter must not be empty: name who is to leave the queue')
end

--#include shared/answer.lua

local types, called = {'hash', 'list', 'zset'}, '^redisson_lock_%l+'
--#include shared/types.lua

--#include shared/elsewhere.lua

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
