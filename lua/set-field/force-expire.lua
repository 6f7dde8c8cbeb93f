#!lua flags=allow-oom
-- Generated from lua/parts/set-field/force-expire.lua: edit that.
-- KEYS: a hash that keeps more than the lock
-- ARGV: '' for the grace that there is not, field, value that was seen in it, field that says that nobody holds, its value then
-- Returns: {outcome, holds, pttl, message}; the hash and its time to live stay
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, field, value, state, free = KEYS[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if #KEYS ~= 1 or key == '' or #ARGV ~= 5 or ARGV[1] ~= '' or field == '' or state == '' then
    return redis.error_reply('ERR usage: one key that is not empty; an empty text, a field, the value that was seen in it, '
        .. 'the field that says that nobody holds, its value then')
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
local now = redis.call('HGET', key, state)
if not now or now == free then
    return answer('already-gone', -1, nil, -2)
end
if redis.call('HGET', key, field) ~= value then
    return answer('owner-changed', -1)
end

redis.call('HSET', key, state, free)
return answer('expired', 1, nil, -2)
