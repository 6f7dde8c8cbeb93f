#!lua flags=allow-oom
-- KEYS: the lock [, the stream that its clients may read]
-- ARGV: grace in seconds or '' for at once, owner, count ('': any) for every owner seen
-- Returns: {outcome, holds, pttl, message}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, stream, grace = KEYS[1], KEYS[2], ARGV[1]
local first, last = 2, #ARGV
if #KEYS < 1 or #KEYS > 2 or key == '' or last < 3 or last % 2 == 0 then
    return redis.error_reply('ERR usage: the lock [, a stream]; grace in seconds or an empty text, '
        .. 'then owner, count for every owner that was seen')
end

--#include shared/grace.lua

--#include shared/seen-once.lua

--#include shared/answer.lua

local types, called = {'hash'}, ''
--#include shared/types.lua
--#include shared/only-seen.lua

if ms then
    --#include shared/shorten.lua
else
    redis.call('DEL', key)
end
-- Told of a shorter time too, since the server sends nothing when the key goes.
--#include shared/node-redisson-wake.lua
return answer('expired', holds, message)
