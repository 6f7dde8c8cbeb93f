#!lua flags=allow-oom
-- KEYS: the lock, then the same with :handoff:queue, :handoff:waiters, :handoff:fence
-- ARGV: the waiter
-- Returns: {outcome, -1, pttl, message}: removed, not-waiting, still-listens, not-heard or wrong-type
-- SPDX-License-Identifier: GPL-3.0-or-later

--#include shared/handoff-keys.lua
local waiter = ARGV[1]
if not fits or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: the lock, its :handoff:queue, :handoff:waiters and :handoff:fence; the waiter')
end
if waiter == '' then
    return redis.error_reply('ERR waiter must not be empty: name who is to leave the queue')
end

--#include shared/answer.lua

local types, called = {'hash', 'list', 'hash'}, ':handoff:%l+$'
--#include shared/types.lua

--#include shared/elsewhere.lua

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
