-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines key and queue; braced: the lock's name in those of its companions; fits: whether these are the keys, the lock alone or
-- with its queue and the companion whose name begins with `third`.
local key, queue = KEYS[1], KEYS[2]
local braced = key and (key:find('{', 1, true) and key or '{' .. key .. '}')
local fits = (#KEYS == 1 or #KEYS == 3) and key ~= ''
    and (not queue or queue == 'redisson_lock_queue:' .. braced and KEYS[3] == third .. braced)
