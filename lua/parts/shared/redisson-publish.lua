-- SPDX-License-Identifier: GPL-3.0-or-later
-- Publishes word on channel and, where `sharded` says so, on its shard: in a cluster of Redis 7 newer clients listen there. Sets
-- message to what was refused: what was to end has ended all the same, hence pcall.
for i = 1, sharded and 2 or 1 do
    local heard = redis.pcall(i == 1 and 'PUBLISH' or 'SPUBLISH', channel, word)
    message = message or (type(heard) == 'table' and 'waiters not woken: ' .. heard.err) or nil
end
