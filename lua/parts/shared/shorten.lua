-- SPDX-License-Identifier: GPL-3.0-or-later
-- Lets the lock end in ms milliseconds, unless it ends sooner. Defines left: what it had before.
local left = redis.call('PTTL', key)
if left == -1 or left > ms then
    redis.call('PEXPIRE', key, string.format('%.0f', ms))
end
