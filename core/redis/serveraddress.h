// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/redis/nodeaddress.h"

#include <QHash>
#include <QList>
#include <QString>

namespace lockscope {

/// A server's address and login. Holds the password: print only toDisplayString().
struct ServerAddress
{
    enum class Transport { Tcp, Tls, Unix };

    Transport transport = Transport::Tcp;
    QString host = QStringLiteral("localhost");
    quint16 port = 6379;
    QString socketPath; ///< Transport::Unix
    int database = 0;

    QByteArray user;     ///< empty: the default user
    QByteArray password; ///< if user is empty too, no AUTH is sent
    /// Program and arguments, without a shell, that print the password: run instead, again before it ends.
    QString passwordCommand;

    QString caFile;          ///< PEM file or directory; empty: the system's certificates
    QString certificateFile; ///< PEM, with keyFile: client certificate
    QString keyFile;
    QByteArray keyPassphrase;
    QString serverName; ///< SNI and the certificate's expected name; empty: host
    /// Reachable addresses of cluster nodes, by the announced "10.0.0.5:6379" or "10.0.0.5".
    QHash<QString, QString> nodeAddresses;
    /// SHA-256 in hexadecimal of the accepted server certificates; if not empty, nothing else counts.
    QList<QByteArray> pins;
    bool insecure = false; ///< --insecure: any certificate is accepted

    QList<NodeAddress> sentinels; ///< not empty: they name the server, instead of host and port
    QString primaryName;
    QByteArray sentinelUser; ///< and sentinelPassword: the login at the Sentinels
    QByteArray sentinelPassword;
    bool readsReplica = false;

    /// Not empty: the independent primaries of a Redlock group, instead of host and port. The other members
    /// apply to each.
    QList<NodeAddress> members;

    /// "[user@]host[:port]" for ssh: all other addresses are reached from there. Empty: directly.
    QString sshHost;
    QString sshControl; ///< control socket of another of our processes' login; empty: own login

    /// "http://[USER@]HOST:PORT" (CONNECT) or "socks5://[USER@]HOST:PORT", which finds host names itself. Empty: directly.
    QString proxy;
    QByteArray proxyPassword;

    /// Sets the proxy, and its password if the text has one. False for another scheme, or without a port.
    bool setProxy(const QString &text);

    /// Adds a pin: 64 hexadecimal digits of any case, with colons, blanks and "SHA256:" allowed. False for
    /// others.
    bool addPin(const QByteArray &text);

    /// Sets "[user@]host[:port]" or "ssh://…". False for an invalid host or an option of ssh.
    bool setSshHost(const QString &text);

    /// Adds "10.0.0.5:6379=localhost:7001", or "10.0.0.5=localhost" for all ports. False for other text.
    bool addNodeAddress(const QByteArray &text);
    /// The entries as addNodeAddress() reads them: "A=B, C=D".
    QString nodeAddressesText() const;

    bool isBySentinels() const { return !sentinels.isEmpty(); }
    bool isGroup() const { return !members.isEmpty(); }
    /// True for a named user, whose permissions may be limited; the default user's seldom are.
    bool hasNamedUser() const { return !user.isEmpty() && user != "default"; }
    /// Makes this the address of a single server.
    void clearSentinels();
    ServerAddress sentinel(const NodeAddress &node) const;
    ServerAddress member(const NodeAddress &node) const;

    /// Reads "redis://[[user]:password@]host[:port][/db]", "rediss://…", "unix:///path?db=N", a path with a
    /// leading "/", or "host[:port]" ("[::1]:6379" for IPv6);
    /// "redis-sentinel://[[user]:password@]host[:port][,host[:port]…]/name[/db]", "rediss-sentinel://…",
    /// default port 26379; "redis-redlock://[[user]:password@]host[:port],host[:port][,…][/db]",
    /// "rediss-redlock://…"; each with an optional "?ssh=[user@]host" or "?proxy=socks5://host:port". User, password, name, path and SSH
    /// host may be percent-encoded. ErrorKind::InvalidArgument with a reason that never repeats the password.
    static Result<ServerAddress> parse(const QString &text);
    /// Reads "host[:port][,host[:port]…]" of Sentinels.
    static Result<QList<NodeAddress>> parseSentinels(QStringView text);
    /// Reads "host[:port],host[:port][,…]" of a Redlock group's members: at least two, all different.
    static Result<QList<NodeAddress>> parseMembers(QStringView text);

    /// For display, without passwords: "host:6379", "host:6379/2 (TLS)", "/run/redis.sock", "orders (Sentinel
    /// host:26379)", "host1:6379,host2:6379,host3:6379 (Redlock)", "localhost:6379 (SSH ops@bastion)".
    QString toDisplayString() const;

    /// A URI that parse() reads, without passwords; safe for a settings file.
    QString toUriWithoutPassword() const;

    friend bool operator==(const ServerAddress &, const ServerAddress &) = default;
};

} // namespace lockscope
