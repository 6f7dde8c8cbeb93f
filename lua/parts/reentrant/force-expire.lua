#!lua flags=allow-oom
-- KEYS: the lock
-- ARGV: grace in seconds or '' for at once, owner, count ('': any) for every owner seen [, 'pttl<=MS'] [, 'named']
-- Returns: 1 expired, 0 refused, nil already gone; named: {outcome, holds, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later
-- MS is the time left at most if nothing has changed, -1 for none: compared too where an owner's id says little.

local key, grace = KEYS[1], ARGV[1]
local function bound(at)
    return tonumber(ARGV[at]:match('^pttl<=(%-?%d+)$'))
end
local first, last = 2, #ARGV
local named = last > 1 and ARGV[last] == 'named' and (last % 2 == 0 or bound(last - 1) ~= nil)
last = named and last - 1 or last
local most = last > 1 and last % 2 == 0 and bound(last)
last = most and last - 1 or last
if #KEYS ~= 1 or key == '' or last < 3 or last % 2 == 0 then
    return redis.error_reply('ERR usage: one key that is not empty; grace in seconds or an empty text, '
        .. 'then owner, count for every owner that was seen [, pttl<=MS] [, named]')
end

--#include shared/grace.lua

--#include shared/seen-once.lua

--#include shared/seen-time-left.lua
--#include shared/answer-named.lua

local wanted = 'hash'
--#include shared/type-named.lua
if kind == 'none' then
    return answer(false, 'already-gone', -1)
end
if redis.call('HLEN', key) ~= (last - 1) / 2 then -- asked first, so that a huge hash is never read
    return answer(0, 'owner-changed', -1)
end

--#include shared/seen-holds.lua
if missing then
    return answer(0, 'owner-changed', -1)
end
if changed then
    return answer(0, 'holds-changed', holds)
end
if most then
    local left = timeLeft()
    if left > most or (left == -1) ~= (most == -1) then
        return answer(0, 'lease-changed', holds, nil, left)
    end
end

if ms then
    --#include shared/shorten.lua
    local sooner
    left, sooner = timeLeft()
    return answer(1, 'expired', holds, sooner, left)
end

redis.call('DEL', key)
-- Redisson's waiters sleep until this message. Refused or not, the lock has ended: hence pcall.
local channel = 'redisson_lock__channel:' .. (key:find('{', 1, true) and key or '{' .. key .. '}')
local woken = redis.pcall('PUBLISH', channel, '0')
local failed = type(woken) == 'table' and woken.err
return answer(1, 'expired', holds, failed and 'waiters not woken: ' .. failed or nil)
