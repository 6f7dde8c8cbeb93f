// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

#include <QByteArray>
#include <QHash>
#include <QList>

namespace lockscope {

/// What an ssh says on standard error with LogLevel=DEBUG1: for people, and, in debug lines, which forwarded connection a
/// refusal of the far host belongs to. Pure; lines and their number are capped.
class SshLog
{
public:
    /// A connection through the far host that came to nothing.
    struct OpenFailure
    {
        QByteArray channel; ///< ssh's line about it, which names the local socket
        QByteArray reason;  ///< "connect failed: Connection refused"

        friend bool operator==(const OpenFailure &, const OpenFailure &) = default;
    };

    void take(const QByteArray &bytes);
    /// Since the last call.
    QList<OpenFailure> takeOpenFailures();
    /// The last lines for people, without those of single channels.
    const QList<QByteArray> &messages() const { return m_messages; }

private:
    void takeLine(const QByteArray &line);

    QByteArray m_rest; ///< of a line whose end has not come
    QList<QByteArray> m_messages;
    QHash<QByteArray, QByteArray> m_refused; ///< by number of a channel that ssh has not closed yet
    QList<OpenFailure> m_failures;
};

/// "ops@bastion:2222" in the two words that ssh takes it in.
struct SshDestination
{
    explicit SshDestination(const QString &host);

    QString name;
    QString port; ///< empty: the usual one, or what ssh's configuration says
};

/// Why an ssh ended that was to log in at `host`, by what it said.
Error sshError(const QString &host, const QList<QByteArray> &messages);
/// Why `host` did not connect to `target`.
Error sshOpenError(const QString &host, const QString &target, const QByteArray &reason);

} // namespace lockscope
