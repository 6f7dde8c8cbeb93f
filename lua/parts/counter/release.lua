#!lua flags=allow-oom
-- KEYS: the lock, a count of holds without owners, or the only hold
-- ARGV: the value that was seen
-- Returns: {outcome, holds left, pttl, message}; ends one hold
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, token = KEYS[1], ARGV[1]
if #KEYS ~= 1 or key == '' or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: one key that is not empty; the value that was seen')
end
--#include shared/token-given.lua

--#include shared/answer.lua

local absent, other = 'not-held', 'held-by-other'
--#include shared/same-token.lua

local count = token:match('^%-?%d+$') and tonumber(token)
if not count then
    redis.call('DEL', key)
    return answer('released', 0)
end
if count < 1 then
    return answer('not-held', -1)
end
-- A 0 is left, as the libraries leave it: to them it is the same as no key. Not DECR, which needs a permission more.
local left = redis.call('INCRBY', key, '-1')
if left > 0 then
    return answer('unwound', left)
end
return answer('released', 0, nil, -2)
