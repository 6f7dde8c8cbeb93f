#!lua flags=allow-oom
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

--#include shared/grace.lua

-- A value given twice would stand for one that was not seen.
local given = {}
for i = 3, last, 2 do
    if given[ARGV[i]] or not ARGV[i]:find('^[^:]+:.') then
        return redis.error_reply("ERR a value's hash with its owner is given twice, or is not one: "
            .. 'give every one that was seen once, as <hash>:<owner>')
    end
    given[ARGV[i]] = true
end

--#include shared/answer.lua

--#include shared/hash-held.lua

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
    --#include shared/shorten.lua
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
--#include shared/redisson-publish.lua
return answer('expired', holds, message)
