// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/actionseries.h"

#include "core/redis/whendone.h"

#include <utility>

namespace lockscope {

namespace {

/// True for errors of one lock only: the next one may succeed.
bool isOfOneLock(ErrorKind kind)
{
    return kind == ErrorKind::InvalidArgument || kind == ErrorKind::NoPermission ||
           kind == ErrorKind::WrongType || kind == ErrorKind::CrossSlot;
}

bool mayGoOnAfter(const Result<ActionResult> &result)
{
    return result ? result->outcome != Outcome::Unknown : isOfOneLock(result.error().kind);
}

} // namespace

ActionSeries::ActionSeries(QList<ActionRequest> requests, Run run, QObject *parent)
    : QObject(parent), m_requests(std::move(requests)), m_run(std::move(run))
{
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &ActionSeries::next);
}

void ActionSeries::start()
{
    m_isRunning = true;
    next();
}

void ActionSeries::stop()
{
    m_isStopped = true;
    if (m_pause.isActive())
        m_pause.start(0);
}

void ActionSeries::next()
{
    if (m_isStopped || m_results.size() == m_requests.size()) {
        m_isRunning = false;
        emit finished();
        return;
    }
    whenDone(this, m_run(m_requests[m_results.size()]),
             [this](const Result<ActionResult> &result) { take(result); });
}

void ActionSeries::take(const Result<ActionResult> &result)
{
    m_isStopped = m_isStopped || !(m_isStrict ? result && succeeded(result->outcome) : mayGoOnAfter(result));
    m_results.append(result);
    emit ended(m_results.size() - 1);
    m_pause.start(m_isStopped ? 0 : m_pause.interval());
}

} // namespace lockscope
