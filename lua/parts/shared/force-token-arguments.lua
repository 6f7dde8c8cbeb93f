-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines key, grace and token: what a script that ends a token by force is given.
local key, grace, token = KEYS[1], ARGV[1], ARGV[2]
if #KEYS ~= 1 or key == '' or #ARGV < 2 or #ARGV > 3 or (ARGV[3] and ARGV[3] ~= '') then
    return redis.error_reply('ERR usage: one key that is not empty; grace in seconds or an empty text, '
        .. 'the token that was seen [, an empty text]')
end
