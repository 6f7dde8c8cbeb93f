// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/redis/error.h"

#include <QFuture>
#include <QString>

#include <optional>

class QDateTime;

namespace lockscope {

/// What a password command printed.
struct Credential
{
    QByteArray password;
    std::optional<TimePoint> renewAt{}; ///< at three quarters of its life; absent: its end is unknown
    TimePoint obtainedAt = Clock::now();
};

/// Reads the output: the password is the first line, its life in seconds the second. Without that, a JSON Web
/// Token tells its end ("exp", RFC 7519), and so does a token of AWS IAM ("X-Amz-Date", "X-Amz-Expires").
/// ErrorKind::NoCredential: no password, or one that has ended.
Result<Credential> readCredential(const QByteArray &output, const QDateTime &now);

/// The password that this command prints, shared by all connections of the process: the command runs again
/// when its password is to be renewed, at most once at a time and for 30 s. Thread-safe; the future finishes on
/// any thread.
QFuture<Result<Credential>> credentialBy(const QString &command);

/// A server has refused this password: the next call of credentialBy() runs the command.
void forgetCredential(const QString &command, const QByteArray &password);

} // namespace lockscope
