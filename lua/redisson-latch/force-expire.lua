#!lua flags=allow-oom
-- Generated from lua/parts/redisson-latch/force-expire.lua: edit that.
-- KEYS: the latch, a counter
-- ARGV: '' for the grace that there is not, the count seen [, ''] [, 'sharded']
-- Returns: {outcome, holds, pttl, message}; the latch is open then, whatever was left to count down
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, token = KEYS[1], ARGV[2] -- the count that was seen
local last = #ARGV
local sharded = last > 2 and ARGV[last] == 'sharded'
last = sharded and last - 1 or last
if #KEYS ~= 1 or key == '' or last < 2 or last > 3 or ARGV[1] ~= '' or (last == 3 and ARGV[3] ~= '') then
    return redis.error_reply('ERR usage: one key that is not empty; an empty text, '
        .. 'the count that was seen [, an empty text] [, sharded]')
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

local absent, other = 'already-gone', 'holds-changed'
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

redis.call('DEL', key)
-- 0 says that it is open, to all who wait; 1, which the library sends when it deletes one, wakes nobody.
local channel, word, message = 'redisson_countdownlatch__channel__{' .. key .. '}', '0', nil
-- Publishes word on channel and, where `sharded` says so, on its shard: in a cluster of Redis 7 newer clients listen there. Sets
-- message to what was refused: what was to end has ended all the same, hence pcall.
for i = 1, sharded and 2 or 1 do
    local heard = redis.pcall(i == 1 and 'PUBLISH' or 'SPUBLISH', channel, word)
    message = message or (type(heard) == 'table' and 'waiters not woken: ' .. heard.err) or nil
end
return answer('expired', -1, message)
