-- SPDX-License-Identifier: GPL-3.0-or-later
-- Releases one level of several. The rest is renewed first, for ms if that is set: a user may be refused that.
if ms then
    redis.call('PEXPIRE', key, string.format('%.0f', ms))
end
return answer('unwound', redis.call('HINCRBY', key, owner, -1))
