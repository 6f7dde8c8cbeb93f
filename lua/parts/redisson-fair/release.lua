#!lua flags=allow-oom
-- KEYS: the lock [, its redisson_lock_queue, its redisson_lock_timeout]
-- ARGV: owner, lease in seconds for what is left or '', 'one' level or 'all' [, 'sharded']
-- Returns: {outcome, holds left, pttl, message}; for Redisson's plain and fenced locks too
-- SPDX-License-Identifier: GPL-3.0-or-later

-- One script for the three: a lock that was seen without a queue may have one by now.
local third = 'redisson_lock_timeout:'
--#include shared/redisson-fair-keys.lua
local timeouts, owner, lease, levels = KEYS[3], ARGV[1], ARGV[2], ARGV[3]
local sharded = ARGV[4] == 'sharded'
if not fits or #ARGV ~= (sharded and 4 or 3) or (levels ~= 'one' and levels ~= 'all') then
    return redis.error_reply('ERR usage: the lock [, its redisson_lock_queue and redisson_lock_timeout]; '
        .. 'owner, lease in seconds or an empty text, one or all [, sharded]')
end
--#include shared/owner-given.lua

--#include shared/lease-of-rest.lua

local fewest = 1
--#include shared/owner-answer.lua

local types, called = {'hash', 'list', 'zset'}, '^redisson_lock_%l+'
--#include shared/types.lua
local count = redis.call('HGET', key, owner)
if not count then
    return answer(redis.call('EXISTS', key) == 1 and 'held-by-other' or 'not-held', -1)
end
if not count:match('^[1-9]%d*$') or #count > 15 then
    return answer('bad-count', -1, 'stored count: ' .. count:sub(1, 64))
end

if levels == 'one' and count ~= '1' then
    --#include shared/unwind.lua
end
redis.call('HDEL', key, owner)
if redis.call('EXISTS', key) == 1 then -- another owner's field keeps it
    return answer('released', 0)
end

--#include shared/redisson-fair-wake.lua
if not queue or message then
    return answer('released', 0, message)
end

local function wakeQueue()
    --#include shared/redisson-fair-head.lua
    if head then
        return select(2, wake(channel .. ':' .. head))
    end
end

-- A user may be refused what it takes: the lock is released all the same.
local isWhole, told = pcall(wakeQueue)
if not isWhole then
    told = 'waiters not woken: ' .. (type(told) == 'table' and told.err or tostring(told))
end
return answer('released', 0, told)
