#!lua flags=allow-oom
-- KEYS: the lock, then rwlock_timeout keys: of those whose hold is to end, and with 'only' of every other reader
-- ARGV: grace in seconds or '', mode seen or '', 'all' or 'only', then pairs: field, count ('': any) [, 'sharded']
-- Returns: {outcome, holds, pttl, message}; 'only' ends some owners' holds and leaves the lock to the others
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, grace, mode, scope = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local braced = key and (key:find('{', 1, true) and key or '{' .. key .. '}')
local sharded = #ARGV % 2 == 0 and ARGV[#ARGV] == 'sharded'
local first, last = 4, sharded and #ARGV - 1 or #ARGV
if #KEYS < 1 or key == '' or last < 5 or last % 2 == 0 or (mode ~= '' and mode ~= 'read' and mode ~= 'write')
        or (scope ~= 'all' and scope ~= 'only') or (scope == 'only' and grace ~= '') then
    return redis.error_reply('ERR usage: the lock, then rwlock_timeout keys; grace in seconds or an empty text '
        .. '(always empty with only), read or write or an empty text, all or only, '
        .. 'then field, count for every owner [, sharded]')
end

--#include shared/grace.lua

-- An owner given twice would stand for one that was not seen.
local fields, given, ends = {}, {mode = true}, {}
for i = 4, last, 2 do
    if given[ARGV[i]] then
        return redis.error_reply('ERR an owner is given twice, or is the field of the mode: '
            .. 'give every owner that was seen once')
    end
    given[ARGV[i]] = true
    ends[braced .. ':' .. ARGV[i] .. ':rwlock_timeout'] = true
    fields[#fields + 1] = ARGV[i]
end

-- The keys of this lock's readers, those that go and those that stay.
local gone, stay, levels = {}, {}, {}
for i = 2, #KEYS do
    local reader = KEYS[i]:match('^(.*:rwlock_timeout):[1-9]%d*$')
    if not reader or reader:sub(1, #braced + 1) ~= braced .. ':' then
        return redis.error_reply('ERR usage: the keys after the lock are its own ..:rwlock_timeout:<number>')
    end
    local list = ends[reader] and gone or stay
    list[#list + 1] = KEYS[i]
    if list == stay then
        local field = reader:sub(#braced + 2, -#':rwlock_timeout' - 1)
        levels[field] = (levels[field] or 0) + 1
    end
end

--#include shared/answer.lua

local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer('already-gone', -1)
end
local stored = kind == 'hash' and redis.call('HGET', key, 'mode')
if stored ~= 'read' and stored ~= 'write' then
    return answer('wrong-type', -1, kind ~= 'hash' and 'the key holds a ' .. kind .. ', not a hash'
        or 'the hash has no mode: it is no read-write lock')
end
local others = redis.call('HLEN', key) - 1 - #fields -- asked first, so that a huge hash is never read
if others < 0 or (scope == 'all' and others > 0) then
    return answer('owner-changed', -1)
end

--#include shared/seen-holds.lua
if missing then
    return answer('owner-changed', -1)
end
local switched = mode ~= '' and mode ~= stored
if changed or switched then
    return answer('holds-changed', holds, switched and 'its mode is now ' .. stored or nil)
end

local wakes = true
if ms then
    -- The server sends Redisson's waiters nothing when the key goes: told now, they sleep no longer than it lasts.
    --#include shared/shorten.lua
    wakes = left == -1 or left > ms
else
    if others > 0 then
        -- The writer's own reads stay; whoever wants to read may now. Redisson would tell nobody here. Before the rest: a
        -- refusal leaves the lock as it is.
        local written = false
        for _, field in ipairs(fields) do
            written = written or field:find(':write', 1, true) ~= nil
        end
        wakes = stored == 'write' and written
        if wakes then
            redis.call('HSET', key, 'mode', 'read')
        end
    end
    for _, field in ipairs(fields) do
        redis.call('HDEL', key, field)
    end
    for _, timeout in ipairs(gone) do
        redis.call('DEL', timeout)
    end
    if others == 0 then
        redis.call('DEL', key)
    else
        -- It lasts as long as the longest hold of the readers that stay, if all of these are known.
        local longest, known = 0, 0
        for field, number in pairs(levels) do
            known = known + (redis.call('HGET', key, field) == tostring(number) and 1 or 0)
        end
        for _, timeout in ipairs(stay) do
            longest = math.max(longest, redis.call('PTTL', timeout))
        end
        local left = redis.call('PTTL', key)
        if (stored == 'read' or wakes) and known == others and longest > 0 and (left == -1 or left > longest) then
            redis.call('PEXPIRE', key, string.format('%.0f', longest))
        end
    end
end

-- 1 wakes all who wait, readers and writers.
local channel, word, message = 'redisson_rwlock:' .. braced, '1', nil
if wakes then
    --#include shared/redisson-publish.lua
end
return answer('expired', holds, message)
