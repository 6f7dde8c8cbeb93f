#!lua flags=allow-oom
-- Generated from lua/parts/redisson-fair/wake.lua: edit that.
-- KEYS: the lock, its redisson_lock_queue, its redisson_lock_timeout
-- ARGV: ['sharded']
-- Returns: {outcome, -1, pttl, message}: woken, held-by-other, not-waiting, not-heard or wrong-type
-- SPDX-License-Identifier: GPL-3.0-or-later

local third = 'redisson_lock_timeout:'
-- Defines key and queue; braced: the lock's name in those of its companions; fits: whether these are the keys, the lock alone or
-- with its queue and the companion whose name begins with `third`.
local key, queue = KEYS[1], KEYS[2]
local braced = key and (key:find('{', 1, true) and key or '{' .. key .. '}')
local fits = (#KEYS == 1 or #KEYS == 3) and key ~= ''
    and (not queue or queue == 'redisson_lock_queue:' .. braced and KEYS[3] == third .. braced)
local timeouts, sharded = KEYS[3], ARGV[1] == 'sharded'
if not fits or not queue or #ARGV ~= (sharded and 1 or 0) then
    return redis.error_reply('ERR usage: the lock, its redisson_lock_queue and redisson_lock_timeout; [sharded]')
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

if redis.call('EXISTS', key) == 1 then
    return answer('held-by-other', -1)
end

-- Defines head: who is first in the queue. Heads whose time is up are dropped, as each of Redisson's own scripts does.
-- Defines now: the server's time in milliseconds; time: the same as the server tells it.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local head = redis.call('LINDEX', queue, 0)
while head and tonumber(redis.call('ZSCORE', timeouts, head) or 0) <= now do
    redis.call('LPOP', queue)
    redis.call('ZREM', timeouts, head)
    head = redis.call('LINDEX', queue, 0)
end
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
