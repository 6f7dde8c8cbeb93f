#!lua flags=allow-oom
-- KEYS: the lock
-- ARGV: owner, lease in seconds, counted from now [, 'named']
-- Returns: 1 extended, 0 not held by owner; named: {outcome, holds, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, owner, lease, named = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
if #KEYS ~= 1 or key == '' or #ARGV < 2 or #ARGV > 3 or (named and named ~= 'named') then
    return redis.error_reply('ERR usage: one key that is not empty; owner, lease in seconds [, named]')
end
--#include shared/owner-given.lua

--#include shared/lease.lua

local fewest = 1
--#include shared/owner-answer-named.lua

local wanted = 'hash'
--#include shared/type-named.lua
if kind == 'none' then
    return answer(0, 'not-held', -1)
end

local count = redis.call('HGET', key, owner)
if not count then
    return answer(0, 'held-by-other', -1)
end
local most = 999999999999999
--#include shared/count-named.lua

redis.call('PEXPIRE', key, ms)
return answer(1, 'extended', tonumber(count))
