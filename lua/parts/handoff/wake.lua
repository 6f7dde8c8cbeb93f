#!lua flags=allow-oom
-- KEYS: the lock, then the same with :handoff:queue, :handoff:waiters, :handoff:fence
-- ARGV: none
-- Returns: {outcome, -1, pttl, message}: woken, held-by-other, not-waiting, not-heard or wrong-type
-- SPDX-License-Identifier: GPL-3.0-or-later

--#include shared/handoff-keys.lua
if not fits or #ARGV ~= 0 then
    return redis.error_reply('ERR usage: the lock, its :handoff:queue, :handoff:waiters and :handoff:fence')
end

--#include shared/now.lua
--#include shared/answer.lua

local types, called = {'hash', 'list', 'hash', 'string'}, ':handoff:%l+$'
--#include shared/types.lua

if redis.call('EXISTS', key) == 1 then
    return answer('held-by-other', -1)
end

local owner, try = nil, redis.pcall
--#include shared/handoff-pass-on.lua

local id, message = passOn()
if id then
    return answer(message and 'not-heard' or 'woken', -1, message or 'first in the queue: ' .. id)
end
return message and redis.error_reply('ERR ' .. message) or answer('not-waiting', -1)
