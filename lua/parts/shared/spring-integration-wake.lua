-- SPDX-License-Identifier: GPL-3.0-or-later
-- A registry listens for "<its own key>-channel:<the lock's>". Which part of the key is the registry's can't be seen,
-- so each that ends at a colon is tried: nobody listens to the others. Refused or not, the lock has ended: hence pcall.
-- Defines message: what was refused.
local message
local at = key:find(':', 2, true)
for _ = 1, 16 do
    if not at or message then
        break
    end
    local told = redis.pcall('PUBLISH', key:sub(1, at - 1) .. '-channel:' .. key, key)
    message = type(told) == 'table' and 'waiters not woken: ' .. told.err or nil
    at = key:find(':', at + 1, true)
end
