-- SPDX-License-Identifier: GPL-3.0-or-later
-- What a client of Redisson's read-write lock does to write.
-- KEYS: the lock
-- ARGV: lease in milliseconds, owner
-- Returns: nil acquired; else what is left of the present lease in milliseconds
local lock, lease, field = KEYS[1], tonumber(ARGV[1]), ARGV[2] .. ':write'

local mode = redis.call('HGET', lock, 'mode')
if mode and redis.call('HEXISTS', lock, field) == 0 then
    return redis.call('PTTL', lock)
end
if not mode then
    redis.call('HSET', lock, 'mode', 'write')
end
-- Each further level adds its lease to what is left.
local left = mode and redis.call('PTTL', lock) or 0
redis.call('HINCRBY', lock, field, 1)
redis.call('PEXPIRE', lock, left + lease)
return false
