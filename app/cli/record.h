// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/sessioncommand.h"
#include "core/recording/recorder.h"

#include <memory>

namespace lockscope {

/// Records what a monitor tells to a file, until a signal, or the end of --duration. A full disk is waited for; the recording says
/// so.
class RecordCommand : public SessionCommand
{
public:
    explicit RecordCommand(Options options);

    void start() override;

private:
    void take(const WatchEvent &) override {} // the recorder does
    void interrupted() override { end(); }
    void end();

    std::unique_ptr<Recorder> m_recorder; // goes before the session, which it listens to
    bool m_cannotWrite = false;
};

} // namespace lockscope
