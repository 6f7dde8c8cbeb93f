#!lua flags=allow-oom
-- Generated from lua/parts/redlock4j/force-expire.lua: edit that.
-- KEYS: the lock, the queue of a fair one ("<lock>:queue")
-- ARGV: grace in seconds or '' for at once, token seen [, '']; '' stands where a count would
-- Returns: {outcome, holds, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, queue, grace, token = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
if #KEYS ~= 2 or key == '' or queue ~= key .. ':queue' or #ARGV < 2 or #ARGV > 3 or (ARGV[3] and ARGV[3] ~= '') then
    return redis.error_reply('ERR usage: the lock and its :queue; grace in seconds or an empty text, '
        .. 'the token that was seen [, an empty text]')
end

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
-- While a fair lock is held its holder is the first in the queue, under another token: left there, it would keep all others
-- waiting. Another's sorted set is not touched.
local own = #token == 40 and not token:find('%X') -- another's token has no place there
local first = own and redis.call('TYPE', queue).ok == 'zset' and redis.call('ZRANGE', queue, 0, 0)[1]
if first and #first == 40 and not first:find('%X') then
    redis.call('ZREM', queue, first)
end
return answer('expired', 1)
