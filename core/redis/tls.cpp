// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/tls.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSslCertificate>
#include <QSslKey>
#include <QSslSocket>

#include <algorithm>
#include <array>
#include <optional>

namespace lockscope {

namespace {

constexpr qsizetype maxNames = 3; // of a certificate, that are told

template <typename... Arguments>
tl::unexpected<Error> refuseCertificate(const char *why, const Arguments &...arguments)
{
    return failedWith(ErrorKind::TlsFailed, why, arguments...);
}

/// A private key of any algorithm that Qt reads.
std::optional<QSslKey> readKey(const QByteArray &pem, const QByteArray &passphrase)
{
    for (const QSsl::KeyAlgorithm algorithm : {QSsl::Rsa, QSsl::Ec, QSsl::Dsa}) {
        const QSslKey key(pem, algorithm, QSsl::Pem, QSsl::PrivateKey, passphrase);
        if (!key.isNull())
            return key;
    }
    return std::nullopt;
}

/// Reads certificates or a key. Skips special or huge files, which may be endless.
Result<QByteArray> readPem(const QString &path)
{
    constexpr qint64 largest = 512 * 1024;
    // Before it is opened, which would wait for the other end of a pipe.
    const QFileInfo info(path);
    if (info.exists() && !info.isFile())
        return refuseCertificate(QT_TRANSLATE_NOOP("phrases", "%1 is not a regular file"), path);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refuseCertificate(QT_TRANSLATE_NOOP("phrases", "%1 cannot be read: %2"), path,
                                 file.errorString());
    const QByteArray pem = file.read(largest + 1);
    if (pem.size() > largest)
        return refuseCertificate(QT_TRANSLATE_NOOP("phrases", "%1 is larger than %2 KB"), path,
                                 largest / 1024);
    return pem;
}

/// Reads a file, or every file of a directory.
Result<QList<QSslCertificate>> authorities(const QString &path)
{
    if (QFileInfo(path).isDir()) {
        QList<QSslCertificate> all;
        const QFileInfoList files = QDir(path).entryInfoList(QDir::Files | QDir::Readable);
        for (const QFileInfo &file : files) {
            if (const Result<QByteArray> pem = readPem(file.filePath())) // others lie there, too
                all += QSslCertificate::fromData(*pem);
        }
        if (all.isEmpty())
            return refuseCertificate(QT_TRANSLATE_NOOP("phrases", "no PEM certificate in %1"), path);
        return all;
    }
    const Result<QByteArray> pem = readPem(path);
    if (!pem)
        return tl::unexpected(pem.error());
    const QList<QSslCertificate> all = QSslCertificate::fromData(*pem);
    if (all.isEmpty())
        return refuseCertificate(QT_TRANSLATE_NOOP("phrases", "no PEM certificate in %1"), path);
    return all;
}

Result<QSslKey> privateKey(const ServerAddress &address)
{
    const QString &path = address.keyFile;
    const Result<QByteArray> pem = readPem(path);
    if (!pem)
        return tl::unexpected(pem.error());
    if (!pem->contains("PRIVATE KEY"))
        return refuseCertificate(QT_TRANSLATE_NOOP("phrases", "no PEM private key in %1"), path);
    if (QFileInfo(path).permissions().testFlag(QFileDevice::ReadOther))
        return refuseCertificate(
            QT_TRANSLATE_NOOP("phrases", "all users can read the key %1. Run chmod 600 on it"), path);
    const bool isEncrypted = pem->contains("ENCRYPTED");
    if (isEncrypted && address.keyPassphrase.isEmpty())
        return refuseCertificate(
            QT_TRANSLATE_NOOP(
                "phrases",
                "the key %1 has a passphrase. Use --key-askpass, LOCKSCOPE_KEY_PASSPHRASE or the form"),
            path);
    if (const auto key = readKey(*pem, address.keyPassphrase))
        return *key;
    return refuseCertificate(isEncrypted
                                 ? QT_TRANSLATE_NOOP("phrases", "the passphrase does not open the key %1")
                                 : QT_TRANSLATE_NOOP("phrases", "no PEM private key in %1"),
                             path);
}

QString dayOf(const QDateTime &moment)
{
    return moment.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm 'UTC'"));
}

QString namesIn(const QSslCertificate &certificate)
{
    QStringList names = certificate.subjectAlternativeNames().values();
    if (names.isEmpty())
        names = certificate.subjectInfo(QSslCertificate::CommonName);
    std::ranges::sort(names);
    const QString told = names.first(std::min(maxNames, names.size())).join(QStringLiteral(", "));
    return names.size() > maxNames ? told + QStringLiteral(", …") : told;
}

QString issuerOf(const QSslCertificate &certificate)
{
    const QString name = certificate.issuerDisplayName();
    return name.isEmpty() ? QStringLiteral("?") : name;
}

/// The first error with a specific meaning.
Phrase whatIsWrong(const QList<QSslError> &errors, const QSslCertificate &peer, const QString &host)
{
    const auto has = [&](std::initializer_list<QSslError::SslError> kinds) {
        return std::ranges::any_of(errors, [&](const QSslError &error) {
            return std::ranges::find(kinds, error.error()) != kinds.end();
        });
    };
    const QString fingerprint = QString::fromLatin1(fingerprintOf(peer));
    if (has({QSslError::CertificateExpired}))
        return Phrase(
            QT_TRANSLATE_NOOP("phrases", "the certificate expired on %1. Renew it, or check the clock"),
            dayOf(peer.expiryDate()));
    if (has({QSslError::CertificateNotYetValid}))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "the certificate is valid only from %1. Check the clock"),
                      dayOf(peer.effectiveDate()));
    if (has({QSslError::SelfSignedCertificate}))
        return Phrase(
            QT_TRANSLATE_NOOP("phrases", "the certificate is self-signed. Use --cacert, or --pin %1"),
            fingerprint);
    if (has({QSslError::SelfSignedCertificateInChain, QSslError::UnableToGetLocalIssuerCertificate,
             QSslError::UnableToGetIssuerCertificate, QSslError::UnableToVerifyFirstCertificate,
             QSslError::CertificateUntrusted}))
        return Phrase(
            QT_TRANSLATE_NOOP("phrases",
                              "the certificate's issuer “%1” is not trusted. Use --cacert, or --pin %2"),
            issuerOf(peer), fingerprint);
    if (has({QSslError::HostNameMismatch}))
        return Phrase(QT_TRANSLATE_NOOP(
                          "phrases", "the certificate is for %1, not %2. Connect by that name, or use --sni"),
                      namesIn(peer), host);
    return Phrase("%1", errors.first().errorString());
}

