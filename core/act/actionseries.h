// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"

#include <QList>
#include <QObject>
#include <QTimer>

#include <functional>

namespace lockscope {

/// The same action on several locks: one request each, sent after the previous one has its answer. Ends early
/// after an unknown outcome, or after an error that would recur (lost connection, disk full under the audit
/// log). The remaining requests are not sent.
class ActionSeries : public QObject
{
    Q_OBJECT

public:
    /// Its future must finish on the series' thread.
    using Run = std::function<QFuture<Result<ActionResult>>(const ActionRequest &)>;

    ActionSeries(QList<ActionRequest> requests, Run run, QObject *parent = nullptr);

    /// Also ends after a rejection, and after an error of one lock.
    void stopAtAnyFailure() { m_isStrict = true; }
    /// Waits between an answer and the next request.
    void setPause(milliseconds pause) { m_pause.setInterval(pause); }
    void start();
    /// Sends no more requests; the pending answer is still awaited.
    void stop();

    qsizetype size() const { return m_requests.size(); }
    /// The results so far, in the order of the requests.
    const QList<Result<ActionResult>> &results() const { return m_results; }
    bool isRunning() const { return m_isRunning; }

signals:
    void ended(qsizetype index);
    void finished();

private:
    void next();
    void take(const Result<ActionResult> &result);

    const QList<ActionRequest> m_requests;
    const Run m_run;
    QList<Result<ActionResult>> m_results;
    bool m_isRunning = false;
    bool m_isStopped = false;
    bool m_isStrict = false;
    QTimer m_pause; ///< by default only a turn of the event loop, so that answers do not nest
};

} // namespace lockscope
