#!lua flags=allow-oom
-- KEYS: the lock, then the same with :handoff:queue, :handoff:waiters, :handoff:fence
-- ARGV: owner, lease in seconds for what is left or '', level held before ('': the stored one) or 'all'
-- Returns: {outcome, holds left, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, queue, waiters, fence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local owner, lease, level = ARGV[1], ARGV[2], ARGV[3]
if #KEYS ~= 4 or key == '' or queue ~= key .. ':handoff:queue' or waiters ~= key .. ':handoff:waiters'
        or fence ~= key .. ':handoff:fence' or #ARGV ~= 3 then
    return redis.error_reply('ERR usage: the lock, its :handoff:queue, :handoff:waiters and :handoff:fence; '
        .. 'owner, lease in seconds or an empty text, level or all or an empty text')
end
if owner == '' then
    return redis.error_reply('ERR owner must not be empty: name who holds the lock')
end
if level ~= '' and level ~= 'all' and (not level:match('^[1-9]%d*$') or #level > 15) then
    return redis.error_reply('ERR level must be a whole number from 1 to 999999999999999, or all, '
        .. 'or empty for one level of those stored')
end

local ms
if lease ~= '' then
    -- By pattern, since tonumber() also takes nan, inf, 1e3, 0x10 and blanks.
    ms = (lease:match('^%d+$') or lease:match('^%d+%.%d+$')) and math.floor(tonumber(lease) * 1000 + 0.5)
    if not ms or ms < 1 or ms > 1e15 then
        return redis.error_reply('ERR lease must be decimal seconds from 0.001 to 1000000000000, such as 30 or 0.1, '
            .. 'or empty to leave the time as it is')
    end
    ms = string.format('%.0f', ms)
end

local function answer(outcome, holds, pttl, message)
    return {outcome, holds, pttl or redis.call('PTTL', key), message or ''}
end

-- A read that fails says that a key is of another type: cheaper than asking for the type of each before.
local function wrongType(name, at, wanted)
    return answer('wrong-type', -1, nil, name .. ' holds a ' .. redis.call('TYPE', at).ok .. ', not a ' .. wanted)
end

local count = redis.pcall('HGET', key, owner)
if type(count) == 'table' then
    return wrongType('the key', key, 'hash')
end
local id = redis.pcall('LINDEX', queue, 0)
if type(id) == 'table' then
    return wrongType(':handoff:queue', queue, 'list')
end
local entry = redis.pcall('HGET', waiters, id or '')
if type(entry) == 'table' then
    return wrongType(':handoff:waiters', waiters, 'hash')
end
local last = redis.pcall('GET', fence)
if type(last) == 'table' then
    return wrongType(':handoff:fence', fence, 'string')
end

if not count then
    return answer(redis.call('EXISTS', key) == 1 and 'held-by-other' or 'not-held', -1)
end
if not count:match('^[1-9]%d*$') or #count > 15 then
    return answer('bad-count', -1, nil, 'stored count: ' .. count:sub(1, 64))
end

-- By level, so that the same again, after a lost answer, changes nothing more.
local left = level == 'all' and 0 or level == '' and count - 1 or math.min(count, level - 1)
if left > 0 then
    if ms then
        redis.call('PEXPIRE', key, ms)
    end
    redis.call('HSET', key, owner, string.format('%.0f', left))
    return answer('unwound', left)
end

redis.call('HDEL', key, owner)
if redis.call('EXISTS', key) == 1 then -- another owner's field keeps it
    return answer('released', 0)
end

-- Passes the free lock to the first waiter that hears of it. The token grows over restarts and FLUSHALL too.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local token = math.max(time[1] * 1000000 + time[2], last and last:match('^%d+$') and #last < 16 and last + 1 or 0)
while id do
    local deadline, wanted = (entry or ''):match('^(%d+) (%d+)$')
    local granted = deadline and math.min(deadline - now, wanted) or 0
    local heard = 0
    if granted >= 1 then
        redis.call('SET', fence, string.format('%.0f', token), 'PX', 86400000)
        redis.call('HSET', key, id, 1)
        local ended = redis.pcall('PEXPIRE', key, string.format('%.0f', granted))
        heard = type(ended) == 'table' and ended
            or redis.pcall('PUBLISH', key .. ':handoff:wake:' .. id, string.format('%.0f %.0f', token, granted))
        if type(heard) == 'table' then -- refused, as to a user without the permission
            redis.call('DEL', key)
            return answer('released', 0, -2, 'waiters not woken: ' .. heard.err)
        end
    end
    redis.call('LPOP', queue)
    redis.call('HDEL', waiters, id)
    if heard > 0 then
        return answer('released', 0, granted)
    end
    redis.call('DEL', key) -- nobody listens: its connection is gone, or its time was up
    token = token + 1
    id = redis.call('LINDEX', queue, 0)
    entry = id and redis.call('HGET', waiters, id)
end
return answer('released', 0, -2)
