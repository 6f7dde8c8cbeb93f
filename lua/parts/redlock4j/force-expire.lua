#!lua flags=allow-oom
-- KEYS: the lock, the queue of a fair one ("<lock>:queue")
-- ARGV: grace in seconds or '' for at once, token seen [, '']; '' stands where a count would
-- Returns: {outcome, holds, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, queue, grace, token = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
if #KEYS ~= 2 or key == '' or queue ~= key .. ':queue' or #ARGV < 2 or #ARGV > 3 or (ARGV[3] and ARGV[3] ~= '') then
    return redis.error_reply('ERR usage: the lock and its :queue; grace in seconds or an empty text, '
        .. 'the token that was seen [, an empty text]')
end

--#include shared/end-token.lua
--#include shared/redlock4j-queue.lua
return answer('expired', 1)
