// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/alertqueue.h"

#include <QObject>
#include <QProcess>
#include <QTimer>

#include <chrono>

namespace lockscope {

/// Runs a command of the user's for alerts, by the shell: it reads them on standard input, one JSON object a line. One run at a time;
/// what is raised meanwhile goes to the next. A run that takes too long is killed, with all that it has started. Nothing that a server says stands in the command's text or its environment.
class AlertProgram : public QObject
{
    Q_OBJECT

public:
    static constexpr std::chrono::seconds longestRun{60}; ///< then it is killed

    explicit AlertProgram(const QString &command, QObject *parent = nullptr);
    /// Ends a run that is under way.
    ~AlertProgram() override;

    void add(const QByteArray &line);
    /// Alerts that it was not given yet, or is being given.
    qsizetype pending() const { return m_queue.size() + m_running; }

signals:
    /// A run failed: what it was given is not given again.
    void failed(const QString &why);

private:
    void kill();
    void runNext();
    void ended();

    const QString m_command;
    AlertQueue m_queue;
    QProcess m_process;
    QTimer m_limit;
    qsizetype m_running = 0; ///< alerts of the run that is under way
    bool m_isLate = false;
};

} // namespace lockscope
