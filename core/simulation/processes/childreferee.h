// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/processes/messages.h"
#include "core/simulation/referee/referee.h"

#include <mutex>

namespace lockscope {

/// A child process's way to its parent: standard output. Thread-safe.
class ParentPipe
{
public:
    ParentPipe();
    /// Returns when the pipe has the whole message: it arrives even if this process is killed then. Ends the process
    /// where the parent has gone.
    void send(const MessageToParent &message);

private:
    std::mutex m_mutex;
};

/// The referee as the workers of a child process see it: their events are sent to the parent, in the order of their
/// times on the clock that is one for all processes.
class ChildReferee : public Referee
{
public:
    ChildReferee(ParentPipe &parent, TimePoint start) : Referee(start), m_parent(parent) {}

    void take(RefereeEvent event) override;
    void mark(); ///< thread-safe

private:
    ParentPipe &m_parent;
    std::mutex m_mutex; ///< from the look at the clock to the pipe
};

} // namespace lockscope
