#!lua flags=allow-oom
-- KEYS: a hash that keeps more than the lock
-- ARGV: '' for the grace that there is not, field, value that was seen in it, field that says that nobody holds, its value then
-- Returns: {outcome, holds, pttl, message}; the hash and its time to live stay
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, field, value, state, free = KEYS[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if #KEYS ~= 1 or key == '' or #ARGV ~= 5 or ARGV[1] ~= '' or field == '' or state == '' then
    return redis.error_reply('ERR usage: one key that is not empty; an empty text, a field, the value that was seen in it, '
        .. 'the field that says that nobody holds, its value then')
end

--#include shared/answer.lua

--#include shared/hash-held.lua
local now = redis.call('HGET', key, state)
if not now or now == free then
    return answer('already-gone', -1, nil, -2)
end
if redis.call('HGET', key, field) ~= value then
    return answer('owner-changed', -1)
end

redis.call('HSET', key, state, free)
return answer('expired', 1, nil, -2)
