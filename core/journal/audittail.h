// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace lockscope {

/// Which locks of one server this user's programs have ended by force of late, as their audit log tells it. It says nothing
/// of what others do.
class AuditTail
{
public:
    enum class Answer : quint8 {
        No,
        NotYet, ///< it was asked for, and how it ended is not recorded yet: ask again
        Yes,    ///< told once
    };

    /// From the end of the file on, as it is now. `path` empty: AuditLog::defaultPath().
    explicit AuditTail(QString path = {});

    /// Did these holds end by force? Reads what the file has gained since the last call, without waiting for anybody.
    Answer wasForced(const QByteArray &runId, const LockAddress &lock, const QList<LockOwner> &owners);

private:
    struct Request
    {
        QByteArray id;
        QByteArray runId;
        LockAddress lock;
        QList<QByteArray> owners;
        bool hasEnded = false;
        TimePoint readAt;
    };

    void read();
    void take(QByteArrayView line);

    QString m_path;
    qint64 m_end = 0;  ///< of what was read
    QByteArray m_rest; ///< a line whose end is still to come
    QList<Request> m_requests;
};

} // namespace lockscope
