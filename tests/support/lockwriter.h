// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QByteArray>

#include <atomic>
#include <chrono>
#include <thread>

namespace lockscope {

/// Changes the locks of a server on its own thread in every way: acquires, re-enters, releases, renews,
/// expires, renames, changes types, moves, copies and deletes, by commands, transactions and scripts. Random
/// by seed.
class LockWriter
{
public:
    struct Options
    {
        ServerAddress server; ///< uses databases 0 and 1
        quint32 seed = 1;
        int locks = 1000;                      ///< number of keys
        int perSecond = 5000;                  ///< maximum of commands
        bool fills = false;                    ///< begins with one lock per key
        std::chrono::milliseconds upheaval{0}; ///< interval of FLUSHDB or SWAPDB; 0: never
    };

    explicit LockWriter(Options options);
    ~LockWriter();
    LockWriter(const LockWriter &) = delete;
    LockWriter &operator=(const LockWriter &) = delete;

    /// Stops writing; returns after the server has processed everything.
    void stop();
    /// True once there was a lock under each key.
    bool hasFilled() const { return m_filled; }
    /// Number of accepted commands that write.
    qint64 changes() const { return m_changes; }
    /// Number of FLUSHDB and SWAPDB so far.
    int upheavals() const { return m_upheavals; }
    /// Why it stopped early; may be empty. Call after stop().
    const QByteArray &failure() const { return m_failure; }

private:
    void write(const std::stop_token &stop);

    const Options m_options;
    std::atomic<bool> m_filled = false;
    std::atomic<qint64> m_changes = 0;
    std::atomic<int> m_upheavals = 0;
    QByteArray m_failure;
    std::jthread m_thread;
};

} // namespace lockscope
