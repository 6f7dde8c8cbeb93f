#!lua
-- KEYS: the lock, then the same with :fence
-- ARGV: token, lease in seconds
-- Returns: {outcome, holds, pttl, message, fence}; the fence is -1 where it was not acquired
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, fence, token, lease = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
if #KEYS ~= 2 or key == '' or fence ~= key .. ':fence' or #ARGV ~= 2 then
    return redis.error_reply('ERR usage: the lock, its :fence; token, lease in seconds')
end
--#include shared/new-token-given.lua

--#include shared/lease.lua

--#include shared/now.lua

local function answer(outcome, holds, message, number)
    return {outcome, holds, redis.call('PTTL', key), message or '', tonumber(number or -1) or -1}
end

local types, called = {'string', 'string'}, ':fence$'
--#include shared/types.lua

if redis.call('EXISTS', key) == 1 then
    return answer('held-by-other', -1)
end
--#include shared/next-fence.lua
-- The number first: without it nobody may have the lock.
redis.call('SET', fence, string.format('%.0f', number), 'PX', 86400000)
redis.call('SET', key, token, 'PX', ms)
return answer('acquired', 1, '', number)
