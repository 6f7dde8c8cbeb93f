#!lua
-- KEYS: the lock, then the same with :handoff:queue, :handoff:waiters, :handoff:fence
-- ARGV: owner, lease in seconds, patience in seconds ('': not to queue, to leave it), level wanted, from 1, or 'next'
-- Returns: {outcome, holds, pttl, message, fence}; queued: the place in the queue, from 1, and the fence before ours
-- SPDX-License-Identifier: GPL-3.0-or-later

--#include shared/handoff-keys.lua
local owner, lease, patience, level = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if not fits or #ARGV ~= 4 then
    return redis.error_reply('ERR usage: the lock, its :handoff:queue, :handoff:waiters and :handoff:fence; '
        .. 'owner, lease in seconds, patience in seconds or an empty text, level')
end
--#include shared/new-owner-given.lua
if level ~= 'next' and (not level:match('^[1-9]%d*$') or #level > 15) then
    return redis.error_reply('ERR level must be a whole number from 1 to 999999999999999, or next')
end

local function milliseconds(text)
    local ms
    --#include shared/milliseconds.lua
    return ms
end
local ms, wait = milliseconds(lease), milliseconds(patience)
if not ms then
    return redis.error_reply('ERR lease must be decimal seconds from 0.001 to 1000000000000, such as 30 or 0.1')
end
if not wait and patience ~= '' then
    return redis.error_reply('ERR patience must be decimal seconds from 0.001 to 1000000000000, such as 5 or 0.1, '
        .. 'or empty to try once')
end

--#include shared/now.lua

local function answer(outcome, holds, message, token)
    return {outcome, holds, redis.call('PTTL', key), message or '', tonumber(token or -1) or -1}
end

local types, called = {'hash', 'list', 'hash', 'string'}, ':handoff:%l+$'
--#include shared/types.lua

local count = redis.call('HGET', key, owner)
if count and (not count:match('^[1-9]%d*$') or #count > 15) then
    return answer('bad-count', -1, 'stored count: ' .. count:sub(1, 64))
end
if level == 'next' then -- for who does not know how many there are: the same again is a level more
    level = string.format('%.0f', (count or 0) + 1)
    if #level > 15 then
        return answer('bad-count', -1, 'stored count: ' .. count)
    end
end
if count then
    -- A further level; or the same again, after a lost answer or a hand-over: so the count is set, never raised.
    redis.call('PEXPIRE', key, string.format('%.0f', ms))
    redis.call('HSET', key, owner, level)
    return answer(level == '1' and 'acquired' or 'reentered', tonumber(level), '', redis.call('GET', fence))
end
if level ~= '1' then
    return answer('not-held', -1)
end

local try = redis.call
--#include shared/handoff-pass-on.lua

local message
if redis.call('EXISTS', key) == 0 then
    local first
    first, message = passOn()
    message = not first and message or nil
    if not message and (not first or first == owner) then
        local token, refused = grant(owner, ms)
        return refused or answer('acquired', 1, '', token)
    end
end

if not wait then
    if redis.call('HDEL', waiters, owner) == 1 then
        redis.call('LREM', queue, 1, owner)
    end
    return answer('held-by-other', -1, message)
end

local place
if redis.call('HSET', waiters, owner, string.format('%.0f %.0f', now + wait, ms)) == 0 then
    for i, id in ipairs(redis.call('LRANGE', queue, 0, -1)) do
        place = id == owner and i or place
    end
end
place = place or redis.call('RPUSH', queue, owner)
for _, companion in ipairs({queue, waiters}) do
    local refused = redis.call('PTTL', companion) < wait
        and redis.pcall('PEXPIRE', companion, string.format('%.0f', wait))
    if type(refused) == 'table' then -- nobody may queue who can't give the queue an end
        redis.call('HDEL', waiters, owner)
        redis.call('LREM', queue, 1, owner)
        return refused
    end
end
return answer('queued', place, message, redis.call('GET', fence))
