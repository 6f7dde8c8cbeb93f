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

constexpr qsizetype maxOutput = 4096;
constexpr qint64 maxWritten = 1024 * 1024; // reading and dropping the rest takes time
constexpr qsizetype maxLine = 256;

} // namespace

HolderProbe::HolderProbe(AuditLog &audit, std::chrono::milliseconds limit) : m_audit(audit)
{
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setProcessEnvironment(childEnvironment());
    setOwnGroup(m_process);
    m_limit.setSingleShot(true);
    m_limit.setInterval(limit);
    connect(&m_limit, &QTimer::timeout, this, [this] { killGroup(m_process); });
    connect(&m_process, &QProcess::readyRead, this, &HolderProbe::read);
    connect(&m_process, &QProcess::finished, this, [this](int, QProcess::ExitStatus status) {
        read();
        finish(status == QProcess::NormalExit ? ProbeEnd::Exited
               : m_limit.isActive()           ? ProbeEnd::Signaled
                                              : ProbeEnd::TimedOut);
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finish(ProbeEnd::NotStarted);
    });
}

HolderProbe::~HolderProbe()
{
    m_process.disconnect(this);
    killGroup(m_process);
    m_process.waitForFinished(1000);
    finish(ProbeEnd::Signaled);
}

QFuture<Result<ProbeAnswer>> HolderProbe::run(const ProbeRequest &request, const Link &server)
{
    using Answer = Result<ProbeAnswer>;
    if (isRunning())
        return readyFuture(Answer(
            failedWith(ErrorKind::NotStarted, QT_TRANSLATE_NOOP("phrases", "Another probe is running."))));
    const Result<QByteArray> record = m_audit.begin(sentRecord(request, server));
    if (!record)
        return readyFuture(Answer(tl::unexpected(record.error())));
    m_record = *record;
    m_output.clear();
    m_written = 0;
    m_promise.emplace().start();
    const QFuture<Answer> answer = m_promise->future();
    m_limit.start();
    m_process.start(request.arguments.first(), request.arguments.mid(1), QIODevice::ReadOnly);
    return answer;
}

void HolderProbe::read()
{
    const QByteArray bytes = m_process.readAll();
    m_output += bytes.left(maxOutput - m_output.size());
    m_written += bytes.size();
    if (m_written > maxWritten)
        killGroup(m_process);
}

void HolderProbe::finish(ProbeEnd end)
{
    if (!isRunning())
        return;
    m_limit.stop();
    const QByteArray line = m_output.trimmed().split('\n').first().trimmed().left(maxLine);
    const ProbeAnswer answer{end, end == ProbeEnd::Exited ? m_process.exitCode() : 0, line,
                             QDateTime::currentMSecsSinceEpoch()};
    // The record of its start stays, whether or not this is written.
    static_cast<void>(m_audit.complete(m_record, completedRecord(answer)));
    QPromise<Result<ProbeAnswer>> promise = std::move(*std::exchange(m_promise, std::nullopt));
    promise.addResult(answer);
    promise.finish();
}

} // namespace lockscope
