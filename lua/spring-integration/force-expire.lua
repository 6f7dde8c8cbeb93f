#!lua flags=allow-oom
-- KEYS: the lock ("<registry>:<name>")
-- ARGV: grace in seconds or '' for at once, token seen [, '']; '' stands where a count would
-- Returns: {outcome, holds, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, grace, token = KEYS[1], ARGV[1], ARGV[2]
if #KEYS ~= 1 or key == '' or #ARGV < 2 or #ARGV > 3 or (ARGV[3] and ARGV[3] ~= '') then
    return redis.error_reply('ERR usage: one key that is not empty; grace in seconds or an empty text, '
        .. 'the token that was seen [, an empty text]')
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

local function answer(outcome, holds, message)
    return {outcome, holds, redis.call('PTTL', key), message or ''}
end

local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer('already-gone', -1)
end
if kind ~= 'string' then
    return answer('wrong-type', -1, 'the key holds a ' .. kind .. ', not a string')
end
if redis.call('STRLEN', key) ~= #token or redis.call('GET', key) ~= token then -- a huge value is never read
    return answer('owner-changed', -1)
end

if ms then
    local left = redis.call('PTTL', key)
    if left == -1 or left > ms then
        redis.call('PEXPIRE', key, string.format('%.0f', ms))
    end
    return answer('expired', 1) -- a message now would help nobody: waiters don't look at the time left
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
return answer('expired', 1, message)
