-- SPDX-License-Identifier: GPL-3.0-or-later
-- What a client of Redisson's read-write lock does to read.
-- KEYS: the lock; what the names of its holds' timeouts begin with: "{name}:<owner>:rwlock_timeout"
-- ARGV: lease in milliseconds, owner
-- Returns: nil acquired; else what is left of the writer's lease in milliseconds
local lock, timeouts, lease, owner = KEYS[1], KEYS[2], ARGV[1], ARGV[2]

local mode = redis.call('HGET', lock, 'mode')
if mode == 'write' and redis.call('HEXISTS', lock, owner .. ':write') == 0 then
    return redis.call('PTTL', lock)
end
if not mode then
    redis.call('HSET', lock, 'mode', 'read')
end
local holds = redis.call('HINCRBY', lock, owner, 1)
redis.call('SET', timeouts .. ':' .. holds, 1, 'PX', lease)
redis.call('PEXPIRE', lock, math.max(redis.call('PTTL', lock), tonumber(lease)))
return false
