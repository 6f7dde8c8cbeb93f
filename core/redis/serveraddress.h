// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

#include <QHash>
#include <QString>

namespace lockscope {

/// Where a server is and how to log in. Holds the password: print only toDisplayString().
struct ServerAddress
{
    enum class Transport { Tcp, Tls, Unix };

    Transport transport = Transport::Tcp;
    QString host = QStringLiteral("localhost");
    quint16 port = 6379;
    QString socketPath; ///< Transport::Unix
    int database = 0;

    QByteArray user;     ///< empty: the default user
    QByteArray password; ///< both empty: no AUTH is sent

    QString caFile;          ///< PEM; empty: the system's certificates
    QString certificateFile; ///< PEM, with keyFile: client certificate
    QString keyFile;
    QString serverName; ///< SNI and the name that the certificate must carry; empty: host
    /// Where nodes of a cluster are reached that announce another address ("10.0.0.5:6379" or "10.0.0.5"), as behind NAT.
    QHash<QString, QString> nodeAddresses;
    bool insecure = false; ///< the user said --insecure: any certificate is accepted

    /// Reads "redis://[[user]:password@]host[:port][/db]", "rediss://…", "unix:///path?db=N", a path that
    /// starts with
    /// "/", or "host[:port]" ("[::1]:6379" for IPv6). Percent-encoding is honoured in user, password and
    /// path. ErrorKind::InvalidArgument with a reason that never repeats the password.
    static Result<ServerAddress> parse(const QString &text);

    /// "host:6379", "host:6379/2 (TLS)", "/run/redis.sock". Never user's secret.
    QString toDisplayString() const;

    /// A URI that parse() reads back, without the password: what may be written to a settings file.
    QString toUriWithoutPassword() const;

    friend bool operator==(const ServerAddress &, const ServerAddress &) = default;
};

} // namespace lockscope
