#!lua flags=allow-oom
-- KEYS: the lock ("<registry>:<name>")
-- ARGV: token
-- Returns: {outcome, holds left, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, token = KEYS[1], ARGV[1]
if #KEYS ~= 1 or key == '' or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: one key that is not empty; token')
end
if token == '' then
    return redis.error_reply('ERR token must not be empty: give the value that the lock was acquired with')
end

local function answer(outcome, holds, message)
    return {outcome, holds, redis.call('PTTL', key), message or ''}
end

local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer('not-held', -1)
end
if kind ~= 'string' then
    return answer('wrong-type', -1, 'the key holds a ' .. kind .. ', not a string')
end
if redis.call('STRLEN', key) ~= #token or redis.call('GET', key) ~= token then -- a huge value is never read
    return answer('held-by-other', -1)
end
redis.call('DEL', key)

-- A registry listens for "<its own key>-channel:<the lock's>". Which part of the key is the registry's can't be seen,
-- so each that ends at a colon is tried: nobody listens to the others. Refused or not, the lock has ended: hence pcall.
local message
local at = key:find(':', 2, true)
for _ = 1, 16 do
    if not at or message then
        break
    end
    local told = redis.pcall('PUBLISH', key:sub(1, at - 1) .. '-channel:' .. key, key)
    message = type(told) == 'table' and 'waiters not woken: ' .. told.err or nil
    at = key:find(':', at + 1, true)
end
return answer('released', 0, message)
