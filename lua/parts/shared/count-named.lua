-- SPDX-License-Identifier: GPL-3.0-or-later
-- Refuses a stored count that is no whole number from 1 to `most`.
if not count:match('^[1-9]%d*$') or #count > 15 or count + 0 > most then
    return answer(redis.error_reply('ERR the stored count is not a whole number from 1 to ' .. string.format('%.0f', most)
        .. ': nothing was changed; look at the key, force-expire can end it'),
        'bad-count', -1, 'stored count: ' .. count:sub(1, 64))
end
