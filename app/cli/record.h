// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/monitor/session.h"
#include "core/recording/recorder.h"

#include <memory>

namespace lockscope {

/// Records what a monitor tells to a file, until a signal, or the end of --duration. A server that is not reached, at first or
/// later, is waited for, and a full disk too; the recording says so.
class RecordCommand : public Command
{
public:
    explicit RecordCommand(Options options);

    void start() override;

private:
    void run() override {} // the session has the connections
    void interrupted() override { end(); }
    void statusChanged(const ConnectionStatus &status);
    void errorOccurred(const Error &why);
    void tellTrouble(const Error &why);
    void end();

    Session m_session;
    std::unique_ptr<Recorder> m_recorder; // after the session, which it listens to
    bool m_cannotWrite = false;
    std::optional<ErrorKind> m_toldTrouble;
};

} // namespace lockscope
