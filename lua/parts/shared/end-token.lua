-- SPDX-License-Identifier: GPL-3.0-or-later
-- Ends the lock that holds token, at once; or lets it end in the time that grace says, and the script ends here. Defines ms and
-- answer().
--#include shared/grace.lua

--#include shared/answer.lua

local absent, other = 'already-gone', 'owner-changed'
--#include shared/same-token.lua

if ms then
    --#include shared/shorten.lua
    return answer('expired', 1)
end
redis.call('DEL', key)
