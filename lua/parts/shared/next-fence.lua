-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines number: the next fencing token. It grows over restarts and FLUSHALL too, by `time`.
local last = tonumber((redis.call('GET', fence) or ''):match('^%d+$') or 0)
local number = math.max(last < 9e15 and last + 1 or 0, time[1] * 1000000 + time[2])
