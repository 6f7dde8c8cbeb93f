#!lua flags=allow-oom
-- KEYS: the lock
-- ARGV: owner, lease in seconds, counted from now [, 'named']
-- Returns: 1 extended, 0 not held by owner; named: {outcome, holds, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, owner, lease, named = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
if #KEYS ~= 1 or key == '' or #ARGV < 2 or #ARGV > 3 or (named and named ~= 'named') then
    return redis.error_reply('ERR usage: one key that is not empty; owner, lease in seconds [, named]')
end
if owner == '' then
    return redis.error_reply('ERR owner must not be empty: name who holds the lock')
end

-- By pattern, since tonumber() also takes nan, inf, 1e3, 0x10 and blanks.
local ms = (lease:match('^%d+$') or lease:match('^%d+%.%d+$')) and math.floor(tonumber(lease) * 1000 + 0.5)
if not ms or ms < 1 or ms > 1e15 then
    return redis.error_reply('ERR lease must be decimal seconds from 0.001 to 1000000000000, such as 30 or 0.1')
end
ms = string.format('%.0f', ms)

-- With Redis 7.4 the owner's field may end before the key does; what is left is the smaller of both. Nothing is sent to a
-- server that has no such command, nor for a user without the permission.
local function timeLeft(holds)
    local left = redis.call('PTTL', key)
    if holds < 1 then
        return left
    end
    local isThere, may = pcall(redis.acl_check_cmd, 'HPTTL', key, 'FIELDS', '1', owner)
    local field = isThere and may and redis.call('HPTTL', key, 'FIELDS', '1', owner)[1] or -1
    if field >= 0 and (left == -1 or field < left) then
        return field, "the owner's field has an earlier end of its own, which was left as it is"
    end
    return left
end

local function answer(published, outcome, holds, message)
    if not named then
        return published
    end
    local left, sooner = timeLeft(holds)
    return {outcome, holds, left, message or sooner}
end

local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer(0, 'not-held', -1)
end
if kind ~= 'hash' then
    local message = 'the key holds a ' .. kind .. ', not a hash'
    return answer(redis.error_reply('WRONGTYPE ' .. message), 'wrong-type', -1, message)
end

local count = redis.call('HGET', key, owner)
if not count then
    return answer(0, 'held-by-other', -1)
end
if not count:match('^[1-9]%d*$') or #count > 15 then
    return answer(redis.error_reply('ERR the stored count is not a whole number from 1 to 999999999999999: '
        .. 'nothing was changed; look at the key, force-expire can end it'),
        'bad-count', -1, 'stored count: ' .. count:sub(1, 64))
end

redis.call('PEXPIRE', key, ms)
return answer(1, 'extended', tonumber(count))
