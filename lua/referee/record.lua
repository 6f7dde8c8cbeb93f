#!lua
-- KEYS: the log (a list), the counts (a hash)
-- ARGV: 'in', 'out' or 'note', the lock's number, what else is to be recorded
-- Returns: how many were inside before
-- SPDX-License-Identifier: GPL-3.0-or-later

if #KEYS ~= 2 or #ARGV ~= 3 then
    return redis.error_reply('ERR usage: log, counts; in, out or note, the number of the lock, the rest')
end
local step = ({['in'] = 1, out = -1, note = 0})[ARGV[1]]
if not step then
    return redis.error_reply('ERR say in, out or note')
end

local before = redis.call('HINCRBY', KEYS[2], ARGV[2], step) - step
local now = redis.call('TIME')
redis.call('RPUSH', KEYS[1], now[1] .. ' ' .. now[2] .. ' ' .. before .. ' ' .. ARGV[3])
return before
