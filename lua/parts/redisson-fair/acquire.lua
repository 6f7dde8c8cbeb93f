#!lua
-- KEYS: the lock [, its redisson_lock_queue, its redisson_lock_token]
-- ARGV: owner ("<client uuid>:<thread>"), lease in seconds
-- Returns: {outcome, holds, pttl, message}; for Redisson's plain and fenced locks too, nobody in a queue is overtaken
-- SPDX-License-Identifier: GPL-3.0-or-later

local third = 'redisson_lock_token:'
--#include shared/redisson-fair-keys.lua
local fence, owner, lease = KEYS[3], ARGV[1], ARGV[2]
if not fits or #ARGV ~= 2 then
    return redis.error_reply('ERR usage: the lock [, its redisson_lock_queue and redisson_lock_token]; '
        .. 'owner, lease in seconds')
end
--#include shared/new-owner-given.lua

--#include shared/lease.lua

local fewest = 2 -- a new field has no end of its own
--#include shared/owner-answer.lua

local types, called = {'hash', 'list', 'string'}, '^redisson_lock_%l+'
--#include shared/types.lua
local count = redis.call('HGET', key, owner)
if count and (not count:match('^[1-9]%d*$') or #count > 15 or count == '999999999999999') then
    return answer('bad-count', -1, 'stored count: ' .. count:sub(1, 64))
end
if not count and redis.call('EXISTS', key) == 1 then
    return answer('held-by-other', -1)
end
if not count and queue and redis.call('EXISTS', queue) == 1 then
    return answer('held-by-other', -1, 'nobody holds it, but a queue waits for it, which acquiring would jump')
end

-- A fenced lock counts every acquisition, and its holder's writes are judged by that.
local fenced = fence and redis.call('EXISTS', fence) == 1 and redis.pcall('INCR', fence)
if type(fenced) == 'table' then
    return fenced
end
--#include shared/hold.lua
return answer(holds == 1 and 'acquired' or 'reentered', holds,
    fenced and 'fencing token: ' .. string.format('%.0f', fenced) or nil)
