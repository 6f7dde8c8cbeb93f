#!lua flags=allow-oom
-- KEYS: the lock ("@simple-redis-mutex:lock-<name>")
-- ARGV: grace in seconds or '' for at once, token seen [, '']; '' stands where a count would
-- Returns: {outcome, holds, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

--#include shared/force-token-arguments.lua

-- With a grace nobody is told: waiters try again by themselves.
--#include shared/end-token.lua

--#include shared/simple-redis-mutex-wake.lua
return answer('expired', 1, message)
