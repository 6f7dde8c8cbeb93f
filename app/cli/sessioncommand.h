// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/monitor/session.h"

#include <optional>

namespace lockscope {

/// Base of verbs that watch all locks. They do not act, but for Kind::Screen.
class SessionCommand : public Command
{
public:
    void start() override { open(); }

protected:
    enum class Kind : quint8 {
        Once,    ///< one scan; an unreachable server is an error
        Stream,  ///< prints everything at the reader's pace; reconnects once connected
        Service, ///< monitors on its own thread; always waits for the server
        Screen,  ///< shows everything to a user, who may act; reconnects once connected
    };
    SessionCommand(Options options, Kind kind);

    void open();
    Session &session() { return m_session; }
    const MonitorState &watched() const { return m_session.watched(); }
    const MonitorOptions &monitorOptions() const { return m_session.options().monitor; }
    bool isReady() const { return watched().isReady(); }

    virtual void take(const MonitorReport &event) = 0;
    /// Called when a connected server is lost. Without reconnection ends the verb, otherwise reports it.
    virtual void connectionLost(const Error &why);
    /// Reports an error on standard error, once per kind in a row.
    virtual void errorOccurred(const Error &why);
    /// Reports on standard error what could not be read.
    virtual void warn(const QString &text) { console::printError(text); }
    void forgetTrouble() { m_toldTrouble.reset(); }
    void interrupted() override;

    /// Not for Kind::Service.
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

MonitorOptions monitorOptions(const Options &options);

} // namespace lockscope
