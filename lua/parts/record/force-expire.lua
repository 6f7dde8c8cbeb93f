#!lua flags=allow-oom
-- KEYS: the lock, a hash with what one owner wrote
-- ARGV: grace in seconds or '', field, value that was seen in it
-- Returns: {outcome, holds, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, grace, field, value = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
if #KEYS ~= 1 or key == '' or #ARGV ~= 3 or field == '' then
    return redis.error_reply('ERR usage: one key that is not empty; grace in seconds or an empty text, '
        .. 'a field, the value that was seen in it')
end

--#include shared/grace.lua

--#include shared/answer.lua

--#include shared/hash-held.lua
if redis.call('HGET', key, field) ~= value then
    return answer('owner-changed', -1)
end

if ms then
    --#include shared/shorten.lua
    return answer('expired', 1)
end
redis.call('DEL', key)
return answer('expired', 1)
