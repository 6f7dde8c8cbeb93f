#!lua flags=allow-oom
-- KEYS: the lock ("<registry>:<name>")
-- ARGV: grace in seconds or '' for at once, token seen [, '']; '' stands where a count would
-- Returns: {outcome, holds, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, grace, token = KEYS[1], ARGV[1], ARGV[2]
if #KEYS ~= 1 or key == '' or #ARGV < 2 or #ARGV > 3 or (ARGV[3] and ARGV[3] ~= '') then
    return redis.error_reply('ERR usage: one key that is not empty; grace in seconds or an empty text, '
        .. 'the token that was seen [, an empty text]')
end

-- With a grace nobody is told: waiters don't look at the time left.
--#include shared/end-token.lua

--#include shared/spring-integration-wake.lua
return answer('expired', 1, message)
