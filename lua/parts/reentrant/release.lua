#!lua flags=allow-oom
-- KEYS: the lock
-- ARGV: owner [, lease in seconds or ''] [, 'all'] [, 'named']; a lease renews the rest, 'all' releases every level
-- Returns: 1 one level (or all) released, nil not held by owner; named: {outcome, holds left, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, owner = KEYS[1], ARGV[1]
local last = #ARGV
local named = last > 1 and ARGV[last] == 'named'
last = named and last - 1 or last
local all = last > 1 and ARGV[last] == 'all'
last = all and last - 1 or last
if #KEYS ~= 1 or key == '' or last < 1 or last > 2 then
    return redis.error_reply('ERR usage: one key that is not empty; owner [, lease in seconds] [, all] [, named]')
end
--#include shared/owner-given.lua

local lease = last == 2 and ARGV[2] or ''
--#include shared/lease-of-rest.lua

local fewest = 1
--#include shared/owner-answer-named.lua

local wanted = 'hash'
--#include shared/type-named.lua
if kind == 'none' then
    return answer(false, 'not-held', -1)
end

local count = redis.call('HGET', key, owner)
if not count then
    return answer(false, 'held-by-other', -1)
end
local most = 999999999999999
--#include shared/count-named.lua

if all or count == '1' then
    redis.call('HDEL', key, owner) -- the key goes with its last field; another owner's field and the time stay
    return answer(1, 'released', 0)
end
if ms then
    redis.call('PEXPIRE', key, string.format('%.0f', ms))
end
return answer(1, 'unwound', redis.call('HINCRBY', key, owner, -1))
