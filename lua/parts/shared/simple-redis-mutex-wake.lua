-- SPDX-License-Identifier: GPL-3.0-or-later
-- Tells the clients of simple-redis-mutex that the lock is free. They parse what they hear as JSON, and a program that hears
-- anything else ends: so nothing is sent where a name has to be escaped, which the library itself doesn't. Refused or not, the lock
-- has ended: hence pcall. Defines message: what was refused.
local message
if (key .. token):find('[%c"\\]') then
    message = 'waiters not woken: the name or the token has characters that the library cannot tell'
else
    local text = '{ "key": "' .. key .. '", "value": "' .. token .. '" }'
    local told = redis.pcall('PUBLISH', '@simple-redis-mutex:locks-releases', text)
    message = type(told) == 'table' and 'waiters not woken: ' .. told.err or nil
end
