#!lua flags=allow-oom
-- KEYS: the lock
-- ARGV: token, lease in seconds, counted from now [, 'named']
-- Returns: 1 extended, 0 not held with this token; named: {outcome, holds, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, token, lease, named = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
if #KEYS ~= 1 or key == '' or #ARGV < 2 or #ARGV > 3 or (named and named ~= 'named') then
    return redis.error_reply('ERR usage: one key that is not empty; token, lease in seconds [, named]')
end
--#include shared/token-given.lua

--#include shared/lease.lua

--#include shared/answer-named.lua

local wanted = 'string'
--#include shared/type-named.lua
if kind == 'none' then
    return answer(0, 'not-held', -1)
end
if redis.call('GET', key) ~= token then
    return answer(0, 'held-by-other', -1)
end

redis.call('PEXPIRE', key, ms)
return answer(1, 'extended', 1)
