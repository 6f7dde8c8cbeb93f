#!lua flags=allow-oom
-- KEYS: the lock
-- ARGV: token [, 'deleted' (default) or 'done'] [, 'named']
-- Returns: 1 released, 0 not (for 'done' a lock already gone is 1 too); named: {outcome, holds left, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, token = KEYS[1], ARGV[1]
local last = #ARGV
local named = last > 1 and ARGV[last] == 'named'
last = named and last - 1 or last
local form = last > 1 and ARGV[2] or 'deleted'
if #KEYS ~= 1 or key == '' or last < 1 or last > 2 or (form ~= 'deleted' and form ~= 'done') then
    return redis.error_reply('ERR usage: one key that is not empty; token [, deleted or done] [, named]')
end
--#include shared/token-given.lua

--#include shared/answer-named.lua

local wanted = 'string'
--#include shared/type-named.lua
if kind == 'none' then
    return answer(form == 'done' and 1 or 0, 'not-held', -1)
end
if redis.call('GET', key) ~= token then
    return answer(0, 'held-by-other', -1)
end

redis.call('DEL', key)
return answer(1, 'released', 0)
