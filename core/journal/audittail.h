// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

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

    /// Reads what the file has gained since the last call, without waiting for anybody. To be called after an end was
    /// seen: what ended it was recorded before.
    void read();
    /// Did these holds end by force, as far as was read?
    Answer wasForced(const QByteArray &runId, const LockAddress &lock, const QList<LockOwner> &owners);
    /// This end by force is known already: nothing more is told of it.
    void dismiss(const LockAddress &lock, const QList<LockOwner> &owners);
    /// The lock was seen held at this moment (epoch ms): what was recorded before does not end it any more.
    void noteHeld(const LockAddress &lock, qint64 wallMs);
    bool isEmpty() const { return m_requests.isEmpty(); }

private:
    struct Request
    {
        QByteArray id;
        QByteArray runId;
        LockAddress lock;
        QList<QByteArray> owners;
        std::optional<qint64> endedMs; ///< epoch ms, by the clock of the one who wrote
        TimePoint readAt;

        bool isFor(const LockAddress &other, const QList<LockOwner> &holders) const;
        void remove(const QList<LockOwner> &holders);
    };

    void take(QByteArrayView line);

    QString m_path;
    qint64 m_end = 0;  ///< of what was read
    QByteArray m_rest; ///< a line whose end is still to come
    QList<Request> m_requests;
};

} // namespace lockscope
