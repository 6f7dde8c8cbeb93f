// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace lockscope {

/// Locks of one server that this user's programs have recently force-expired, from their audit log. Other
/// users' actions are not included.
class AuditTail
{
public:
    enum class Answer : quint8 {
        No,
        NotYet, ///< requested, but no outcome recorded yet: ask again
        Yes,    ///< returned once
    };

    /// Starts at the present end of the file. `path` empty: AuditLog::defaultPath().
    explicit AuditTail(QString path = {});

    /// Reads new records, without waiting. Call after an end was seen: its cause was recorded before.
    void read();
    /// Whether these holds were force-expired, by the records read.
    Answer wasForced(const QByteArray &runId, const LockAddress &lock, const QList<LockOwner> &owners);
    /// Drops records of a forced expiry that is already known.
    void dismiss(const LockAddress &lock, const QList<LockOwner> &owners);
    /// The lock was seen held at this moment (epoch ms): earlier records do not explain a later end.
    void noteHeld(const LockAddress &lock, qint64 wallMs);
    bool isEmpty() const { return m_requests.isEmpty(); }

private:
    struct Request
    {
        QByteArray id;
        QByteArray runId;
        LockAddress lock;
        QList<QByteArray> owners;
        std::optional<qint64> endedMs; ///< epoch ms, by the writer's clock
        TimePoint readAt;

        bool isFor(const LockAddress &other, const QList<LockOwner> &holders) const;
        void remove(const QList<LockOwner> &holders);
    };

    void take(QByteArrayView line);

    QString m_path;
    qint64 m_end = 0;  ///< end of the part read
    QByteArray m_rest; ///< an incomplete line
    QList<Request> m_requests;
};

} // namespace lockscope
