#!lua flags=allow-oom
-- KEYS: the lock [, its redisson_lock_queue, its redisson_lock_timeout]
-- ARGV: grace in seconds or '' for at once, then a pair for every owner seen: owner, count ('': any) [, 'sharded']
-- Returns: {outcome, holds, pttl, message}; for Redisson's plain and fenced locks too, the fencing token stays
-- SPDX-License-Identifier: GPL-3.0-or-later

-- One script for the three: a lock that was seen without a queue may have one by now.
local third = 'redisson_lock_timeout:'
--#include shared/redisson-fair-keys.lua
local timeouts, grace = KEYS[3], ARGV[1]
local sharded = #ARGV % 2 == 0 and ARGV[#ARGV] == 'sharded'
local first, last = 2, sharded and #ARGV - 1 or #ARGV
if not fits or last < 3 or last % 2 == 0 then
    return redis.error_reply('ERR usage: the lock [, its redisson_lock_queue and redisson_lock_timeout]; '
        .. 'grace in seconds or an empty text, then owner, count for every owner that was seen [, sharded]')
end

--#include shared/grace.lua

--#include shared/seen-once.lua

--#include shared/seen-time-left.lua
--#include shared/answer.lua

local types, called = {'hash', 'list', 'zset'}, '^redisson_lock_%l+'
--#include shared/types.lua
--#include shared/only-seen.lua

-- Where it lasts for a grace, what ends it sooner is told.
local function ended(message)
    if not ms then
        return answer('expired', holds, message)
    end
    local left, sooner = timeLeft()
    return answer('expired', holds, message and sooner and message .. '; ' .. sooner or message or sooner, left)
end

if ms then
    -- The server sends Redisson's waiters nothing when the key goes: told now, they sleep no longer than it lasts.
    --#include shared/shorten.lua
    if left ~= -1 and left <= ms then
        return ended()
    end
else
    redis.call('DEL', key)
end

--#include shared/redisson-fair-wake.lua
if not queue or message then
    return ended(message)
end

--#include shared/elsewhere.lua

local function wakeQueue()
    --#include shared/redisson-fair-head.lua

    -- Who nobody listens for would keep those behind waiting until its time is up, so it goes; one that had only not come so
    -- far queues again at its next try. Not where it may listen to another server, or where the lock is still held.
    local deaf, apart = 0, nil
    for _, waiter in ipairs(redis.call('LRANGE', queue, 0, 63)) do
        local heard, refused = wake(channel .. ':' .. waiter)
        if heard ~= 0 then
            message = refused
            break
        end
        if deaf == 0 then
            apart = elsewhere()
        end
        deaf = deaf + 1
        if not ms and not apart then
            redis.call('LPOP', queue)
            redis.call('ZREM', timeouts, waiter)
        end
    end
    if deaf > 0 and not message then
        local one = deaf == 1
        message = 'the first ' .. (one and '' or deaf .. ' ') .. 'in the queue ' ..
            (apart and (one and 'was not heard here and stays: ' or 'were not heard here and stay: ') .. apart
            or 'did not listen' .. (ms and ': those behind wait until they are removed or time out'
                or one and ' and was dropped' or ' and were dropped'))
    end
    return message
end

-- A user may be refused what it takes: the lock has ended all the same.
local isWhole, told = pcall(wakeQueue)
if not isWhole then
    told = 'waiters not woken: ' .. (type(told) == 'table' and told.err or tostring(told))
end
return ended(told)
