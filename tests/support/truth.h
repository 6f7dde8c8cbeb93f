// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/redis/serveraddress.h"

#include <QHash>

namespace lockscope {

/// Where what a monitor holds differs from what the server has, a line a difference; empty where they agree. The server
/// is read now, by another client library (python3-redis), and what that says is judged anew here: types, owners, counts and
/// deadlines, these with a tolerance of 50 ms beyond both readings' intervals. Nothing may have been written since `held`
/// was read, but locks may end meanwhile. `server` is a Unix socket; blocks.
QByteArrayList differencesFromTruth(const ServerAddress &server, const QList<QByteArray> &patterns,
                                    const QHash<QByteArray, Lock> &held);

} // namespace lockscope
