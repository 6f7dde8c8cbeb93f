#!lua flags=allow-oom
-- KEYS: the latch, a counter
-- ARGV: '' for the grace that there is not, the count seen [, ''] [, 'sharded']
-- Returns: {outcome, holds, pttl, message}; the latch is open then, whatever was left to count down
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, token = KEYS[1], ARGV[2] -- the count that was seen
local last = #ARGV
local sharded = last > 2 and ARGV[last] == 'sharded'
last = sharded and last - 1 or last
if #KEYS ~= 1 or key == '' or last < 2 or last > 3 or ARGV[1] ~= '' or (last == 3 and ARGV[3] ~= '') then
    return redis.error_reply('ERR usage: one key that is not empty; an empty text, '
        .. 'the count that was seen [, an empty text] [, sharded]')
end

--#include shared/answer.lua

local absent, other = 'already-gone', 'holds-changed'
--#include shared/same-token.lua

redis.call('DEL', key)
-- 0 says that it is open, to all who wait; 1, which the library sends when it deletes one, wakes nobody.
local channel, word, message = 'redisson_countdownlatch__channel__{' .. key .. '}', '0', nil
--#include shared/redisson-publish.lua
return answer('expired', -1, message)
