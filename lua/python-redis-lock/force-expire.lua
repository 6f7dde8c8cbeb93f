#!lua flags=allow-oom
-- Generated from lua/parts/python-redis-lock/force-expire.lua: edit that.
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

local types, called = {'string', 'list'}, 'its signal'
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
    return answer('already-gone', -1)
end
if redis.call('STRLEN', key) ~= #token or redis.call('GET', key) ~= token then -- a huge value is never read
    return answer('owner-changed', -1)
end

if ms then
    -- Lets the lock end in ms milliseconds, unless it ends sooner. Defines left: what it had before.
    local left = redis.call('PTTL', key)
    if left == -1 or left > ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
    -- Waiters block on the list for as long as they like, whatever time the lock has left.
    return answer('expired', 1, 'those who wait now are not woken when it runs out: only ending it at once does that')
end

-- Ends the lock. One element for the first that blocks, which passes it on when it is done; without one it goes by itself.
-- The lock goes last: a refusal before it leaves it as it is.
redis.call('DEL', signal)
redis.call('LPUSH', signal, '1')
redis.call('PEXPIRE', signal, '1000')
redis.call('DEL', key)
return answer('expired', 1)
