// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/redis/serveraddress.h"

#include <QSslConfiguration>

class QSslCertificate;
class QSslSocket;

namespace lockscope {

/// What the files hold that the address names: authorities, a certificate of our own and its key. ErrorKind::TlsFailed with
/// what to do where one can't be used.
Result<QSslConfiguration> tlsConfiguration(const ServerAddress &address);

/// The user has decided to trust exactly this one.
bool isPinned(const QSslCertificate &peer, const ServerAddress &address);
/// SHA-256 of a certificate, 64 hexadecimal digits.
QByteArray fingerprintOf(const QSslCertificate &certificate);

/// Why a socket could not agree with its peer, and what to do: ErrorKind::TlsFailed.
Error tlsFailure(const QSslSocket &socket, const ServerAddress &address);
Error otherThanPinned(const QSslCertificate &peer);

} // namespace lockscope
