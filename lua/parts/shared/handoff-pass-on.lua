-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines grant(), which gives the free lock away and returns its token, or nil and the error: then it could not be given an end.
-- `try` is redis.call where a refusal may end the script, else redis.pcall.
local function grant(id, left)
    --#include shared/next-fence.lua
    local refused = try('SET', fence, string.format('%.0f', number), 'PX', 86400000)
    refused = refused.err and refused or try('HSET', key, id, 1)
    if type(refused) ~= 'table' then
        refused = redis.pcall('PEXPIRE', key, string.format('%.0f', left))
    end
    if type(refused) == 'table' then
        redis.call('DEL', key)
        return nil, refused
    end
    return number
end

--#include shared/elsewhere.lua

-- Defines passOn(), which passes the free lock to the first waiter that hears of it, as far as that can be told; owner, who
-- calls, hears. Returns its id, and what is to be said where it was not heard; or nil, and why it could not be passed on.
local function passOn()
    local id = redis.call('LINDEX', queue, 0)
    while id do
        local deadline, wanted = (redis.call('HGET', waiters, id) or ''):match('^(%d+) (%d+)$')
        local left = deadline and math.min(deadline - now, wanted) or 0
        local heard, message = id == owner and 1 or 0, nil
        if left >= 1 and heard == 0 then
            local token, refused = grant(id, left)
            heard = refused or redis.pcall('PUBLISH', key .. ':handoff:wake:' .. id,
                string.format('%.0f %.0f', token, left))
            if type(heard) == 'table' then
                redis.call('DEL', key)
                return nil, 'waiters not woken: ' .. heard.err
            end
            local apart = heard == 0 and elsewhere()
            if apart then -- it may have heard all the same, and then it works already
                heard, message = 1, 'the first in the queue was handed the lock, but not heard here: ' .. apart
            elseif heard == 0 then
                redis.call('DEL', key) -- nobody listens: its connection is gone
            end
        end
        redis.call('LPOP', queue)
        redis.call('HDEL', waiters, id)
        if heard > 0 then
            return id, message
        end
        id = redis.call('LINDEX', queue, 0)
    end
end
