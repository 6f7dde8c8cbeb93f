-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines timeLeft(): what is left of the lock for owner, and why where that is less than the key has: with Redis 7.4 the owner's
-- field may end before. With fewer than `fewest` holds it has no end of its own. Nothing is sent to a server that has no such
-- command, nor for a user without the permission.
--#include shared/key-time-left.lua
local function timeLeft(holds)
    local left = keyTimeLeft()
    if holds < fewest then
        return left
    end
    local isThere, may = pcall(redis.acl_check_cmd, 'HPTTL', key, 'FIELDS', '1', owner)
    local field = isThere and may and redis.call('HPTTL', key, 'FIELDS', '1', owner)[1] or -1
    if field >= 0 and (left == -1 or field < left) then
        return field, "the owner's field has an earlier end of its own, which was left as it is"
    end
    return left
end
