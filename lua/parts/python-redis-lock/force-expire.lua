#!lua flags=allow-oom
-- KEYS: the lock ("lock:<name>"), its signal list ("lock-signal:<name>")
-- ARGV: grace in seconds or '' for at once, token seen [, '']; '' stands where a count would
-- Returns: {outcome, holds, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, signal, grace, token = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
if #KEYS ~= 2 or key:sub(1, 5) ~= 'lock:' or signal ~= 'lock-signal:' .. key:sub(6) or #ARGV < 2 or #ARGV > 3
        or (ARGV[3] and ARGV[3] ~= '') then
    return redis.error_reply('ERR usage: lock:<name> and lock-signal:<name>; grace in seconds or an empty text, '
        .. 'the token that was seen [, an empty text]')
end

--#include shared/grace.lua

--#include shared/answer.lua

local types, called = {'string', 'list'}, 'its signal'
--#include shared/types.lua
if redis.call('EXISTS', key) == 0 then
    return answer('already-gone', -1)
end
if redis.call('STRLEN', key) ~= #token or redis.call('GET', key) ~= token then -- a huge value is never read
    return answer('owner-changed', -1)
end

if ms then
    --#include shared/shorten.lua
    -- Waiters block on the list for as long as they like, whatever time the lock has left.
    return answer('expired', 1, 'those who wait now are not woken when it runs out: only ending it at once does that')
end

--#include shared/python-redis-lock-signal.lua
return answer('expired', 1)
