-- SPDX-License-Identifier: GPL-3.0-or-later
-- Tells clients of node-redisson that the lock is free: those that listen to its channel, and where there is a stream of the name
-- that was given, those that read it. Refused or not, the lock has ended: hence pcall. Defines message: what was refused.
local channel = 'redisson_lock__channel:' .. (key:sub(1, 1) == '{' and key or '{' .. key .. '}')
local told = redis.pcall('PUBLISH', channel, '0')
if stream and type(told) == 'number' and redis.call('EXISTS', stream) == 1 then
    told = redis.pcall('XADD', stream, 'MAXLEN', '~', '100', '*', channel, '0')
end
local message = type(told) == 'table' and told.err and 'waiters not woken: ' .. told.err or nil
