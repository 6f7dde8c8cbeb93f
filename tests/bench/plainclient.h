// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/contest.h"

namespace lockscope {

/// Acquire and release as a plain hiredis program does them: blocking calls, EVALSHA, hiredis' own reply tree.
/// Null where it can't connect.
Pair hiredisPair(quint16 port, const QByteArray &acquireSha1, const QByteArray &releaseSha1,
                 const QByteArray &key, const QByteArray &owner, const QByteArray &leaseSeconds);

} // namespace lockscope
