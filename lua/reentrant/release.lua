#!lua flags=allow-oom
-- Generated from lua/parts/reentrant/release.lua: edit that.
-- KEYS: the lock
-- ARGV: owner [, lease in seconds or ''] [, 'all'] [, 'named']; a lease renews the rest, 'all' releases every level
-- Returns: 1 one level (or all) released, nil not held by owner; named: {outcome, holds left, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, owner = KEYS[1], ARGV[1]
local last = #ARGV
local named = last > 1 and ARGV[last] == 'named'
last = named and last - 1 or last
local all = last > 1 and ARGV[last] == 'all'
last = all and last - 1 or last
if #KEYS ~= 1 or key == '' or last < 1 or last > 2 then
    return redis.error_reply('ERR usage: one key that is not empty; owner [, lease in seconds] [, all] [, named]')
end
-- Refuses an empty owner, of one who holds.
if owner == '' then
    return redis.error_reply('ERR owner must not be empty: name who holds the lock')
end

local lease = last == 2 and ARGV[2] or ''
-- Defines ms: the milliseconds of lease, for the levels that are left; nil for an empty text.
local ms
if lease ~= '' then
    local text = lease
    -- Sets ms to the milliseconds of text, which is decimal seconds, or to nil. By pattern, since tonumber() also takes nan, inf,
    -- 1e3, 0x10 and blanks.
    ms = (text:match('^%d+$') or text:match('^%d+%.%d+$')) and math.floor(tonumber(text) * 1000 + 0.5)
    ms = ms and ms >= 1 and ms <= 1e15 and ms or nil
    if not ms then
        return redis.error_reply('ERR lease must be decimal seconds from 0.001 to 1000000000000, such as 30 or 0.1, '
            .. 'or empty to leave the time as it is')
    end
end

local fewest = 1
-- Defines answer(): what the script returns, published or in names, with what timeLeft() says.
-- Defines timeLeft(): what is left of the lock for owner, and why where that is less than the key has: with Redis 7.4 the owner's
-- field may end before. With fewer than `fewest` holds it has no end of its own. Nothing is sent to a server that has no such
-- command, nor for a user without the permission.
-- Defines keyTimeLeft(): PTTL of the lock. While a cluster moves the slot, a key that is not there any more can't be asked for:
-- whether it is on the other node, too, is not known here, but this script has just deleted it.
local function keyTimeLeft()
    local left = redis.pcall('PTTL', key)
    if type(left) == 'table' and string.find(left.err, 'non local key', 1, true) then
        return -2
    end
    return type(left) == 'table' and redis.call('PTTL', key) or left
end
local function timeLeft(holds)
    local left = keyTimeLeft()
    if holds < fewest then
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

local wanted = 'hash'
-- Defines kind: the type of the key. Answers wrong-type unless it is `wanted`, or none.
local kind = redis.call('TYPE', key).ok
if kind ~= 'none' and kind ~= wanted then
    local message = 'the key holds a ' .. kind .. ', not a ' .. wanted
    return answer(redis.error_reply('WRONGTYPE ' .. message), 'wrong-type', -1, message)
end
if kind == 'none' then
    return answer(false, 'not-held', -1)
end

local count = redis.call('HGET', key, owner)
if not count then
    return answer(false, 'held-by-other', -1)
end
local most = 999999999999999
-- Refuses a stored count that is no whole number from 1 to `most`.
if not count:match('^[1-9]%d*$') or #count > 15 or count + 0 > most then
    return answer(redis.error_reply('ERR the stored count is not a whole number from 1 to ' .. string.format('%.0f', most)
        .. ': nothing was changed; look at the key, force-expire can end it'),
        'bad-count', -1, 'stored count: ' .. count:sub(1, 64))
end

if all or count == '1' then
    redis.call('HDEL', key, owner) -- the key goes with its last field; another owner's field and the time stay
    return answer(1, 'released', 0)
end
if ms then
    redis.call('PEXPIRE', key, string.format('%.0f', ms))
end
return answer(1, 'unwound', redis.call('HINCRBY', key, owner, -1))
