// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/alertqueue.h"

#include <QObject>
#include <QProcess>
#include <QTimer>

#include <chrono>

namespace lockscope {

/// Runs a shell command for alerts, which it reads as JSON lines on standard input. One run at a time; new
/// alerts go to the next. Kills long runs. Server data never enters the command or environment.
class AlertProgram : public QObject
{
    Q_OBJECT

public:
    static constexpr std::chrono::seconds longestRun{60}; ///< then the run is killed

    explicit AlertProgram(const QString &command, QObject *parent = nullptr);
    ~AlertProgram() override;

    void add(const QByteArray &line);
    /// Number of alerts not yet passed to a completed run.
    qsizetype pending() const { return m_queue.size() + m_running; }

signals:
    /// A run failed; its alerts are not passed again.
    void failed(const QString &why);

private:
    void runNext();
    void ended();

    const QString m_command;
    AlertQueue m_queue;
    QProcess m_process;
    QTimer m_limit;
    qsizetype m_running = 0;
    bool m_isLate = false;
};

} // namespace lockscope
