// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/alertprogram.h"

#include "app/words.h"
#include "core/base/childenvironment.h"
#include "core/base/processgroup.h"
#include "core/words/durations.h"

namespace lockscope {

AlertProgram::AlertProgram(const QString &command, QObject *parent) : QObject(parent), m_command(command)
{
    // Its output is its own affair, but standard output is ours alone.
    m_process.setStandardOutputFile(QProcess::nullDevice());
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.setProcessEnvironment(childEnvironment());
    setOwnGroup(m_process);
    connect(&m_process, &QProcess::finished, this, &AlertProgram::ended);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            ended();
    });
    m_limit.setSingleShot(true);
    m_limit.setInterval(longestRun);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        m_isLate = true;
        killGroup(m_process);
    });
}

AlertProgram::~AlertProgram()
{
    m_process.disconnect(this);
    killGroup(m_process);
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
    if (m_queue.isEmpty() || m_process.state() != QProcess::NotRunning)
        return;
    m_isLate = false;
    const QByteArrayList lines = m_queue.takeSome();
    m_running = lines.size();
    m_process.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), m_command});
    m_process.write(lines.join());
    m_process.closeWriteChannel();
    m_limit.start();
}

void AlertProgram::ended()
{
    m_limit.stop();
    m_running = 0;
    if (m_process.error() == QProcess::FailedToStart)
        emit failed(Words::tr("Alert command not started: %1").arg(m_process.errorString()));
    else if (m_isLate)
        emit failed(Words::tr("Alert command stopped after %1.").arg(describe(longestRun)));
    else if (m_process.exitStatus() == QProcess::CrashExit)
        emit failed(Words::tr("Alert command ended by a signal."));
    else if (m_process.exitCode() != 0)
        emit failed(Words::tr("Alert command failed with exit status %1.").arg(m_process.exitCode()));
    if (const qint64 dropped = m_queue.takeDropped())
        emit failed(Words::tr("Alert command too slow: %1 alerts were dropped.").arg(dropped));
    // Not from within a signal of the process that is to be started anew.
    QMetaObject::invokeMethod(this, &AlertProgram::runNext, Qt::QueuedConnection);
}

} // namespace lockscope
