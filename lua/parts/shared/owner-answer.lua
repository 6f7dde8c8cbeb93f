-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines answer(): what the script returns, with what timeLeft() says.
--#include shared/owner-time-left.lua
local function answer(outcome, holds, message)
    local left, sooner = timeLeft(holds)
    return {outcome, holds, left, message and sooner and message .. '; ' .. sooner or message or sooner or ''}
end
