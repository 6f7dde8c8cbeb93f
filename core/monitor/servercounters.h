// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QByteArray>
#include <QByteArrayView>

#include <span>

namespace lockscope {

/// Server counters, since its start, of causes that remove keys, and its eviction policy.
struct ServerCounters
{
    /// Which keys the server may evict when its memory is full.
    enum class Evicts : quint8 { Nothing, KeysWithTtl, AnyKey };

    TimePoint at{};       ///< time of the reply; the counters are at most this recent
    qint64 expired = 0;   ///< keys
    qint64 evicted = 0;   ///< keys
    qint64 flushes = 0;   ///< FLUSHALL, FLUSHDB
    qint64 swaps = 0;     ///< SWAPDB
    qint64 renames = 0;   ///< commands that give a key another name, database or server
    qint64 deletions = 0; ///< commands that may delete a key, including scripts
    Evicts evicts = Evicts::Nothing;
    QByteArray policy{}; ///< maxmemory-policy; empty: unknown
    /// False: the server does not count commands as Redis does, and counts of commands are not known.
    bool countsCommands = false;

    /// True if a count has decreased: the server was restarted, or CONFIG RESETSTAT was sent.
    bool isBehind(const ServerCounters &before) const
    {
        return expired < before.expired || evicted < before.evicted || flushes < before.flushes ||
               renames < before.renames || deletions < before.deletions;
    }

    /// The command that requests them. `takesSections`: several, as isRedis7() does.
    static std::span<const QByteArrayView> question(bool takesSections);
    static ServerCounters from(const QByteArray &info, TimePoint at);
};

} // namespace lockscope
