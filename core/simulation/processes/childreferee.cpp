// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/processes/childreferee.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace lockscope {

namespace {

/// Thousands of events: a parent that is slow for a moment holds up no worker.
constexpr int pipeSize = 1 << 20;

} // namespace

ParentPipe::ParentPipe()
{
#ifdef F_SETPIPE_SZ
    ::fcntl(STDOUT_FILENO, F_SETPIPE_SZ, pipeSize);
#endif
}

void ParentPipe::send(const MessageToParent &message)
{
    const QByteArray bytes = encode(message);
    const std::lock_guard guard(m_mutex);
    for (qsizetype sent = 0; sent < bytes.size();) {
        const ssize_t written = ::write(STDOUT_FILENO, bytes.constData() + sent, size_t(bytes.size() - sent));
        if (written < 0 && errno != EINTR)
            std::_Exit(EXIT_FAILURE);
        sent += std::max<ssize_t>(written, 0);
    }
}

void ChildReferee::take(RefereeEvent event)
{
    const std::lock_guard guard(m_mutex);
    event.at = onClock(Clock::now());
    m_parent.send(event);
}

void ChildReferee::mark()
{
    const std::lock_guard guard(m_mutex);
    m_parent.send(EventMark{onClock(Clock::now())});
}

} // namespace lockscope
