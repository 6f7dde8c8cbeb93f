// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/blockingconnection.h"

#include <QProcess>
#include <QTemporaryDir>

#include <optional>

namespace lockscope {

/// The real program in a process of its own, watching a server. Its end is ours.
class WindowProcess
{
public:
    /// `platform` as Qt names it: "offscreen", "xcb". Its settings are those in `directory`, else none yet. `arguments`: more
    /// than the server.
    WindowProcess(const ServerAddress &server, const QString &platform, const QString &directory = {},
                  const QStringList &arguments = {});
    ~WindowProcess();

    /// Waits until it has read `locks` locks, and a moment longer; false: it did not within a minute, or has ended.
    bool waitUntilRead(BlockingConnection &server, qint64 locks);

    std::optional<double> residentMegabytes() const;

    /// The shares of a core that its threads took in a time.
    struct Load
    {
        double window = 0;  ///< the thread that paints
        double monitor = 0; ///< the thread that reads
        double all = 0;
    };
    std::optional<Load> load(std::chrono::seconds during) const;

private:
    QTemporaryDir m_directory;
    QProcess m_process;
};

} // namespace lockscope
