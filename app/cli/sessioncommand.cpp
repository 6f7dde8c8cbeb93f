// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sessioncommand.h"

#include "core/base/match.h"
#include "core/words/messages.h"
#include "core/words/servermessages.h"

#include <limits>
#include <utility>

namespace lockscope {

namespace {

MonitorOptions onePass(MonitorOptions options)
{
    options.listens = false;                          // it ends before anything could be told
    options.waitersInterval = std::chrono::hours(24); // looked at once, in the end
    options.keepsLocks = false;                       // the verb does
    return options;
}

/// True with --share 100: the scan ignores the load budget.
bool isFullSpeed(const Options &options)
{
    return options.share.value_or(0) >= 1;
}

} // namespace

MonitorOptions monitorOptions(const Options &options)
{
    MonitorOptions monitor;
    if (!options.patterns.isEmpty())
        monitor.patterns = options.patterns;
    if (options.share) { // of each node, as the user says
        monitor.share = monitor.firstScanShare = *options.share;
        monitor.shareOfNodes = std::numeric_limits<double>::infinity();
    }
    return monitor;
}

SessionCommand::SessionCommand(Options options, Kind kind)
    : Command(std::move(options)),
      m_kind(kind),
      m_session(this->options().server,
                {.monitor = kind == Kind::Once ? onePass(lockscope::monitorOptions(this->options()))
                                               : lockscope::monitorOptions(this->options()),
                 .readOnly = kind != Kind::Screen || this->options().readOnly,
                 .auditPath = {},
                 .guard = kind == Kind::Screen ? ActionGuard(environmentOf(this->options()), serverName())
                                               : ActionGuard(),
                 .clientName = "lockscope-cli",
                 .reconnects = kind != Kind::Once,
                 .hasThread = kind == Kind::Service})
{
    connect(&m_session, &Session::reported, this, [this](const MonitorReport &event) {
        if (isFinished()) // what comes later is not told any more
            return;
        take(event);
        std::visit(Match{[this](const ConnectionStatus &status) { takeStatus(status); },
                         [this](const ScanStats &stats) { takeGaps(stats); },
                         [this](const Error &why) { errorOccurred(why); }, [](const auto &) {}},
                   event);
    });
}

void SessionCommand::open()
{
    if (isFullSpeed(options()))
        m_session.scanNow();
    m_session.open();
}

void SessionCommand::takeStatus(const ConnectionStatus &status)
{
    if (isFinished())
        return;
    using State = Link::State;
    const bool isWaitedFor = m_wasReady || m_kind == Kind::Service;
    m_wasReady = m_wasReady || isReady();
    if (isReady())
        forgetTrouble();
    else if (status.state == State::Refused || status.state == State::Closed) // no further tries
        m_wasReady &&m_kind == Kind::Once ? connectionLost(status.error) : fail(status.error);
    else if (status.state == State::Backoff)
        // Several servers may be connected to meanwhile: without a cause there is nothing to tell yet.
        isWaitedFor ? connectionLost(status.error) : fail(status.error);
}

/// Reports gaps; a single scan reports them with its result.
void SessionCommand::takeGaps(const ScanStats &stats)
{
    if (m_kind == Kind::Once || !stats.complete)
        return;
    const QStringList gaps = gapsInWords(stats);
    if (gaps.isEmpty() || gaps == m_toldGaps) // nodes that disagree tell by turns that there is none
        return;
    m_toldGaps = gaps;
    for (const QString &gap : gaps)
        warn(gap);
}

void SessionCommand::connectionLost(const Error &why)
{
    if (m_kind == Kind::Once)
        fail(why);
    else
        SessionCommand::errorOccurred(why);
}

void SessionCommand::interrupted()
{
    if (m_kind == Kind::Once)
        Command::interrupted();
    else
        finish(ExitStatus::Done);
}

void SessionCommand::errorOccurred(const Error &why)
{
    if (!isFinished() && std::exchange(m_toldTrouble, why.kind) != why.kind)
        console::printError(describe(why, serverName()));
}

} // namespace lockscope
