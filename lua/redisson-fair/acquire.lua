#!lua
-- KEYS: the lock [, its redisson_lock_queue, its redisson_lock_token]
-- ARGV: owner ("<client uuid>:<thread>"), lease in seconds
-- Returns: {outcome, holds, pttl, message}; for Redisson's plain and fenced locks too, nobody in a queue is overtaken
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, queue, fence, owner, lease = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]
local braced = key and (key:find('{', 1, true) and key or '{' .. key .. '}')
if (#KEYS ~= 1 and #KEYS ~= 3) or key == '' or #ARGV ~= 2
        or (queue and (queue ~= 'redisson_lock_queue:' .. braced or fence ~= 'redisson_lock_token:' .. braced)) then
    return redis.error_reply('ERR usage: the lock [, its redisson_lock_queue and redisson_lock_token]; '
        .. 'owner, lease in seconds')
end
if owner == '' then
    return redis.error_reply('ERR owner must not be empty: name who is to hold the lock')
end

-- By pattern, since tonumber() also takes nan, inf, 1e3, 0x10 and blanks.
local ms = (lease:match('^%d+$') or lease:match('^%d+%.%d+$')) and math.floor(tonumber(lease) * 1000 + 0.5)
if not ms or ms < 1 or ms > 1e15 then
    return redis.error_reply('ERR lease must be decimal seconds from 0.001 to 1000000000000, such as 30 or 0.1')
end

-- With Redis 7.4 the owner's field may end before the key does; what is left is the smaller of both. Nothing is sent to a
-- server that has no such command, nor for a user without the permission.
local function timeLeft(holds)
    local left = redis.call('PTTL', key)
    if holds < 2 then -- a new field has no end of its own
        return left
    end
    local isThere, may = pcall(redis.acl_check_cmd, 'HPTTL', key, 'FIELDS', '1', owner)
    local field = isThere and may and redis.call('HPTTL', key, 'FIELDS', '1', owner)[1] or -1
    if field >= 0 and (left == -1 or field < left) then
        return field, "the owner's field has an earlier end of its own, which was left as it is"
    end
    return left
end

local function answer(outcome, holds, message)
    local left, sooner = timeLeft(holds)
    return {outcome, holds, left, message and sooner and message .. '; ' .. sooner or message or sooner or ''}
end

for i, wanted in ipairs({'hash', 'list', 'string'}) do
    local kind = KEYS[i] and redis.call('TYPE', KEYS[i]).ok or 'none'
    if kind ~= 'none' and kind ~= wanted then
        local name = i == 1 and 'the key' or KEYS[i]:match('^redisson_lock_%l+')
        return answer('wrong-type', -1, name .. ' holds a ' .. kind .. ', not a ' .. wanted)
    end
end
local count = redis.call('HGET', key, owner)
if count and (not count:match('^[1-9]%d*$') or #count > 15 or count == '999999999999999') then
    return answer('bad-count', -1, 'stored count: ' .. count:sub(1, 64))
end
if not count and redis.call('EXISTS', key) == 1 then
    return answer('held-by-other', -1)
end
if not count and queue and redis.call('EXISTS', queue) == 1 then
    return answer('held-by-other', -1, 'nobody holds it, but a queue waits for it, which acquiring would jump')
end

-- A fenced lock counts every acquisition, and its holder's writes are judged by that.
local fenced = fence and redis.call('EXISTS', fence) == 1 and redis.pcall('INCR', fence)
if type(fenced) == 'table' then
    return fenced
end
local holds = redis.call('HINCRBY', key, owner, 1)
local renewed = redis.pcall('PEXPIRE', key, string.format('%.0f', ms))
if type(renewed) == 'table' then
    -- Refused, as to a user without the permission. A script's writes stay, and this lock would never end.
    if holds == 1 then
        redis.call('DEL', key)
    else
        redis.call('HINCRBY', key, owner, -1)
    end
    return renewed
end
return answer(holds == 1 and 'acquired' or 'reentered', holds,
    fenced and 'fencing token: ' .. string.format('%.0f', fenced) or nil)
