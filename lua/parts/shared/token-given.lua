-- SPDX-License-Identifier: GPL-3.0-or-later
-- Refuses an empty token.
if token == '' then
    return redis.error_reply('ERR token must not be empty: give the value that the lock was acquired with')
end
