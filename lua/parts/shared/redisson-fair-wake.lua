-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines wake(): how many heard it, or nil and why nobody could be told. Refused or not, the lock has ended: hence pcall. Wakes
-- those who wait for the lock; defines channel, and message: what was refused.
local function wake(channel)
    local heard = redis.pcall('PUBLISH', channel, '0')
    if type(heard) == 'table' then
        return nil, 'waiters not woken: ' .. heard.err
    end
    if sharded then -- in a cluster of Redis 7 newer clients listen to the shard
        local more = redis.pcall('SPUBLISH', channel, '0')
        if type(more) == 'table' then
            return nil, 'waiters not woken: ' .. more.err
        end
        heard = heard + more
    end
    return heard
end
local channel = 'redisson_lock__channel:' .. braced
local _, message = wake(channel)
