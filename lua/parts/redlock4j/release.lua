#!lua flags=allow-oom
-- KEYS: the lock, the queue of a fair one ("<lock>:queue")
-- ARGV: token
-- Returns: {outcome, holds left, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, queue, token = KEYS[1], KEYS[2], ARGV[1]
if #KEYS ~= 2 or key == '' or queue ~= key .. ':queue' or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: the lock and its :queue; token')
end
--#include shared/token-given.lua

--#include shared/answer.lua

local absent, other = 'not-held', 'held-by-other'
--#include shared/same-token.lua

--#include shared/redlock4j-queue.lua
-- The lock goes last: a refusal before it leaves it as it is.
redis.call('DEL', key)
return answer('released', 0)
