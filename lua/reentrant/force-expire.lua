#!lua flags=allow-oom
-- KEYS: the lock
-- ARGV: grace in seconds or '' for at once, owner, count ('': any) for every owner seen [, 'pttl<=MS'] [, 'named']
-- Returns: 1 expired, 0 refused, nil already gone; named: {outcome, holds, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later
-- MS is the time left at most if nothing has changed, -1 for none: compared too where an owner's id says little.

local key, grace = KEYS[1], ARGV[1]
local function bound(at)
    return tonumber(ARGV[at]:match('^pttl<=(%-?%d+)$'))
end
local last = #ARGV
local named = last > 1 and ARGV[last] == 'named' and (last % 2 == 0 or bound(last - 1) ~= nil)
last = named and last - 1 or last
local most = last > 1 and last % 2 == 0 and bound(last)
last = most and last - 1 or last
if #KEYS ~= 1 or key == '' or last < 3 or last % 2 == 0 then
    return redis.error_reply('ERR usage: one key that is not empty; grace in seconds or an empty text, '
        .. 'then owner, count for every owner that was seen [, pttl<=MS] [, named]')
end

local ms
if grace ~= '' then
    -- By pattern, since tonumber() also takes nan, inf, 1e3, 0x10 and blanks.
    ms = (grace:match('^%d+$') or grace:match('^%d+%.%d+$')) and math.floor(tonumber(grace) * 1000 + 0.5)
    if not ms or ms < 1 or ms > 1e15 then
        return redis.error_reply('ERR grace must be decimal seconds from 0.001 to 1000000000000, such as 5 or 0.1, '
            .. 'or empty to end the lock at once')
    end
end

-- An owner given twice would stand for one that was not seen.
local given = {}
for i = 2, last, 2 do
    if given[ARGV[i]] then
        return redis.error_reply('ERR an owner is given twice: give every owner that was seen once')
    end
    given[ARGV[i]] = true
end

-- With Redis 7.4 its owners' fields may end before the key does, and the last of them ends it. Nothing is sent to a server
-- that has no such command, nor for a user without the permission.
local function timeLeft()
    local ask = {'HPTTL', key, 'FIELDS', string.format('%.0f', (last - 1) / 2)}
    for i = 2, last, 2 do
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

local function answer(published, outcome, holds, message, left)
    return named and {outcome, holds, left or redis.call('PTTL', key), message} or published
end

local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer(false, 'already-gone', -1)
end
if kind ~= 'hash' then
    local message = 'the key holds a ' .. kind .. ', not a hash'
    return answer(redis.error_reply('WRONGTYPE ' .. message), 'wrong-type', -1, message)
end
if redis.call('HLEN', key) ~= (last - 1) / 2 then -- asked first, so that a huge hash is never read
    return answer(0, 'owner-changed', -1)
end

local holds, changed = 0, false
for i = 2, last, 2 do
    local count = redis.call('HGET', key, ARGV[i])
    if not count then
        return answer(0, 'owner-changed', -1)
    end
    changed = changed or (ARGV[i + 1] ~= '' and ARGV[i + 1] ~= count)
    local number = count:match('^[1-9]%d*$') and #count <= 15 and tonumber(count)
    holds = holds and number and holds + number
end
holds = holds or -1
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
