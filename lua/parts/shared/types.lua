-- SPDX-License-Identifier: GPL-3.0-or-later
-- Answers wrong-type unless each key is absent or of the type that `types` has for it. The name of a companion is what of its
-- key matches `called`, or `called` itself.
for i, wanted in ipairs(types) do
    local kind = KEYS[i] and redis.call('TYPE', KEYS[i]).ok or 'none'
    if kind ~= 'none' and kind ~= wanted then
        local name = i == 1 and 'the key' or KEYS[i]:match(called) or called
        return answer('wrong-type', -1, name .. ' holds a ' .. kind .. ', not a ' .. wanted)
    end
end
