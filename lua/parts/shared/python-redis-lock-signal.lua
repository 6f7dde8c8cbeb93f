-- SPDX-License-Identifier: GPL-3.0-or-later
-- Ends the lock. One element for the first that blocks, which passes it on when it is done; without one it goes by itself.
-- The lock goes last: a refusal before it leaves it as it is.
redis.call('DEL', signal)
redis.call('LPUSH', signal, '1')
redis.call('PEXPIRE', signal, '1000')
redis.call('DEL', key)
