-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines key, queue, waiters and fence, and fits: whether these are the keys.
local key, queue, waiters, fence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local fits = #KEYS == 4 and key ~= '' and queue == key .. ':handoff:queue' and waiters == key .. ':handoff:waiters'
    and fence == key .. ':handoff:fence'
