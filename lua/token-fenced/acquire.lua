#!lua
-- Generated from lua/parts/token-fenced/acquire.lua: edit that.
-- KEYS: the lock, then the same with :fence
-- ARGV: token, lease in seconds
-- Returns: {outcome, holds, pttl, message, fence}; the fence is -1 where it was not acquired
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, fence, token, lease = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
if #KEYS ~= 2 or key == '' or fence ~= key .. ':fence' or #ARGV ~= 2 then
    return redis.error_reply('ERR usage: the lock, its :fence; token, lease in seconds')
end
-- Refuses an empty token for a new lock.
if token == '' then
    return redis.error_reply('ERR token must not be empty: give a value that only its holder knows')
end

-- Defines ms: the milliseconds of lease, as text.
local text, ms = lease, nil
-- Sets ms to the milliseconds of text, which is decimal seconds, or to nil. By pattern, since tonumber() also takes nan, inf,
-- 1e3, 0x10 and blanks.
ms = (text:match('^%d+$') or text:match('^%d+%.%d+$')) and math.floor(tonumber(text) * 1000 + 0.5)
ms = ms and ms >= 1 and ms <= 1e15 and ms or nil
if not ms then
    return redis.error_reply('ERR lease must be decimal seconds from 0.001 to 1000000000000, such as 30 or 0.1')
end
ms = string.format('%.0f', ms)

-- Defines now: the server's time in milliseconds; time: the same as the server tells it.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function answer(outcome, holds, message, number)
    return {outcome, holds, redis.call('PTTL', key), message or '', tonumber(number or -1) or -1}
end

local types, called = {'string', 'string'}, ':fence$'
-- Answers wrong-type unless each key is absent or of the type that `types` has for it. The name of a companion is what of its
-- key matches `called`, or `called` itself.
for i, wanted in ipairs(types) do
    local kind = KEYS[i] and redis.call('TYPE', KEYS[i]).ok or 'none'
    if kind ~= 'none' and kind ~= wanted then
        local name = i == 1 and 'the key' or KEYS[i]:match(called) or called
        return answer('wrong-type', -1, name .. ' holds a ' .. kind .. ', not a ' .. wanted)
    end
end

if redis.call('EXISTS', key) == 1 then
    return answer('held-by-other', -1)
end
-- Defines number: the next fencing token. It grows over restarts and FLUSHALL too, by `time`.
local last = tonumber((redis.call('GET', fence) or ''):match('^%d+$') or 0)
local number = math.max(last < 9e15 and last + 1 or 0, time[1] * 1000000 + time[2])
-- The number first: without it nobody may have the lock.
redis.call('SET', fence, string.format('%.0f', number), 'PX', 86400000)
redis.call('SET', key, token, 'PX', ms)
return answer('acquired', 1, '', number)