/// By the library's words, which all its current versions share.
Phrase alertIn(const QByteArray &said, bool hasCertificate)
{
    struct Alert
    {
        QByteArrayView words;
        Phrase meaning;
    };
    const Phrase needsCertificate(
        QT_TRANSLATE_NOOP("phrases", "the server requires a client certificate. Use --cert and --key"));
    const Phrase isTooOld(QT_TRANSLATE_NOOP(
        "phrases", "the server speaks only TLS before 1.2. Enable TLS 1.2 there (tls-protocols)"));
    const std::array alerts{
        Alert{"protocol version", isTooOld},
        Alert{"unsupported protocol", isTooOld},
        Alert{"certificate required", needsCertificate},
        Alert{"key values mismatch",
              Phrase(QT_TRANSLATE_NOOP("phrases", "the client's certificate and key do not match"))},
        Alert{"unknown ca", Phrase(QT_TRANSLATE_NOOP(
                                "phrases", "the server does not trust the client certificate's issuer"))},
        Alert{"alert certificate expired",
              Phrase(QT_TRANSLATE_NOOP("phrases", "the client's certificate has expired"))},
        Alert{"alert bad certificate",
              Phrase(QT_TRANSLATE_NOOP("phrases", "the server rejects the client's certificate"))},
        Alert{"wrong version number",
              Phrase(QT_TRANSLATE_NOOP("phrases", "the server does not use TLS on this port"))},
    };
    for (const Alert &alert : alerts) {
        if (said.contains(alert.words))
            return alert.meaning;
    }
    if (said.contains("handshake failure") && !hasCertificate)
        return needsCertificate;
    return Phrase("%1", said);
}

} // namespace

Result<QSslConfiguration> tlsConfiguration(const ServerAddress &address)
{
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setProtocol(QSsl::TlsV1_2OrLater);
    if (!address.caFile.isEmpty()) {
        const auto trusted = authorities(address.caFile);
        if (!trusted)
            return tl::unexpected(trusted.error());
        configuration.setCaCertificates(*trusted);
    }
    if (!address.certificateFile.isEmpty() || !address.keyFile.isEmpty()) {
        const Result<QByteArray> pem = readPem(address.certificateFile);
        if (!pem)
            return tl::unexpected(pem.error());
        const QList<QSslCertificate> chain = QSslCertificate::fromData(*pem);
        if (chain.isEmpty())
            return refuseCertificate(QT_TRANSLATE_NOOP("phrases", "no PEM certificate in %1"),
                                     address.certificateFile);
        const Result<QSslKey> key = privateKey(address);
        if (!key)
            return tl::unexpected(key.error());
        configuration.setLocalCertificateChain(chain);
        configuration.setPrivateKey(*key);
    }
    if (address.insecure && address.pins.isEmpty())
        configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    return configuration;
}

QByteArray fingerprintOf(const QSslCertificate &certificate)
{
    return certificate.isNull() ? QByteArray() : certificate.digest(QCryptographicHash::Sha256).toHex();
}

bool isPinned(const QSslCertificate &peer, const ServerAddress &address)
{
    return !peer.isNull() && address.pins.contains(fingerprintOf(peer));
}

Error otherThanPinned(const QSslCertificate &peer)
{
    const QByteArray fingerprint = fingerprintOf(peer);
    Error error(
        ErrorKind::TlsFailed,
        Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "the certificate is not the pinned one; its fingerprint is %1. If renewed, pin the new one"),
            QString::fromLatin1(fingerprint)));
    error.certificate = fingerprint;
    return error;
}

Error tlsFailure(const QSslSocket &socket, const ServerAddress &address)
{
    const QSslCertificate peer = socket.peerCertificate();
    const QList<QSslError> errors = socket.sslHandshakeErrors();
    if (!errors.isEmpty() && !peer.isNull()) {
        if (!address.pins.isEmpty())
            return otherThanPinned(peer);
        const QString host = address.serverName.isEmpty() ? address.host : address.serverName;
        Error error(ErrorKind::TlsFailed, whatIsWrong(errors, peer, host));
        error.certificate = fingerprintOf(peer);
        return error;
    }
    if (socket.error() == QAbstractSocket::RemoteHostClosedError)
        return {
            ErrorKind::TlsFailed,
            Phrase(QT_TRANSLATE_NOOP("phrases", "the peer closed the connection during the TLS handshake"))};
    return {ErrorKind::TlsFailed, alertIn(socket.errorString().toUtf8(), !address.certificateFile.isEmpty())};
}

} // namespace lockscope
