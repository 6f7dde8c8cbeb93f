#!lua flags=allow-oom
-- Generated from lua/parts/node-redisson/release.lua: edit that.
-- KEYS: the lock [, the stream that its clients may read]
-- ARGV: owner, lease in seconds or '', 'all' or 'one'; a lease renews the rest, 'all' releases every level
-- Returns: {outcome, holds left, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, stream, owner = KEYS[1], KEYS[2], ARGV[1]
local lease, scope = ARGV[2], ARGV[3]
if #KEYS < 1 or #KEYS > 2 or key == '' or #ARGV ~= 3 or (scope ~= 'all' and scope ~= 'one') then
    return redis.error_reply('ERR usage: the lock [, a stream]; owner, lease in seconds or an empty text, all or one')
end
-- Refuses an empty owner, of one who holds.
if owner == '' then
    return redis.error_reply('ERR owner must not be empty: name who holds the lock')
end

-- Defines ms: the milliseconds of lease, for the levels that are left; nil for an empty text.
local ms
if lease ~= '' then
    local text = lease
    -- Sets ms to the milliseconds of text, which is decimal seconds, or to nil. By pattern, since tonumber() also takes nan, inf,
    -- 1e3, 0x10 and blanks.
    ms = (text:match('^%d+$') or text:match('^%d+%.%d+$')) and math.floor(tonumber(text) * 1000 + 0.5)
    ms = ms and ms >= 1 and ms <= 1e15 and ms or nil
    if not ms then
        return redis.error_reply('ERR lease must be decimal seconds from 0.001 to 1000000000000, such as 30 or 0.1, '
            .. 'or empty to leave the time as it is')
    end
end

-- Defines answer(): what the script returns. The time left is asked for where it isn't given.
-- Defines keyTimeLeft(): PTTL of the lock. While a cluster moves the slot, a key that is not there any more can't be asked for:
-- whether it is on the other node, too, is not known here, but this script has just deleted it.
local function keyTimeLeft()
    local left = redis.pcall('PTTL', key)
    if type(left) == 'table' and string.find(left.err, 'non local key', 1, true) then
        return -2
    end
    return type(left) == 'table' and redis.call('PTTL', key) or left
end
local function answer(outcome, holds, message, left)
    return {outcome, holds, left or keyTimeLeft(), message or ''}
end

local types, called = {'hash'}, ''
-- Answers wrong-type unless each key is absent or of the type that `types` has for it. The name of a companion is what of its
-- key matches `called`, or `called` itself.
for i, wanted in ipairs(types) do
    local kind = KEYS[i] and redis.call('TYPE', KEYS[i]).ok or 'none'
    if kind ~= 'none' and kind ~= wanted then
        local name = i == 1 and 'the key' or KEYS[i]:match(called) or called
        return answer('wrong-type', -1, name .. ' holds a ' .. kind .. ', not a ' .. wanted)
    end
end
if redis.call('EXISTS', key) == 0 then
    return answer('not-held', -1)
end
local count = redis.call('HGET', key, owner)
if not count then
    return answer('held-by-other', -1)
end
if not count:match('^[1-9]%d*$') or #count > 15 then
    return answer('bad-count', -1, 'stored count: ' .. count:sub(1, 64))
end
if scope == 'one' and count ~= '1' then
    -- Releases one level of several. The rest is renewed first, for ms if that is set: a user may be refused that.
    if ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
    return answer('unwound', redis.call('HINCRBY', key, owner, -1))
end
redis.call('HDEL', key, owner)
-- Tells clients of node-redisson that the lock is free: those that listen to its channel, and where there is a stream of the name
-- that was given, those that read it. Refused or not, the lock has ended: hence pcall. Defines message: what was refused.
local channel = 'redisson_lock__channel:' .. (key:sub(1, 1) == '{' and key or '{' .. key .. '}')
local told = redis.pcall('PUBLISH', channel, '0')
if stream and type(told) == 'number' and redis.call('EXISTS', stream) == 1 then
    told = redis.pcall('XADD', stream, 'MAXLEN', '~', '100', '*', channel, '0')
end
local message = type(told) == 'table' and told.err and 'waiters not woken: ' .. told.err or nil
return answer('released', 0, message)
