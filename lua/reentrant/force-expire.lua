#!lua flags=allow-oom
-- Generated from lua/parts/reentrant/force-expire.lua: edit that.
-- KEYS: the lock
-- ARGV: grace in seconds or '' for at once, owner, count ('': any) for every owner seen [, 'pttl<=MS'] [, 'named']
-- Returns: 1 expired, 0 refused, nil already gone; named: {outcome, holds, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later
-- MS is the time left at most if nothing has changed, -1 for none: compared too where an owner's id says little.

local key, grace = KEYS[1], ARGV[1]
local function bound(at)
    return tonumber(ARGV[at]:match('^pttl<=(%-?%d+)$'))
end
local first, last = 2, #ARGV
local named = last > 1 and ARGV[last] == 'named' and (last % 2 == 0 or bound(last - 1) ~= nil)
last = named and last - 1 or last
local most = last > 1 and last % 2 == 0 and bound(last)
last = most and last - 1 or last
if #KEYS ~= 1 or key == '' or last < 3 or last % 2 == 0 then
    return redis.error_reply('ERR usage: one key that is not empty; grace in seconds or an empty text, '
        .. 'then owner, count for every owner that was seen [, pttl<=MS] [, named]')
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

-- Defines timeLeft(): what is left of the lock, and why where that is less than the key has: with Redis 7.4 the fields of its
-- owners, ARGV[first], ARGV[first + 2] .. ARGV[last], may end before, and the last of them ends it. Nothing is sent to a server
-- that has no such command, nor for a user without the permission.
local function timeLeft()
    local ask = {'HPTTL', key, 'FIELDS', string.format('%.0f', (last - first + 1) / 2)}
    for i = first, last, 2 do
        ask[#ask + 1] = ARGV[i]
    end
    local left, latest = redis.call('PTTL', key), 0
    local isThere, may = pcall(redis.acl_check_cmd, unpack(ask))
    for _, field in ipairs(isThere and may and redis.call(unpack(ask)) or {-1}) do
        latest = field >= 0 and latest >= 0 and math.max(latest, field) or -1
    end
    if latest >= 0 and (left == -1 or latest < left) then
        return latest, "its owners' fields have an earlier end of their own, which was left as it is"
    end
    return left
end
-- Defines answer(): what the script returns, published or in names. The time left is asked for where it isn't given.
-- Defines keyTimeLeft(): PTTL of the lock. While a cluster moves the slot, a key that is not there any more can't be asked for:
-- whether it is on the other node, too, is not known here, but this script has just deleted it.
local function keyTimeLeft()
    local left = redis.pcall('PTTL', key)
    if type(left) == 'table' and string.find(left.err, 'non local key', 1, true) then
        return -2
    end
    return type(left) == 'table' and redis.call('PTTL', key) or left
end
local function answer(published, outcome, holds, message, left)
    return named and {outcome, holds, left or keyTimeLeft(), message} or published
end

local wanted = 'hash'
-- Defines kind: the type of the key. Answers wrong-type unless it is `wanted`, or none.
local kind = redis.call('TYPE', key).ok
if kind ~= 'none' and kind ~= wanted then
    local message = 'the key holds a ' .. kind .. ', not a ' .. wanted
    return answer(redis.error_reply('WRONGTYPE ' .. message), 'wrong-type', -1, message)
end
if kind == 'none' then
    return answer(false, 'already-gone', -1)
end
if redis.call('HLEN', key) ~= (last - 1) / 2 then -- asked first, so that a huge hash is never read
    return answer(0, 'owner-changed', -1)
end

-- Compares the owners seen, each with its count, ARGV[first], ARGV[first + 1] .. ARGV[last], with those of the hash. Defines
-- missing: whether one is gone; changed: whether a count is another ('' fits any); holds: all counts, -1 if one is no count.
local holds, changed, missing = 0, false, false
for i = first, last, 2 do
    local count = redis.call('HGET', key, ARGV[i])
    if not count then
        missing = true
        break
    end
    changed = changed or (ARGV[i + 1] ~= '' and ARGV[i + 1] ~= count)
    local number = count:match('^[1-9]%d*$') and #count <= 15 and tonumber(count)
    holds = holds and number and holds + number
end
holds = holds or -1
if missing then
    return answer(0, 'owner-changed', -1)
end
if changed then
    return answer(0, 'holds-changed', holds)
end
if most then
    local left = timeLeft()
    if left > most or (left == -1) ~= (most == -1) then
        return answer(0, 'lease-changed', holds, nil, left)
    end
end

if ms then
    -- Lets the lock end in ms milliseconds, unless it ends sooner. Defines left: what it had before.
    local left = redis.call('PTTL', key)
    if left == -1 or left > ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
    local sooner
    left, sooner = timeLeft()
    return answer(1, 'expired', holds, sooner, left)
end

redis.call('DEL', key)
-- Redisson's waiters sleep until this message. Refused or not, the lock has ended: hence pcall.
local channel = 'redisson_lock__channel:' .. (key:find('{', 1, true) and key or '{' .. key .. '}')
local woken = redis.pcall('PUBLISH', channel, '0')
local failed = type(woken) == 'table' and woken.err
return answer(1, 'expired', holds, failed and 'waiters not woken: ' .. failed or nil)
