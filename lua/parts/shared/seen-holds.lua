-- SPDX-License-Identifier: GPL-3.0-or-later
-- Compares the owners seen, each with its count, ARGV[first], ARGV[first + 1] .. ARGV[last], with those of the hash. Defines
-- missing: whether one is gone; changed: whether a count is another ('' fits any); holds: all counts, -1 if one is no count.
local holds, changed, missing = 0, false, false
for i = first, last, 2 do
    local count = redis.call('HGET', key, ARGV[i])
    if not count then
        missing = true
        break
    end
    changed = changed or (ARGV[i + 1] ~= '' and ARGV[i + 1] ~= count)
    local number = count:match('^[1-9]%d*$') and #count <= 15 and tonumber(count)
    holds = holds and number and holds + number
end
holds = holds or -1
