// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/session.h"

#include <functional>
#include <optional>

namespace lockscope {

/// Runs this thread's event loop until it is so; false: it was not in time. Only where no event loop runs yet.
bool waitUntil(const std::function<bool()> &isSo, milliseconds limit);
/// Runs it for so long.
void runFor(milliseconds duration);

/// The monitor as the window has it: a session on a thread of its own, its diffs taken on this one.
class Watcher
{
public:
    using Taker = std::function<void(const LockDiff &)>;

    /// Watches from here on. `take` gets each diff.
    Watcher(const ServerAddress &server, const MonitorOptions &options, Taker take = {});

    /// What a scan at full speed cost, from the request until its end is known here. nullopt: it had no end.
    struct Scan
    {
        ScanStats stats;
        Clock::duration wall;
    };
    std::optional<Scan> scan();

private:
    Session m_session;
    std::optional<ScanStats> m_swept;
};

} // namespace lockscope
