// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/monitor/session.h"

#include <optional>

namespace lockscope {

/// A verb that goes on watching all locks, without acting. A server that is not reached, at first or later, is waited for; one
/// that refuses is the end. The monitor has a thread of its own, as under the window.
class SessionCommand : public Command
{
protected:
    explicit SessionCommand(Options options);

    void open();
    Session &session() { return m_session; }
    bool isReady() const { return m_status.state == Link::State::Ready; }
    const ConnectionStatus &status() const { return m_status; }
    /// It became ready, or is no longer: before the trouble is told.
    virtual void readinessChanged() {}
    /// Says on standard error what stands in the way, once for each kind in a row.
    virtual void errorOccurred(const Error &why);
    /// What stood in the way does not any more: it is told when it comes again.
    void forgetTrouble() { m_toldTrouble.reset(); }

private:
    void run() final {} // the session has the connections
    void interrupted() override { finish(ExitStatus::Done); }
    void statusChanged(const ConnectionStatus &status);

    Session m_session;
    ConnectionStatus m_status;
    std::optional<ErrorKind> m_toldTrouble;
};

} // namespace lockscope
