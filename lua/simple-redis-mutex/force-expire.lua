#!lua flags=allow-oom
-- Generated from lua/parts/simple-redis-mutex/force-expire.lua: edit that.
-- KEYS: the lock ("@simple-redis-mutex:lock-<name>")
-- ARGV: grace in seconds or '' for at once, token seen [, '']; '' stands where a count would
-- Returns: {outcome, holds, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

-- Defines key, grace and token: what a script that ends a token by force is given.
local key, grace, token = KEYS[1], ARGV[1], ARGV[2]
if #KEYS ~= 1 or key == '' or #ARGV < 2 or #ARGV > 3 or (ARGV[3] and ARGV[3] ~= '') then
    return redis.error_reply('ERR usage: one key that is not empty; grace in seconds or an empty text, '
        .. 'the token that was seen [, an empty text]')
end

-- With a grace nobody is told: waiters try again by themselves.
-- Ends the lock that holds token, at once; or lets it end in the time that grace says, and the script ends here. Defines ms and
-- answer().
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

local absent, other = 'already-gone', 'owner-changed'
-- Goes on only where the key holds token; else answers `absent` for no key, `other` for another value.
local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer(absent, -1)
end
if kind ~= 'string' then
    return answer('wrong-type', -1, 'the key holds a ' .. kind .. ', not a string')
end
if redis.call('STRLEN', key) ~= #token or redis.call('GET', key) ~= token then -- a huge value is never read
    return answer(other, -1)
end

if ms then
    -- Lets the lock end in ms milliseconds, unless it ends sooner. Defines left: what it had before.
    local left = redis.call('PTTL', key)
    if left == -1 or left > ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
    return answer('expired', 1)
end
redis.call('DEL', key)

-- Tells the clients of simple-redis-mutex that the lock is free. They parse what they hear as JSON, and a program that hears
-- anything else ends: so nothing is sent where a name has to be escaped, which the library itself doesn't. Refused or not, the lock
-- has ended: hence pcall. Defines message: what was refused.
local message
if (key .. token):find('[%c"\\]') then
    message = 'waiters not woken: the name or the token has characters that the library cannot tell'
else
    local text = '{ "key": "' .. key .. '", "value": "' .. token .. '" }'
    local told = redis.pcall('PUBLISH', '@simple-redis-mutex:locks-releases', text)
    message = type(told) == 'table' and 'waiters not woken: ' .. told.err or nil
end
return answer('expired', 1, message)
