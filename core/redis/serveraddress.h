// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/redis/nodeaddress.h"

#include <QHash>
#include <QList>
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

    QString caFile;          ///< PEM, or a directory of such; empty: the system's certificates
    QString certificateFile; ///< PEM, with keyFile: client certificate
    QString keyFile;
    QByteArray keyPassphrase;
    QString serverName; ///< SNI and the name that the certificate must carry; empty: host
    /// Where nodes of a cluster are reached that announce another address ("10.0.0.5:6379" or "10.0.0.5"), as behind NAT.
    QHash<QString, QString> nodeAddresses;
    /// SHA-256, in hexadecimal, of certificates of which one is to be the server's; not empty: whatever else is true of it.
    QList<QByteArray> pins;
    bool insecure = false; ///< the user said --insecure: any certificate is accepted

    QList<NodeAddress> sentinels; ///< not empty: they name the server, which host and port do not
    QString primaryName;          ///< under which they know it
    QByteArray sentinelUser;      ///< as user and password, of the Sentinels' own
    QByteArray sentinelPassword;
    bool readsReplica = false; ///< the one that they name is a replica of that primary

    /// Not empty: the independent primaries of a Redlock group, which host and port are not. Whatever else this address says
    /// holds for each of them.
    QList<NodeAddress> members;

    /// "[user@]host[:port]", as ssh takes it: whatever else this address names is reached from there. Empty: from here.
    QString sshHost;
    QString
        sshControl; ///< the control socket of a login there that another process of ours has; empty: our own login

    /// 64 hexadecimal digits, in any case, with colons or blanks or not, and "SHA256:" before them or not. False where it is none.
    bool addPin(const QByteArray &text);

    /// "[user@]host[:port]" or "ssh://…". False for what ssh could take for an option, or no host has.
    bool setSshHost(const QString &text);

    /// "10.0.0.5:6379=localhost:7001", or "10.0.0.5=localhost" for all ports. False where it is neither.
    bool addNodeAddress(const QByteArray &text);
    /// What addNodeAddress() reads, one behind the other: "A=B, C=D".
    QString nodeAddressesText() const;

    bool isBySentinels() const { return !sentinels.isEmpty(); }
    bool isGroup() const { return !members.isEmpty(); }
    /// One whose permissions somebody chose, it may be supposed: the default user's are seldom limited.
    bool hasNamedUser() const { return !user.isEmpty() && user != "default"; }
    /// A server that is one by itself.
    void clearSentinels();
    /// How one of its Sentinels is reached.
    ServerAddress sentinel(const NodeAddress &node) const;
    /// How one of the group is reached.
    ServerAddress member(const NodeAddress &node) const;

    /// Reads "redis://[[user]:password@]host[:port][/db]", "rediss://…", "unix:///path?db=N", a path that
    /// starts with "/", or "host[:port]" ("[::1]:6379" for IPv6), and
    /// "redis-sentinel://[[user]:password@]host[:port][,host[:port]…]/name[/db]", "rediss-sentinel://…", where the port is
    /// 26379 unless it is given, and "redis-redlock://[[user]:password@]host[:port],host[:port][,…][/db]", "rediss-redlock://…" of
    /// a Redlock group; behind any of them "?ssh=[user@]host". Percent-encoding is honoured in user, password, name,
    /// path and SSH host.
    /// ErrorKind::InvalidArgument with a reason that never repeats the password.
    static Result<ServerAddress> parse(const QString &text);
    /// Reads "host[:port][,host[:port]…]" of Sentinels.
    static Result<QList<NodeAddress>> parseSentinels(QStringView text);
    /// Reads "host[:port],host[:port][,…]" of the members of a Redlock group: two at least, none of them twice.
    static Result<QList<NodeAddress>> parseMembers(QStringView text);

    /// "host:6379", "host:6379/2 (TLS)", "/run/redis.sock", "orders (Sentinel host:26379)", "host1:6379,host2:6379,host3:6379 (Redlock)", "localhost:6379 (SSH ops@bastion)". Never
    /// user's secret.
    QString toDisplayString() const;

    /// A URI that parse() reads back, without the passwords: what may be written to a settings file.
    QString toUriWithoutPassword() const;

    friend bool operator==(const ServerAddress &, const ServerAddress &) = default;
};

} // namespace lockscope
