-- SPDX-License-Identifier: GPL-3.0-or-later
-- Refuses an empty token for a new lock.
if token == '' then
    return redis.error_reply('ERR token must not be empty: give a value that only its holder knows')
end
