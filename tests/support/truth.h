// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/redis/serveraddress.h"

#include <QHash>

namespace lockscope {

/// Returns the differences between a monitor's locks and the server, one per line. Reads the server now by
/// another client library (python3-redis) and evaluates types, owners, hold counts and deadlines again, these
/// with 50 ms tolerance beyond both readings. Nothing may be written since `held` was read, but locks may
/// expire. `server`: a Unix socket; blocks.
QByteArrayList differencesFromTruth(const ServerAddress &server, const QList<QByteArray> &patterns,
                                    const QHash<QByteArray, Lock> &held);

} // namespace lockscope
