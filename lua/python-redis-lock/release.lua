#!lua flags=allow-oom
-- KEYS: the lock ("lock:<name>"), its signal list ("lock-signal:<name>")
-- ARGV: token
-- Returns: {outcome, holds left, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, signal, token = KEYS[1], KEYS[2], ARGV[1]
if #KEYS ~= 2 or key:sub(1, 5) ~= 'lock:' or signal ~= 'lock-signal:' .. key:sub(6) or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: lock:<name> and lock-signal:<name>; token')
end
if token == '' then
    return redis.error_reply('ERR token must not be empty: give the value that the lock was acquired with')
end

local function answer(outcome, holds, message)
    return {outcome, holds, redis.call('PTTL', key), message or ''}
end

for i, wanted in ipairs({'string', 'list'}) do
    local kind = redis.call('TYPE', KEYS[i]).ok
    if kind ~= 'none' and kind ~= wanted then
        local name = i == 1 and 'the key' or 'its signal'
        return answer('wrong-type', -1, name .. ' holds a ' .. kind .. ', not a ' .. wanted)
    end
end
if redis.call('EXISTS', key) == 0 then
    return answer('not-held', -1)
end
if redis.call('STRLEN', key) ~= #token or redis.call('GET', key) ~= token then -- a huge value is never read
    return answer('held-by-other', -1)
end

-- One element for the first that blocks, which passes it on when it is done; without one it goes by itself.
-- The lock goes last: a refusal before it leaves it as it is.
redis.call('DEL', signal)
redis.call('LPUSH', signal, '1')
redis.call('PEXPIRE', signal, '1000')
redis.call('DEL', key)
return answer('released', 0)
