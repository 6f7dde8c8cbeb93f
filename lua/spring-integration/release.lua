#!lua flags=allow-oom
-- Generated from lua/parts/spring-integration/release.lua: edit that.
-- KEYS: the lock ("<registry>:<name>")
-- ARGV: token
-- Returns: {outcome, holds left, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

-- Gives back the lock that holds the token given, or answers why not, and the script ends here. Defines key, token and answer().
local key, token = KEYS[1], ARGV[1]
if #KEYS ~= 1 or key == '' or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: one key that is not empty; token')
end
-- Refuses an empty token.
if token == '' then
    return redis.error_reply('ERR token must not be empty: give the value that the lock was acquired with')
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

local absent, other = 'not-held', 'held-by-other'
-- Goes on only where the key holds token; else answers `absent` for no key, `other` for another value.
local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer(absent, -1)
end
if kind ~= 'string' then
    return answer('wrong-type', -1, 'the key holds a ' .. kind .. ', not a string')
end
if redis.call('STRLEN', key) ~= #token or redis.call('GET', key) ~= token then -- a huge value is never read
    return answer(other, -1)
end
redis.call('DEL', key)

-- A registry listens for "<its own key>-channel:<the lock's>". Which part of the key is the registry's can't be seen,
-- so each that ends at a colon is tried: nobody listens to the others. Refused or not, the lock has ended: hence pcall.
-- Defines message: what was refused.
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
