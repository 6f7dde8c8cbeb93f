// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/alertprogram.h"

#include "app/words.h"
#include "core/words/durations.h"

namespace lockscope {

AlertProgram::AlertProgram(const QString &command, QObject *parent) : QObject(parent), m_command(command)
{
    // Its output is its own affair, but standard output is ours alone.
    m_process.setStandardOutputFile(QProcess::nullDevice());
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    connect(&m_process, &QProcess::finished, this, &AlertProgram::ended);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            ended();
    });
    m_limit.setSingleShot(true);
    m_limit.setInterval(longestRun);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        m_isLate = true;
        m_process.kill();
    });
}

AlertProgram::~AlertProgram()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished(1000);
}

void AlertProgram::add(const QByteArray &line)
{
    m_queue.add(line);
    if (m_process.state() == QProcess::NotRunning)
        runNext();
}

void AlertProgram::runNext()
{
    if (m_queue.isEmpty())
        return;
    m_isLate = false;
    m_process.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), m_command});
    m_process.write(m_queue.takeSome().join());
    m_process.closeWriteChannel();
    m_limit.start();
}

void AlertProgram::ended()
{
    m_limit.stop();
    if (m_process.error() == QProcess::FailedToStart)
        emit failed(Words::tr("The alert command could not be started: %1").arg(m_process.errorString()));
    else if (m_isLate)
        emit failed(Words::tr("The alert command ran for %1 and was stopped.")
                        .arg(describe(milliseconds(longestRun))));
    else if (m_process.exitStatus() == QProcess::CrashExit)
        emit failed(Words::tr("The alert command crashed."));
    else if (m_process.exitCode() != 0)
        emit failed(Words::tr("The alert command ended with exit status %1.").arg(m_process.exitCode()));
    if (const qint64 dropped = m_queue.takeDropped())
        emit failed(
            Words::tr("The alert command was too slow: %1 alerts were not given to it.").arg(dropped));
    // Not from within a signal of the process that is to be started anew.
    QMetaObject::invokeMethod(this, &AlertProgram::runNext, Qt::QueuedConnection);
}

} // namespace lockscope
