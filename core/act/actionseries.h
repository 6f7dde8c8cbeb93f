// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"

#include <QList>
#include <QObject>

#include <functional>

namespace lockscope {

/// The same action on several locks: one request each, one after the other, each sent when the one before has its answer. Ends
/// early where going on would be blind: after an unknown outcome, and after an error that the next request would meet, too (a
/// lost connection, a full disk beneath the audit log). What is left then was not sent.
class ActionSeries : public QObject
{
    Q_OBJECT

public:
    /// Its future has to finish on the thread of the series.
    using Run = std::function<QFuture<Result<ActionResult>>(const ActionRequest &)>;

    ActionSeries(QList<ActionRequest> requests, Run run, QObject *parent = nullptr);

    void start();
    /// Sends no more; the answer to what is sent is still waited for.
    void stop();

    qsizetype size() const { return m_requests.size(); }
    /// Of those that have ended: one each, in their order.
    const QList<Result<ActionResult>> &results() const { return m_results; }
    bool isRunning() const { return m_isRunning; }

signals:
    void ended(qsizetype index); ///< its result is there
    void finished();

private:
    void next();
    void take(const Result<ActionResult> &result);

    const QList<ActionRequest> m_requests;
    const Run m_run;
    QList<Result<ActionResult>> m_results;
    bool m_isRunning = false;
    bool m_isStopped = false;
};

} // namespace lockscope
