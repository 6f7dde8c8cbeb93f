#!lua flags=allow-oom
-- KEYS: the lock ("lock:<name>"), its signal list ("lock-signal:<name>")
-- ARGV: token
-- Returns: {outcome, holds left, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, signal, token = KEYS[1], KEYS[2], ARGV[1]
if #KEYS ~= 2 or key:sub(1, 5) ~= 'lock:' or signal ~= 'lock-signal:' .. key:sub(6) or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: lock:<name> and lock-signal:<name>; token')
end
--#include shared/token-given.lua

--#include shared/answer.lua

local types, called = {'string', 'list'}, 'its signal'
--#include shared/types.lua
if redis.call('EXISTS', key) == 0 then
    return answer('not-held', -1)
end
if redis.call('STRLEN', key) ~= #token or redis.call('GET', key) ~= token then -- a huge value is never read
    return answer('held-by-other', -1)
end

--#include shared/python-redis-lock-signal.lua
return answer('released', 0)
