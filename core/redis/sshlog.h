// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

#include <QByteArray>
#include <QHash>
#include <QList>

namespace lockscope {

/// Parses ssh's standard error with LogLevel=DEBUG1: messages for display, and debug lines that show which
/// forwarded connection failed. Pure; lines and their number are limited.
class SshLog
{
public:
    /// A forwarded connection that failed.
    struct OpenFailure
    {
        QByteArray channel; ///< ssh's line about it, with the local socket
        QByteArray reason;  ///< "connect failed: Connection refused"

        friend bool operator==(const OpenFailure &, const OpenFailure &) = default;
    };

    void take(const QByteArray &bytes);
    /// Failures since the last call.
    QList<OpenFailure> takeOpenFailures();
    /// The last messages for display, without those of single channels.
    const QList<QByteArray> &messages() const { return m_messages; }

private:
    void takeLine(const QByteArray &line);

    QByteArray m_rest; ///< an incomplete line
    QList<QByteArray> m_messages;
    QHash<QByteArray, QByteArray> m_refused; ///< by number of a channel that is not closed yet
    QList<OpenFailure> m_failures;
};

/// "ops@bastion:2222" as the two arguments of ssh.
struct SshDestination
{
    explicit SshDestination(const QString &host);

    QString name;
    QString port; ///< empty: ssh's default
};

/// Why ssh's login at `host` failed, by its messages.
Error sshError(const QString &host, const QList<QByteArray> &messages);
/// Why `host` failed to connect to `target`.
Error sshOpenError(const QString &host, const QString &target, const QByteArray &reason);

} // namespace lockscope
