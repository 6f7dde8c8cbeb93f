-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines head: who is first in the queue. Heads whose time is up are dropped, as each of Redisson's own scripts does.
--#include shared/now.lua
local head = redis.call('LINDEX', queue, 0)
while head and tonumber(redis.call('ZSCORE', timeouts, head) or 0) <= now do
    redis.call('LPOP', queue)
    redis.call('ZREM', timeouts, head)
    head = redis.call('LINDEX', queue, 0)
end
