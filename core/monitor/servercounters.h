// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QByteArray>
#include <QByteArrayView>

#include <span>

namespace lockscope {

/// What a server has counted since its start of that by which keys go, and whether it may take keys to save memory.
struct ServerCounters
{
    /// Which keys the server may take when its memory is full.
    enum class Evicts : quint8 { Nothing, KeysWithTtl, AnyKey };

    TimePoint at{};       ///< when the answer came; it is of no later moment
    qint64 expired = 0;   ///< keys
    qint64 evicted = 0;   ///< keys
    qint64 flushes = 0;   ///< FLUSHALL, FLUSHDB
    qint64 swaps = 0;     ///< SWAPDB
    qint64 renames = 0;   ///< commands that give a key another name, database or server
    qint64 deletions = 0; ///< commands that may delete a key before its time, scripts among them
    Evicts evicts = Evicts::Nothing;
    QByteArray policy{}; ///< maxmemory-policy; empty: not told

    /// Some count is less than before: the server was restarted, or CONFIG RESETSTAT was sent.
    bool isBehind(const ServerCounters &before) const
    {
        return expired < before.expired || evicted < before.evicted || flushes < before.flushes ||
               renames < before.renames || deletions < before.deletions;
    }

    /// The command that asks for them. `major`: of Redis; 7 and later take several sections at once.
    static std::span<const QByteArrayView> question(int major);
    /// From the answer, at this moment.
    static ServerCounters from(const QByteArray &info, TimePoint at);
};

} // namespace lockscope
