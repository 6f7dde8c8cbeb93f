-- SPDX-License-Identifier: GPL-3.0-or-later
-- What a client of Redisson's fair lock does to take it, or to stand in its queue.
-- KEYS: the lock, its queue, its queue's timeouts
-- ARGV: lease, owner, how long one in the queue may stand at its head without a sign of life, now; in milliseconds
-- Returns: nil acquired; else for how long to sleep unless woken, in milliseconds
local lock, queue, timeouts = KEYS[1], KEYS[2], KEYS[3]
local lease, owner, patience, now = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])

-- Whoever comes clears away those whose time at the head is over.
local head = redis.call('LINDEX', queue, 0)
while head and tonumber(redis.call('ZSCORE', timeouts, head) or 0) <= now do
    redis.call('LPOP', queue)
    redis.call('ZREM', timeouts, head)
    head = redis.call('LINDEX', queue, 0)
end

local free = redis.call('EXISTS', lock) == 0 and (not head or head == owner)
if free and head then
    redis.call('LPOP', queue)
    redis.call('ZREM', timeouts, owner)
    for _, waiter in ipairs(redis.call('ZRANGE', timeouts, 0, -1)) do
        redis.call('ZINCRBY', timeouts, -patience, waiter)
    end
end
if free or redis.call('HEXISTS', lock, owner) == 1 then
    redis.call('HINCRBY', lock, owner, 1)
    redis.call('PEXPIRE', lock, lease)
    return false
end

local mine = redis.call('ZSCORE', timeouts, owner)
if mine then
    return tonumber(mine) - patience - now
end
local last = redis.call('LINDEX', queue, -1)
local left = last and tonumber(redis.call('ZSCORE', timeouts, last)) - now or redis.call('PTTL', lock)
redis.call('RPUSH', queue, owner)
redis.call('ZADD', timeouts, string.format('%.0f', now + left + patience), owner)
return left
