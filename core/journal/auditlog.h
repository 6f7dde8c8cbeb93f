// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <optional>
#include <stop_token>

namespace lockscope {

/// The append-only trail of operators' actions: JSON lines, each with the SHA-256 of the line before it, so
/// that a change or a removal in the middle shows. Two records an action: "asked" before it is sent,
/// "completed" after.
///
/// Each append opens the file without following a symbolic link, mode 0600, under an exclusive lock (several
/// programs may share it), and is flushed to the disk before it returns. Blocking; call it off the UI thread.
class AuditLog
{
public:
    /// `path` empty: defaultPath().
    explicit AuditLog(QString path = {});

    /// $XDG_STATE_HOME/lockscope/audit.jsonl, or ~/.local/state/lockscope/audit.jsonl.
    static QString defaultPath();
    const QString &path() const { return m_path; }

    /// Records what is about to be sent and returns the request's id. `fields` may not use the names that the
    /// log sets itself (seq, time, phase, request, user, host, pid, prev). ErrorKind::AuditFailed with the
    /// cause.
    Result<QByteArray> begin(const QJsonObject &fields);
    /// Records how the request ended.
    Result<void> complete(const QByteArray &requestId, const QJsonObject &fields);

    /// What verify() found.
    struct Verdict
    {
        qint64 records = 0;
        QList<QByteArray> unfinished; ///< requests asked for and never completed: outcome not recorded
        QList<QJsonObject> asked;     ///< what was asked for by them, in the same order
        std::optional<qint64>
            brokenAtLine; ///< 1-based; the first line that does not follow from the one before
        Phrase reason;    ///< of brokenAtLine
    };
    /// Checks a file's chain. A cut at the very end can't be seen by it: compare the count with another copy.
    static Result<Verdict> verify(const QString &path);

    /// One action: its two records as they stand in the file, of which nothing was checked. Very long ones are shortened.
    struct Request
    {
        QJsonObject asked;
        std::optional<QJsonObject> completed; ///< absent: no outcome was recorded
    };
    struct History
    {
        Verdict verdict;
        qint64 requests = 0;   ///< in the whole file
        QList<Request> newest; ///< the newest first
    };
    /// Checks the chain as verify() does, and keeps the newest requests, `most` at most. ErrorKind::Canceled where it was
    /// stopped before the end.
    static Result<History> read(const QString &path, qsizetype most, const std::stop_token &stop = {});

private:
    Result<void> append(QJsonObject record);

    QString m_path;
};

} // namespace lockscope
