#!lua flags=allow-oom
-- Generated from lua/parts/sidekiq-unique-jobs/force-expire.lua: edit that.
-- KEYS: "<digest>:LOCKED", the digest, its :QUEUED, :PRIMED, :INFO, two indexes [, the first five of <digest>:RUN]
-- ARGV: '' for the grace that there is not, 'all' or 'only', then a pair for each: job, '' where a count would stand
-- Returns: {outcome, holds, pttl, message}; 'only' ends some jobs' holds and leaves the lock to the others
-- SPDX-License-Identifier: GPL-3.0-or-later

local key, digest, queued, primed, info, index, expiring = unpack(KEYS)
local scope = ARGV[2]
local fits = (#KEYS == 7 or #KEYS == 12) and digest ~= '' and #ARGV >= 4 and #ARGV % 2 == 0 and ARGV[1] == ''
    and (scope == 'all' or scope == 'only')
local space = fits and digest:match('^(.-)uniquejobs:') or '' -- an application may have one for all of its keys
fits = fits and index == space .. 'uniquejobs:digests' and expiring == space .. 'uniquejobs:expiring_digests'
for i, suffix in ipairs({':LOCKED', '', ':QUEUED', ':PRIMED', ':INFO'}) do
    fits = fits and KEYS[i] == digest .. suffix and (not KEYS[i + 7] or KEYS[i + 7] == digest .. ':RUN' .. suffix)
end
if not fits then
    return redis.error_reply('ERR usage: <digest>:LOCKED, <digest>, its :QUEUED, :PRIMED and :INFO, '
        .. 'uniquejobs:digests, uniquejobs:expiring_digests [, the first five of <digest>:RUN]; '
        .. 'an empty text, all or only, then job, an empty text for every job')
end

-- A job given twice would stand for one that was not seen.
local given, jobs = {}, {}
for i = 3, #ARGV, 2 do
    if given[ARGV[i]] then
        return redis.error_reply('ERR a job is given twice: give every job that was seen once')
    end
    given[ARGV[i]] = true
    jobs[#jobs + 1] = ARGV[i]
end

-- Defines answer(): what the script returns. The time left is asked for where it isn't given.
-- Defines keyTimeLeft(): PTTL of the lock. While a cluster moves the slot, a key that is not there any more can't be asked for:
-- whether it is on the other node, too, is not known here, but this script has just deleted it.
local function keyTimeLeft()
    local left = redis.pcall('PTTL', key)
    if type(left) == 'table' and string.find(left.err, 'non local key', 1, true) then
        return -2
    end
    return type(left) == 'table' and redis.call('PTTL', key) or left
end
local function answer(outcome, holds, message, left)
    return {outcome, holds, left or keyTimeLeft(), message or ''}
end

for i, wanted in pairs({[1] = 'hash', [3] = 'list', [4] = 'list', [6] = 'zset', [7] = 'zset'}) do
    local kind = redis.call('TYPE', KEYS[i]).ok
    if kind ~= 'none' and kind ~= wanted then
        return answer('wrong-type', -1, (i == 1 and 'the key' or KEYS[i]:match('[^:]*$')) .. ' holds a ' .. kind
            .. ', not a ' .. wanted)
    end
end
if redis.call('EXISTS', key) == 0 then
    return answer('already-gone', -1)
end
local others = redis.call('HLEN', key) - #jobs -- asked first, so that a huge hash is never read
if others < 0 or (scope == 'all' and others > 0) then
    return answer('owner-changed', -1)
end
local described = false -- from version 9 on a job comes with what is known of it, and the lists are gone
for _, job in ipairs(jobs) do
    local stored = redis.call('HGET', key, job)
    if not stored then
        return answer('owner-changed', -1)
    end
    described = described or stored:sub(1, 1) == '{'
end

local message
local waiting = not described and redis.call('LLEN', queued) + redis.call('LLEN', primed) > 0
for _, job in ipairs(jobs) do
    redis.call('HDEL', key, job)
end
if others == 0 and not waiting then
    redis.call('UNLINK', digest, queued, primed, info)
    redis.call('ZREM', index, digest)
    redis.call('ZREM', expiring, digest)
    if KEYS[8] and not described then
        if redis.call('EXISTS', KEYS[8]) == 1 then
            message = 'its lock for the time of running stays: jobs that were not seen hold it'
        elseif redis.call('LLEN', KEYS[10]) + redis.call('LLEN', KEYS[11]) > 0 then
            message = 'its lock for the time of running stays: jobs wait for it'
        else
            redis.call('UNLINK', KEYS[9], KEYS[10], KEYS[11], KEYS[12])
        end
    end
end
if not described then
    -- As the library's unlock leaves it: whoever blocks on the list takes the element and tries again.
    local woken = redis.pcall('LPUSH', queued, '1') -- refused or not, the lock has ended
    if type(woken) == 'table' then
        message = 'waiters not woken: ' .. woken.err
    else
        redis.call('PEXPIRE', queued, '5000')
    end
end
return answer('expired', #jobs, message)
