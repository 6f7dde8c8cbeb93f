#!lua
-- KEYS: the lock
-- ARGV: owner, lease in seconds [, 'named']
-- Returns: 1 acquired or re-entered, 0 held by another; named: {outcome, holds, pttl[, message]}
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, owner, lease, named = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
if #KEYS ~= 1 or key == '' or #ARGV < 2 or #ARGV > 3 or (named and named ~= 'named') then
    return redis.error_reply('ERR usage: one key that is not empty; owner, lease in seconds [, named]')
end
--#include shared/new-owner-given.lua

--#include shared/lease.lua

local fewest = 2 -- a new field has no end of its own
--#include shared/owner-answer-named.lua

local wanted = 'hash'
--#include shared/type-named.lua

if kind == 'hash' then
    local count = redis.call('HGET', key, owner)
    if not count then
        return answer(0, 'held-by-other', -1)
    end
    local most = 999999999999998
    --#include shared/count-named.lua
end

--#include shared/hold.lua
return answer(1, holds == 1 and 'acquired' or 'reentered', holds)
