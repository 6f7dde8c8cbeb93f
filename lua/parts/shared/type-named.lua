-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines kind: the type of the key. Answers wrong-type unless it is `wanted`, or none.
local kind = redis.call('TYPE', key).ok
if kind ~= 'none' and kind ~= wanted then
    local message = 'the key holds a ' .. kind .. ', not a ' .. wanted
    return answer(redis.error_reply('WRONGTYPE ' .. message), 'wrong-type', -1, message)
end
