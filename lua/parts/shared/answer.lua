-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines answer(): what the script returns. The time left is asked for where it isn't given.
--#include shared/key-time-left.lua
local function answer(outcome, holds, message, left)
    return {outcome, holds, left or keyTimeLeft(), message or ''}
end
