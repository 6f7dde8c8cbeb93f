-- SPDX-License-Identifier: GPL-3.0-or-later
-- Goes on only where the hash has the owners seen and no other, with the counts seen; else answers what has changed.
if redis.call('EXISTS', key) == 0 then
    return answer('already-gone', -1)
end
if redis.call('HLEN', key) ~= (last - first + 1) / 2 then -- asked first, so that a huge hash is never read
    return answer('owner-changed', -1)
end
--#include shared/seen-holds.lua
if missing then
    return answer('owner-changed', -1)
end
if changed then
    return answer('holds-changed', holds)
end
