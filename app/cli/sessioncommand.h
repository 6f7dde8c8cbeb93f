// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/monitor/session.h"

#include <optional>

namespace lockscope {

/// A verb that watches all locks, once or until it is ended, without acting.
class SessionCommand : public Command
{
public:
    void start() override { open(); }

protected:
    /// How it watches.
    enum class Kind : quint8 {
        Once, ///< one scan; a server that is not reached is the end
        Stream, ///< all is printed, so that its reader sets the pace; once it was reached, a lost server is waited for
        Service ///< on a thread of its own, as under the window; a server that is not reached is waited for, at first or later
    };
    SessionCommand(Options options, Kind kind);

    void open();
    Session &session() { return m_session; }
    const Watched &watched() const { return m_session.watched(); }
    const MonitorOptions &monitorOptions() const { return m_session.options().monitor; }
    bool isReady() const { return watched().isReady(); }

    /// What the session has told.
    virtual void take(const WatchEvent &event) = 0;
    /// A server that was reached is not any more. Where no further try is made, that is the end; unless said otherwise, else it is told.
    virtual void connectionLost(const Error &why);
    /// Says on standard error what stands in the way, once for each kind in a row.
    virtual void errorOccurred(const Error &why);
    /// What stood in the way does not any more: it is told when it comes again.
    void forgetTrouble() { m_toldTrouble.reset(); }
    void interrupted() override;

    /// Not of a Service.
    Deployment &deployment() const final { return m_session.deployment(); }

private:
    void takeStatus(const ConnectionStatus &status);
    void takeGaps(const ScanStats &stats);

    const Kind m_kind;
    Session m_session;
    bool m_wasReady = false;
    std::optional<ErrorKind> m_toldTrouble;
    QStringList m_toldGaps;
};

/// What the monitor of a command line is to look for.
MonitorOptions monitorOptions(const Options &options);

} // namespace lockscope
