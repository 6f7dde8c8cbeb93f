-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines ms: the milliseconds of lease, for the levels that are left; nil for an empty text.
local ms
if lease ~= '' then
    local text = lease
    --#include shared/milliseconds.lua
    if not ms then
        return redis.error_reply('ERR lease must be decimal seconds from 0.001 to 1000000000000, such as 30 or 0.1, '
            .. 'or empty to leave the time as it is')
    end
end
