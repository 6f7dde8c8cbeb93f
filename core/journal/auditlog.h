// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <optional>
#include <stop_token>

namespace lockscope {

/// The append-only log of operators' actions: JSON lines, each with the SHA-256 of the previous line, which
/// reveals changes and removals in the middle. Two records per action: "asked" before it is sent, "completed"
/// after.
///
/// Each append opens the file without following a symbolic link, mode 0600, under an exclusive lock (for
/// several programs), and flushes to disk before it returns. Blocking; call it off the UI thread.
class AuditLog
{
public:
    /// `path` empty: defaultPath().
    explicit AuditLog(QString path = {});

    /// $XDG_STATE_HOME/lockscope/audit.jsonl, or ~/.local/state/lockscope/audit.jsonl.
    static QString defaultPath();
    const QString &path() const { return m_path; }

    /// Records a request before it is sent, and returns its ID. `fields` may not use the log's own names
    /// (seq, time, phase, request, user, host, pid, prev). ErrorKind::AuditFailed with the cause.
    Result<QByteArray> begin(const QJsonObject &fields);
    Result<void> complete(const QByteArray &requestId, const QJsonObject &fields);

    struct Verdict
    {
        qint64 records = 0;
        QList<QByteArray> unfinished;       ///< requests without a recorded outcome
        QList<QJsonObject> asked;           ///< these requests, in the same order
        std::optional<qint64> brokenAtLine; ///< 1-based; the first line that does not match the previous one
        Phrase reason;
    };
    /// Checks a file's hash chain. It cannot show a cut at the end: compare the count with another copy.
    static Result<Verdict> verify(const QString &path);

    /// An action: its two records in the file, unchecked. Very long ones are shortened.
    struct Request
    {
        QJsonObject asked;
        std::optional<QJsonObject> completed; ///< absent: no recorded outcome
    };
    struct History
    {
        Verdict verdict;
        qint64 requests = 0;   ///< in the whole file
        QList<Request> newest; ///< newest first
    };
    /// Checks the chain like verify(), and returns the newest requests, at most `most`. ErrorKind::Canceled
    /// if stopped early.
    static Result<History> read(const QString &path, qsizetype most, const std::stop_token &stop = {});

private:
    Result<void> append(QJsonObject record);

    QString m_path;
};

} // namespace lockscope
