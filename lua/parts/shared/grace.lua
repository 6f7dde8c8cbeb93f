-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines ms: the milliseconds of grace; nil for an empty text.
local ms
if grace ~= '' then
    local text = grace
    --#include shared/milliseconds.lua
    if not ms then
        return redis.error_reply('ERR grace must be decimal seconds from 0.001 to 1000000000000, such as 5 or 0.1, '
            .. 'or empty to end the lock at once')
    end
end
