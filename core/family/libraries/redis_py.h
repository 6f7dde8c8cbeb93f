// SPDX-License-Identifier: GPL-3.0-or-later
// redis-py's lock, and the libraries that are built upon it.
#pragma once

#include "core/family/spec.h"

namespace lockscope {

/// A UUID of version 1, as redis-py draws its tokens: other programs draw them for requests and traces too. The owner is
/// the time at which it began to try; who holds for a month has found another way to fail.
bool isRedisPyToken(QByteArrayView hex, qint64 nowMs);

/// Those that build upon it tell themselves by their keys.
enum class RedisPyUser : quint8 { Plain, Redbeat, CeleryOnce, DjangoCache };
RedisPyUser redisPyUserOf(QByteArrayView key);

/// A string that this user of redis-py may have written.
std::optional<StringMatch> matchRedisPy(const StringValue &string, RedisPyUser user);

} // namespace lockscope
