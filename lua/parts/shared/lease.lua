-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines ms: the milliseconds of lease, as text.
local text, ms = lease, nil
--#include shared/milliseconds.lua
if not ms then
    return redis.error_reply('ERR lease must be decimal seconds from 0.001 to 1000000000000, such as 30 or 0.1')
end
ms = string.format('%.0f', ms)
