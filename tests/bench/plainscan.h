// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/plainclient.h"

#include <QString>

namespace lockscope {

/// What anybody would have to do who looks for locks without a monitor. Each returns false where the server refused.

/// SCAN to the end, and nothing else: the least that a scan can cost.
bool scanOnly(PlainClient &client, const QByteArray &match, qint64 count);

/// SCAN to the end and read, pipelined, what each page found: the remaining time and the owner, by commands that know
/// from the name what is what.
bool scanAndRead(PlainClient &client, const QByteArray &match, qint64 count);

/// redis-cli --scan.
bool scanByRedisCli(const QString &socketPath, const QByteArray &match);

} // namespace lockscope
