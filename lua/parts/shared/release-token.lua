-- SPDX-License-Identifier: GPL-3.0-or-later
-- Gives back the lock that holds the token given, or answers why not, and the script ends here. Defines key, token and answer().
local key, token = KEYS[1], ARGV[1]
if #KEYS ~= 1 or key == '' or #ARGV ~= 1 then
    return redis.error_reply('ERR usage: one key that is not empty; token')
end
--#include shared/token-given.lua

--#include shared/answer.lua

local absent, other = 'not-held', 'held-by-other'
--#include shared/same-token.lua
redis.call('DEL', key)
