-- SPDX-License-Identifier: GPL-3.0-or-later
-- While a fair lock is held its holder is the first in the queue, under another token: left there, it would keep all others
-- waiting. Another's sorted set is not touched.
local own = #token == 40 and not token:find('%X') -- another's token has no place there
local first = own and redis.call('TYPE', queue).ok == 'zset' and redis.call('ZRANGE', queue, 0, 0)[1]
if first and #first == 40 and not first:find('%X') then
    redis.call('ZREM', queue, first)
end
