-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defines now: the server's time in milliseconds; time: the same as the server tells it.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
