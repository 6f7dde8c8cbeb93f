-- SPDX-License-Identifier: GPL-3.0-or-later
-- Answers unless the key holds a hash.
local kind = redis.call('TYPE', key).ok
if kind == 'none' then
    return answer('already-gone', -1)
end
if kind ~= 'hash' then
    return answer('wrong-type', -1, 'the key holds a ' .. kind .. ', not a hash')
end
