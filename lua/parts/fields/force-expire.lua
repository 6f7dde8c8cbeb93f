#!lua flags=allow-oom
-- KEYS: the lock, a hash with a field for each owner [, the sets of locks that name it for its owners]
-- ARGV: grace in seconds or '', 'all' or 'only', then field, value that was seen in it, for every owner
-- Returns: {outcome, holds, pttl, message}; 'only' ends some owners' holds and leaves the lock to the others
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, grace, scope = KEYS[1], ARGV[1], ARGV[2]
local first, last = 3, #ARGV
if #KEYS < 1 or key == '' or last < 4 or last % 2 == 1 or (scope ~= 'all' and scope ~= 'only')
        or (scope == 'only' and grace ~= '') then
    return redis.error_reply('ERR usage: the lock and sets that name it; grace in seconds or an empty text '
        .. '(always empty with only), all or only, then field, value for every owner')
end

--#include shared/grace.lua

--#include shared/seen-once.lua

--#include shared/answer.lua

--#include shared/hash-held.lua
local count = (last - first + 1) / 2
local isWhole = redis.call('HLEN', key) == count -- asked first, so that a huge hash is never read
if scope == 'all' and not isWhole then
    return answer('owner-changed', -1)
end
for i = first, last, 2 do
    if redis.call('HGET', key, ARGV[i]) ~= ARGV[i + 1] then
        return answer('owner-changed', -1)
    end
end

if ms then
    --#include shared/shorten.lua
    return answer('expired', count)
end
for i = first, last, 2 do
    redis.call('HDEL', key, ARGV[i])
end
local message
for i = 2, isWhole and #KEYS or 1 do -- while others hold it, the sets keep it
    local removed = redis.pcall('SREM', KEYS[i], key)
    message = type(removed) == 'table' and 'still in a set of locks: ' .. removed.err or message
end
return answer('expired', count, message)
