#!lua flags=allow-oom
-- KEYS: the lock, then the same with :handoff:queue, :handoff:waiters, :handoff:fence
-- ARGV: grace in seconds or '' for at once, then a pair for every owner seen: owner, count ('': any)
-- Returns: {outcome, holds, pttl, message}; whoever waits first gets a lock that is ended at once
-- SPDX-License-Identifier: GPL-3.0-or-later

--#include shared/handoff-keys.lua
local grace, first, last = ARGV[1], 2, #ARGV
if not fits or last < 3 or last % 2 == 0 then
    return redis.error_reply('ERR usage: the lock, its :handoff:queue, :handoff:waiters and :handoff:fence; '
        .. 'grace in seconds or an empty text, then owner, count for every owner that was seen')
end

--#include shared/grace.lua

--#include shared/seen-once.lua

--#include shared/now.lua

--#include shared/seen-time-left.lua
--#include shared/answer.lua

local types, called = {'hash', 'list', 'hash', 'string'}, ':handoff:%l+$'
--#include shared/types.lua

--#include shared/only-seen.lua

if ms then
    --#include shared/shorten.lua
    local sooner
    left, sooner = timeLeft()
    return answer('expired', holds, sooner, left)
end

local owner, try = nil, redis.pcall
--#include shared/handoff-pass-on.lua

redis.call('DEL', key)
-- A user may be refused what it takes to pass it on: the lock has ended all the same.
local isWhole, told, message = pcall(passOn)
if not isWhole then
    message = 'waiters not woken, or not all: ' .. (type(told) == 'table' and told.err or tostring(told))
end
return answer('expired', holds, message)
