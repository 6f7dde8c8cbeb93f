// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QByteArray>

#include <atomic>
#include <chrono>
#include <thread>

namespace lockscope {

/// Makes changes of every kind to the locks of a server, on a thread of its own: acquires, re-enters, releases, renews, lets
/// expire, renames in and out of the default patterns, puts other types under a lock's name, moves, copies, deletes many,
/// by single commands, transactions and scripts. Draws everything from the seed.
class LockWriter
{
public:
    struct Options
    {
        ServerAddress server; ///< databases 0 and 1 of it
        quint32 seed = 1;
        int locks = 1000;                      ///< different names
        int perSecond = 5000;                  ///< commands, at most
        bool fills = false;                    ///< begins with a lock under each name
        std::chrono::milliseconds upheaval{0}; ///< FLUSHDB or SWAPDB so often; 0: never
    };

    /// Starts to write.
    explicit LockWriter(Options options);
    /// Stops it.
    ~LockWriter();
    LockWriter(const LockWriter &) = delete;
    LockWriter &operator=(const LockWriter &) = delete;

    /// Ends the writing: when it returns, the server has carried out everything.
    void stop();
    /// Names that have been filled.
    bool hasFilled() const { return m_filled; }
    /// Commands that the server accepted and that were no mere questions, so far.
    qint64 changes() const { return m_changes; }
    /// FLUSHDB and SWAPDB, so far.
    int upheavals() const { return m_upheavals; }
    /// Why it ended early; empty: it did not. To be asked after stop().
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
