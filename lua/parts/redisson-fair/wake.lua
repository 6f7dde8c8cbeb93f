#!lua flags=allow-oom
-- KEYS: the lock, its redisson_lock_queue, its redisson_lock_timeout
-- ARGV: ['sharded']
-- Returns: {outcome, -1, pttl, message}: woken, held-by-other, not-waiting, not-heard or wrong-type
-- SPDX-License-Identifier: GPL-3.0-or-later

local third = 'redisson_lock_timeout:'
--#include shared/redisson-fair-keys.lua
local timeouts, sharded = KEYS[3], ARGV[1] == 'sharded'
if not fits or not queue or #ARGV ~= (sharded and 1 or 0) then
    return redis.error_reply('ERR usage: the lock, its redisson_lock_queue and redisson_lock_timeout; [sharded]')
end

--#include shared/answer.lua

local types, called = {'hash', 'list', 'zset'}, '^redisson_lock_%l+'
--#include shared/types.lua

if redis.call('EXISTS', key) == 1 then
    return answer('held-by-other', -1)
end

--#include shared/redisson-fair-head.lua
if not head then
    return answer('not-waiting', -1)
end

-- Whoever may not publish gets the server's refusal.
local channel = 'redisson_lock__channel:' .. braced .. ':' .. head
local heard = redis.call('PUBLISH', channel, '0')
if sharded then
    heard = heard + redis.call('SPUBLISH', channel, '0')
end
return answer(heard > 0 and 'woken' or 'not-heard', -1, 'first in the queue: ' .. head)
