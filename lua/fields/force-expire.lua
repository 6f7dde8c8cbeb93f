#!lua flags=allow-oom
-- Generated from lua/parts/fields/force-expire.lua: edit that.
-- KEYS: the lock, a hash with a field for each owner [, the sets of locks that name it for its owners]
-- ARGV: grace in seconds or '', 'all' or 'only', then field, value that was seen in it, for every owner
-- Returns: {outcome, holds, pttl, message}; 'only' ends some owners' holds and leaves the lock to the others
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, grace, scope = KEYS[1], ARGV[1], ARGV[2]
local first, last = 3, #ARGV
if #KEYS < 1 or key == '' or last < 4 or last % 2 == 1 or (scope ~= 'all' and scope ~= 'only')
        or (scope == 'only' and grace ~= '') then
    return redis.error_reply('ERR usage: the lock and sets that name it; grace in seconds or an empty text '
        .. '(always empty with only), all or only, then field, value for every owner')
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

-- Answers unless the key holds a hash.
local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer('already-gone', -1)
end
if kind ~= 'hash' then
    return answer('wrong-type', -1, 'the key holds a ' .. kind .. ', not a hash')
end
local count = (last - first + 1) / 2
local isWhole = redis.call('HLEN', key) == count -- asked first, so that a huge hash is never read
if scope == 'all' and not isWhole then
    return answer('owner-changed', -1)
end
for i = first, last, 2 do
    if redis.call('HGET', key, ARGV[i]) ~= ARGV[i + 1] then
        return answer('owner-changed', -1)
    end
end

if ms then
    -- Lets the lock end in ms milliseconds, unless it ends sooner. Defines left: what it had before.
    local left = redis.call('PTTL', key)
    if left == -1 or left > ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
    return answer('expired', count)
end
for i = first, last, 2 do
    redis.call('HDEL', key, ARGV[i])
end
local message
for i = 2, isWhole and #KEYS or 1 do -- while others hold it, the sets keep it
    local removed = redis.pcall('SREM', KEYS[i], key)
    message = type(removed) == 'table' and 'still in a set of locks: ' .. removed.err or message
end
return answer('expired', count, message)
