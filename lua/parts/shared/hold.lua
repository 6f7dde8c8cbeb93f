-- SPDX-License-Identifier: GPL-3.0-or-later
-- Gives owner a level more, for ms milliseconds. Defines holds: how many it has then.
local holds = redis.call('HINCRBY', key, owner, 1)
local renewed = redis.pcall('PEXPIRE', key, ms)
if type(renewed) == 'table' then
    -- Refused, as to a user without the permission. A script's writes stay, and this lock would never end.
    if holds == 1 then
        redis.call('DEL', key)
    else
        redis.call('HINCRBY', key, owner, -1)
    end
    return renewed
end
