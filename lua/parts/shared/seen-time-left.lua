-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines timeLeft(): what is left of the lock, and why where that is less than the key has: with Redis 7.4 the fields of its
-- owners, ARGV[first], ARGV[first + 2] .. ARGV[last], may end before, and the last of them ends it. Nothing is sent to a server
-- that has no such command, nor for a user without the permission.
local function timeLeft()
    local ask = {'HPTTL', key, 'FIELDS', string.format('%.0f', (last - first + 1) / 2)}
    for i = first, last, 2 do
        ask[#ask + 1] = ARGV[i]
    end
    local left, latest = redis.call('PTTL', key), 0
    local isThere, may = pcall(redis.acl_check_cmd, unpack(ask))
    for _, field in ipairs(isThere and may and redis.call(unpack(ask)) or {-1}) do
        latest = field >= 0 and latest >= 0 and math.max(latest, field) or -1
    end
    if latest >= 0 and (left == -1 or latest < left) then
        return latest, "its owners' fields have an earlier end of their own, which was left as it is"
    end
    return left
end
