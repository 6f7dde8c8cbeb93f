-- SPDX-License-Identifier: GPL-3.0-or-later
-- Refuses an empty owner, of one who acquires.
if owner == '' then
    return redis.error_reply('ERR owner must not be empty: name who is to hold the lock')
end
