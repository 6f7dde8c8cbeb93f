// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/watcher.h"
#include "tests/support/told.h"

#include <QCoreApplication>
#include <QTimer>

#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

bool waitUntil(const std::function<bool()> &isSo, milliseconds limit)
{
    QTimer timer;
    timer.setSingleShot(true);
    timer.start(limit);
    while (!isSo()) {
        if (!timer.isActive())
            return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    return true;
}

void runFor(milliseconds duration)
{
    waitUntil([] { return false; }, duration);
}

Watcher::Watcher(const ServerAddress &server, const MonitorOptions &options, Taker take)
    : m_session(server, {.monitor = options, .readOnly = true, .auditPath = {}})
{
    onTold<LockDiff>(m_session, &m_session, [take = std::move(take)](const LockDiff &diff) {
        if (take)
            take(diff);
    });
    onTold<ScanStats>(m_session, &m_session, [this](const ScanStats &stats) { m_swept = stats; });
    m_session.open();
}

std::optional<Watcher::Scan> Watcher::scan()
{
    m_swept.reset();
    const TimePoint begin = Clock::now();
    m_session.scanNow();
    if (!waitUntil([this] { return m_swept.has_value(); }, 2min))
        return std::nullopt;
    return Scan{*m_swept, Clock::now() - begin};
}

} // namespace lockscope
