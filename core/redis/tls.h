// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/redis/serveraddress.h"

#include <QSslConfiguration>

class QSslCertificate;
class QSslSocket;

namespace lockscope {

/// Loads the address' files: authorities, client certificate and key. ErrorKind::TlsFailed, with advice, if
/// one is unusable.
Result<QSslConfiguration> tlsConfiguration(const ServerAddress &address);

/// True if the user trusts exactly this certificate.
bool isPinned(const QSslCertificate &peer, const ServerAddress &address);
/// SHA-256 of a certificate, 64 hexadecimal digits.
QByteArray fingerprintOf(const QSslCertificate &certificate);

/// Why a TLS handshake failed, with advice: ErrorKind::TlsFailed.
Error tlsFailure(const QSslSocket &socket, const ServerAddress &address);
Error otherThanPinned(const QSslCertificate &peer);

} // namespace lockscope
