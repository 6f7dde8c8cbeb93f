#!lua flags=allow-oom
-- KEYS: the lock ("@simple-redis-mutex:lock-<name>")
-- ARGV: token
-- Returns: {outcome, holds left, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

--#include shared/release-token.lua

--#include shared/simple-redis-mutex-wake.lua
return answer('released', 0, message)
