// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/proberequest.h"
#include "core/base/enumnames.h"
#include "core/journal/auditlog.h"

#include <QFuture>
#include <QObject>
#include <QProcess>
#include <QPromise>
#include <QTimer>

#include <optional>

namespace lockscope {

class Link;

/// How a probe's program ended.
enum class ProbeEnd : quint8 {
    Exited,
    Signaled,
    NotStarted,
    TimedOut,   ///< killed
    TooVerbose, ///< killed
    Stopped,    ///< killed with this program's session
};

inline constexpr EnumNames probeEndName{
    Named<ProbeEnd>{ProbeEnd::Exited, "exited"},          Named<ProbeEnd>{ProbeEnd::Signaled, "signaled"},
    Named<ProbeEnd>{ProbeEnd::NotStarted, "not-started"}, Named<ProbeEnd>{ProbeEnd::TimedOut, "timed-out"},
    Named<ProbeEnd>{ProbeEnd::TooVerbose, "too-verbose"}, Named<ProbeEnd>{ProbeEnd::Stopped, "stopped"},
};

struct ProbeAnswer
{
    QString command;
    qint64 endedMs = 0; ///< epoch ms
    ProbeEnd end = ProbeEnd::Stopped;
    int exitStatus = 0; ///< of Exited; 0: the program says that the holder is alive
    QByteArray line;    ///< the first line that it wrote, at most maxLine bytes; hostile
};

/// Runs one program at a time for the holder of a lock, without a shell, without our secrets, with an end to
/// time and output. Each run has its audit record before it starts, or is not started. It changes nothing that
/// is known of the lock.
class HolderProbe : public QObject
{
    Q_OBJECT

public:
    static constexpr std::chrono::milliseconds maxTime{10'000};
    static constexpr qsizetype maxOutput = 4096; ///< what is looked at
    static constexpr qsizetype maxLine = 256;

    /// `audit` must outlive this.
    explicit HolderProbe(AuditLog &audit, std::chrono::milliseconds limit = maxTime,
                         QObject *parent = nullptr);
    /// Ends a running program.
    ~HolderProbe() override;

    /// `server`: for the record. ErrorKind::AuditFailed, or NotStarted while another one runs.
    QFuture<Result<ProbeAnswer>> run(const ProbeRequest &request, const Link &server);
    bool isRunning() const { return m_promise.has_value(); }

private:
    void read();
    void kill(ProbeEnd why);
    void finish(ProbeEnd end);

    AuditLog &m_audit;
    QProcess m_process{this};
    QTimer m_limit{this};
    QByteArray m_id; ///< of the audit record
    QString m_command;
    QByteArray m_output;
    qint64 m_written = 0;
    std::optional<ProbeEnd> m_killed;
    std::optional<QPromise<Result<ProbeAnswer>>> m_promise;
};

} // namespace lockscope
