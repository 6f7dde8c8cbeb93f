-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines answer(): what the script returns, published or in names, with what timeLeft() says.
--#include shared/owner-time-left.lua
local function answer(published, outcome, holds, message)
    if not named then
        return published
    end
    local left, sooner = timeLeft(holds)
    return {outcome, holds, left, message or sooner}
end
