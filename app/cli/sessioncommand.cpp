// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sessioncommand.h"

#include "app/cli/sweep.h"
#include "core/words/messages.h"

#include <utility>

namespace lockscope {

SessionCommand::SessionCommand(Options options)
    : Command(std::move(options), true),
      m_session(this->options().server,
                {.monitor = monitorOptions(this->options()), .readOnly = true, .auditPath = {}})
{
    connect(&m_session, &Session::statusChanged, this, &SessionCommand::statusChanged);
    connect(&m_session, &Session::errorOccurred, this, [this](const Error &why) { errorOccurred(why); });
}

void SessionCommand::open()
{
    if (isFullSpeed(options()))
        m_session.scanNow();
    m_session.open();
}

void SessionCommand::statusChanged(const ConnectionStatus &status)
{
    const bool wasReady = isReady();
    m_status = status;
    if (isReady() != wasReady)
        readinessChanged();
    if (isReady())
        return m_toldTrouble.reset();
    if (status.state == Link::State::Refused || status.state == Link::State::Closed)
        return fail(status.error); // no further tries
    // Several servers may be connected to meanwhile: without a cause there is nothing to tell yet.
    if (status.state == Link::State::Backoff)
        SessionCommand::errorOccurred(status.error);
}

void SessionCommand::errorOccurred(const Error &why)
{
    if (!isFinished() && std::exchange(m_toldTrouble, why.kind) != why.kind)
        console::setFieldError(describe(why, serverName()));
}

} // namespace lockscope
