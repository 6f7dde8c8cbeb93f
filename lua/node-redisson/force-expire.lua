#!lua flags=allow-oom
-- Generated from lua/parts/node-redisson/force-expire.lua: edit that.
-- KEYS: the lock [, the stream that its clients may read]
-- ARGV: grace in seconds or '' for at once, owner, count ('': any) for every owner seen
-- Returns: {outcome, holds, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, stream, grace = KEYS[1], KEYS[2], ARGV[1]
local first, last = 2, #ARGV
if #KEYS < 1 or #KEYS > 2 or key == '' or last < 3 or last % 2 == 0 then
    return redis.error_reply('ERR usage: the lock [, a stream]; grace in seconds or an empty text, '
        .. 'then owner, count for every owner that was seen')
end

-- Defines ms: the milliseconds of grace; nil for an empty text.
local ms
if grace ~= '' then
    local text = grace
    -- Sets ms to the milliseconds of text, which is decimal seconds, or to nil. By pattern, since tonumber() also takes nan, inf,
    -- 1e3, 0x10 and blanks.
    ms = (text:match('^%d+$') or text:match('^%d+%.%d+$')) and math.floor(tonumber(text) * 1000 + 0.5)
    ms = ms and ms >= 1 and ms <= 1e15 and ms or nil
    if not ms then
        return redis.error_reply('ERR grace must be decimal seconds from 0.001 to 1000000000000, such as 5 or 0.1, '
            .. 'or empty to end the lock at once')
    end
end

-- Refuses an owner given twice among ARGV[first], ARGV[first + 2] .. ARGV[last]: it would stand for one that was not seen.
local given = {}
for i = first, last, 2 do
    if given[ARGV[i]] then
        return redis.error_reply('ERR an owner is given twice: give every owner that was seen once')
    end
    given[ARGV[i]] = true
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
-- Goes on only where the hash has the owners seen and no other, with the counts seen; else answers what has changed.
if redis.call('EXISTS', key) == 0 then
    return answer('already-gone', -1)
end
if redis.call('HLEN', key) ~= (last - first + 1) / 2 then -- asked first, so that a huge hash is never read
    return answer('owner-changed', -1)
end
-- Compares the owners seen, each with its count, ARGV[first], ARGV[first + 1] .. ARGV[last], with those of the hash. Defines
-- missing: whether one is gone; changed: whether a count is another ('' fits any); holds: all counts, -1 if one is no count.
local holds, changed, missing = 0, false, false
for i = first, last, 2 do
    local count = redis.call('HGET', key, ARGV[i])
    if not count then
        missing = true
        break
    end
    changed = changed or (ARGV[i + 1] ~= '' and ARGV[i + 1] ~= count)
    local number = count:match('^[1-9]%d*$') and #count <= 15 and tonumber(count)
    holds = holds and number and holds + number
end
holds = holds or -1
if missing then
    return answer('owner-changed', -1)
end
if changed then
    return answer('holds-changed', holds)
end

if ms then
    -- Lets the lock end in ms milliseconds, unless it ends sooner. Defines left: what it had before.
    local left = redis.call('PTTL', key)
    if left == -1 or left > ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
else
    redis.call('DEL', key)
end
-- Told of a shorter time too, since the server sends nothing when the key goes.
-- Tells clients of node-redisson that the lock is free: those that listen to its channel, and where there is a stream of the name
-- that was given, those that read it. Refused or not, the lock has ended: hence pcall. Defines message: what was refused.
local channel = 'redisson_lock__channel:' .. (key:sub(1, 1) == '{' and key or '{' .. key .. '}')
local told = redis.pcall('PUBLISH', channel, '0')
if stream and type(told) == 'number' and redis.call('EXISTS', stream) == 1 then
    told = redis.pcall('XADD', stream, 'MAXLEN', '~', '100', '*', channel, '0')
end
local message = type(told) == 'table' and told.err and 'waiters not woken: ' .. told.err or nil
return answer('expired', holds, message)
