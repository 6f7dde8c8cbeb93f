// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/holderprobe.h"

#include "core/act/auditrecord.h"
#include "core/base/childenvironment.h"
#include "core/base/processgroup.h"
#include "core/redis/readyfuture.h"

#include <QDateTime>

#include <utility>

namespace lockscope {

namespace {

constexpr qint64 maxWritten = 1024 * 1024; // what follows the first lines is dropped, which costs time

QByteArray firstLine(const QByteArray &output)
{
    const QByteArray text = output.trimmed();
    return text.left(text.indexOf('\n')).trimmed().left(HolderProbe::maxLine);
}

} // namespace

HolderProbe::HolderProbe(AuditLog &audit, std::chrono::milliseconds limit, QObject *parent)
    : QObject(parent), m_audit(audit)
{
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setProcessEnvironment(childEnvironment());
    setOwnGroup(m_process);
    m_limit.setSingleShot(true);
    m_limit.setInterval(limit);
    connect(&m_limit, &QTimer::timeout, this, [this] { kill(ProbeEnd::TimedOut); });
    connect(&m_process, &QProcess::readyRead, this, &HolderProbe::read);
    connect(&m_process, &QProcess::finished, this, [this](int, QProcess::ExitStatus status) {
        read();
        finish(m_killed.value_or(status == QProcess::NormalExit ? ProbeEnd::Exited : ProbeEnd::Signaled));
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finish(ProbeEnd::NotStarted);
    });
}

HolderProbe::~HolderProbe()
{
    m_process.disconnect(this);
    kill(ProbeEnd::Stopped);
    m_process.waitForFinished(1000);
    finish(ProbeEnd::Stopped);
}

QFuture<Result<ProbeAnswer>> HolderProbe::run(const ProbeRequest &request, const Link &server)
{
    using Answer = Result<ProbeAnswer>;
    if (isRunning())
        return readyFuture(Answer(
            failedWith(ErrorKind::NotStarted, QT_TRANSLATE_NOOP("phrases", "Another probe is running."))));
    const Result<QByteArray> id = m_audit.begin(sentRecord(request, server));
    if (!id)
        return readyFuture(Answer(tl::unexpected(id.error())));
    m_id = *id;
    m_command = request.command;
    m_output.clear();
    m_written = 0;
    m_killed.reset();
    m_promise.emplace();
    m_promise->start();
    const QFuture<Answer> answer = m_promise->future();
    m_limit.start();
    m_process.start(request.arguments.first(), request.arguments.mid(1), QIODevice::ReadOnly);
    return answer;
}

void HolderProbe::read()
{
    const QByteArray bytes = m_process.readAll();
    m_written += bytes.size();
    m_output += bytes.left(maxOutput - m_output.size());
    if (m_written > maxWritten)
        kill(ProbeEnd::TooVerbose);
}

void HolderProbe::kill(ProbeEnd why)
{
    if (!m_killed)
        m_killed = why;
    killGroup(m_process);
}

void HolderProbe::finish(ProbeEnd end)
{
    if (!isRunning())
        return;
    m_limit.stop();
    const ProbeAnswer answer{m_command, QDateTime::currentMSecsSinceEpoch(), end,
                             end == ProbeEnd::Exited ? m_process.exitCode() : 0, firstLine(m_output)};
    // It ran, whether or not its end can be recorded: the record of its start stays without an outcome.
    static_cast<void>(m_audit.complete(m_id, completedRecord(answer)));
    QPromise<Result<ProbeAnswer>> promise = std::move(*std::exchange(m_promise, std::nullopt));
    promise.addResult(answer);
    promise.finish();
}

} // namespace lockscope
