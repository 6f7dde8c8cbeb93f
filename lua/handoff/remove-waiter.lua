#!lua flags=allow-oom
-- KEYS: the lock, then the same with :handoff:queue, :handoff:waiters, :handoff:fence
-- ARGV: the waiter
-- Returns: {outcome, -1, pttl, message}: removed, not-waiting, still-listens or wrong-type
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, queue, waiters, waiter = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
if #KEYS ~= 4 or key == '' or queue ~= key .. ':handoff:queue' or waiters ~= key .. ':handoff:waiters'
        or KEYS[4] ~= key .. ':handoff:fence' or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: the lock, its :handoff:queue, :handoff:waiters and :handoff:fence; the waiter')
end
if waiter == '' then
    return redis.error_reply('ERR waiter must not be empty: name who is to leave the queue')
end

local function answer(outcome, message)
    return {outcome, -1, redis.call('PTTL', key), message or ''}
end

for i, wanted in ipairs({'hash', 'list', 'hash'}) do
    local kind = redis.call('TYPE', KEYS[i]).ok
    if kind ~= 'none' and kind ~= wanted then
        local name = KEYS[i]:match(':handoff:%l+$', #key + 1) or 'the key'
        return answer('wrong-type', name .. ' holds a ' .. kind .. ', not a ' .. wanted)
    end
end

-- Asked, not published to: a message here gives the lock away. Whoever may not ask gets the refusal, and nothing
-- is changed.
if redis.call('PUBSUB', 'NUMSUB', key .. ':handoff:wake:' .. waiter)[2] > 0 then
    return answer(redis.call('HEXISTS', waiters, waiter) == 1 and 'still-listens' or 'not-waiting')
end
if redis.call('LREM', queue, 0, waiter) + redis.call('HDEL', waiters, waiter) == 0 then
    return answer('not-waiting')
end
return answer('removed')
