#!lua flags=allow-oom
-- Generated from lua/parts/redisson-multi/force-expire.lua: edit that.
-- KEYS: the lock of a group of values
-- ARGV: grace in seconds or '', 'all' or 'only', then pairs: "<value's hash>:<owner>", count ('': any) [, 'sharded']
-- Returns: {outcome, holds, pttl, message}; 'only' ends some values' holds and leaves the others
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, grace, scope = KEYS[1], ARGV[1], ARGV[2]
local sharded = #ARGV % 2 == 1 and ARGV[#ARGV] == 'sharded'
local last = sharded and #ARGV - 1 or #ARGV
if #KEYS ~= 1 or key == '' or last < 4 or last % 2 == 1 or (scope ~= 'all' and scope ~= 'only')
        or (scope == 'only' and grace ~= '') then
    return redis.error_reply('ERR usage: one key that is not empty; grace in seconds or an empty text '
        .. "(always empty with only), all or only, then a value's hash with its owner, count for each [, sharded]")
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

-- A value given twice would stand for one that was not seen.
local given = {}
for i = 3, last, 2 do
    if given[ARGV[i]] or not ARGV[i]:find('^[^:]+:.') then
        return redis.error_reply("ERR a value's hash with its owner is given twice, or is not one: "
            .. 'give every one that was seen once, as <hash>:<owner>')
    end
    given[ARGV[i]] = true
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

-- A value takes three fields: who locks it, how often and until when.
local holds, changed, fields = 0, false, {}
for i = 3, last, 2 do
    local value, owner = ARGV[i]:match('^([^:]+):(.*)$')
    if redis.call('HGET', key, value) ~= owner then
        return answer('owner-changed', -1)
    end
    local count = redis.call('HGET', key, ARGV[i] .. ':lock_count')
    changed = changed or (ARGV[i + 1] ~= '' and ARGV[i + 1] ~= count)
    local number = count and count:match('^[1-9]%d*$') and #count <= 15 and tonumber(count)
    holds = holds and number and holds + number
    for _, field in ipairs({value, ARGV[i] .. ':lock_count', ARGV[i] .. ':expire_time'}) do
        fields[#fields + 1] = redis.call('HEXISTS', key, field) == 1 and field or nil
    end
end
holds = holds or -1
if scope == 'all' and redis.call('HLEN', key) ~= #fields then
    return answer('owner-changed', -1)
end
if changed then
    return answer('holds-changed', holds)
end

if ms then
    -- Lets the lock end in ms milliseconds, unless it ends sooner. Defines left: what it had before.
    local left = redis.call('PTTL', key)
    if left == -1 or left > ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
    if left ~= -1 and left <= ms then
        return answer('expired', holds)
    end
else
    for _, field in ipairs(fields) do
        redis.call('HDEL', key, field) -- the key goes with its last field
    end
end

-- Told of a shorter time too, since the server sends nothing when the key goes.
local channel, word = 'redisson_lock__channel:' .. (key:find('{', 1, true) and key or '{' .. key .. '}'), '0'
local message
-- Publishes word on channel and, where `sharded` says so, on its shard: in a cluster of Redis 7 newer clients listen there. Sets
-- message to what was refused: what was to end has ended all the same, hence pcall.
for i = 1, sharded and 2 or 1 do
    local heard = redis.pcall(i == 1 and 'PUBLISH' or 'SPUBLISH', channel, word)
    message = message or (type(heard) == 'table' and 'waiters not woken: ' .. heard.err) or nil
end
return answer('expired', holds, message)
