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

enum class ProbeEnd : quint8 { Exited, Signaled, TimedOut, NotStarted };

inline constexpr EnumNames probeEndName{
    Named<ProbeEnd>{ProbeEnd::Exited, "exited"},
    Named<ProbeEnd>{ProbeEnd::Signaled, "signaled"},
    Named<ProbeEnd>{ProbeEnd::TimedOut, "timed-out"},
    Named<ProbeEnd>{ProbeEnd::NotStarted, "not-started"},
};

struct ProbeAnswer
{
    ProbeEnd end = ProbeEnd::Exited;
    int exitStatus = 0; ///< of Exited; 0: the holder is alive, by the program's word
    QByteArray line{};  ///< the first that it wrote, at most 256 bytes; untrusted
    qint64 endedMs = 0; ///< epoch ms
};

/// Runs a program for a lock's holder: without a shell and our secrets, for a limited time, one at a time. A run
/// is recorded in the audit log before and after, and does not start without its record. Ends with this.
class HolderProbe : public QObject
{
    Q_OBJECT

public:
    static constexpr std::chrono::milliseconds maxTime{10'000};

    /// `audit` must outlive this.
    explicit HolderProbe(AuditLog &audit, std::chrono::milliseconds limit = maxTime);
    ~HolderProbe() override;

    /// `server`: for the record. ErrorKind::AuditFailed; NotStarted while another one runs.
    QFuture<Result<ProbeAnswer>> run(const ProbeRequest &request, const Link &server);
    bool isRunning() const { return m_promise.has_value(); }

private:
    void read();
    void finish(ProbeEnd end);

    AuditLog &m_audit;
    QProcess m_process{this};
    QTimer m_limit{this};
    QByteArray m_record; ///< its ID
    QByteArray m_output; ///< the beginning
    qint64 m_written = 0;
    std::optional<QPromise<Result<ProbeAnswer>>> m_promise;
};

} // namespace lockscope
