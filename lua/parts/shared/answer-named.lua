-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines answer(): what the script returns, published or in names. The time left is asked for where it isn't given.
--#include shared/key-time-left.lua
local function answer(published, outcome, holds, message, left)
    return named and {outcome, holds, left or keyTimeLeft(), message} or published
end
