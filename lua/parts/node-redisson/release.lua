#!lua flags=allow-oom
-- KEYS: the lock [, the stream that its clients may read]
-- ARGV: owner, lease in seconds or '', 'all' or 'one'; a lease renews the rest, 'all' releases every level
-- Returns: {outcome, holds left, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, stream, owner = KEYS[1], KEYS[2], ARGV[1]
local lease, scope = ARGV[2], ARGV[3]
if #KEYS < 1 or #KEYS > 2 or key == '' or #ARGV ~= 3 or (scope ~= 'all' and scope ~= 'one') then
    return redis.error_reply('ERR usage: the lock [, a stream]; owner, lease in seconds or an empty text, all or one')
end
--#include shared/owner-given.lua

--#include shared/lease-of-rest.lua

--#include shared/answer.lua

local types, called = {'hash'}, ''
--#include shared/types.lua
if redis.call('EXISTS', key) == 0 then
    return answer('not-held', -1)
end
local count = redis.call('HGET', key, owner)
if not count then
    return answer('held-by-other', -1)
end
if not count:match('^[1-9]%d*$') or #count > 15 then
    return answer('bad-count', -1, 'stored count: ' .. count:sub(1, 64))
end
if scope == 'one' and count ~= '1' then
    --#include shared/unwind.lua
end
redis.call('HDEL', key, owner)
--#include shared/node-redisson-wake.lua
return answer('released', 0, message)
