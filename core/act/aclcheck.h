// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/leastprivilege.h"
#include "core/redis/connection.h"

#include <QObject>

namespace lockscope {

/// Permissions that a login lacks for a role at one server.
struct AclVerdict
{
    AclServer server = AclServer::Redis7; ///< assumed kind of server
    QList<QByteArray> missing;            ///< missing rules: "+getrange", "%R~lock:*", "&redisson_sc:*"
    QList<QByteArray> absent;             ///< commands that the server does not have
    QList<QByteArray> untold;             ///< rules that could not be checked

    friend bool operator==(const AclVerdict &, const AclVerdict &) = default;
};

/// Checks a login's permissions without executing anything: the commands are queued in a transaction, where
/// the server checks permissions, and the connection is closed instead. Keys have names that no key has. Each
/// refusal is an entry in the server's ACL LOG. One connection; valid for that moment and these names.
class AclCheck : public QObject
{
    Q_OBJECT

public:
    /// `request.server` is replaced by the server's own kind.
    AclCheck(const ServerAddress &address, AclRequest request, QObject *parent = nullptr);

    void start();

signals:
    /// Emitted once. An Error: the server was unreachable or refused the login.
    void ended(const lockscope::Result<lockscope::AclVerdict> &verdict);

private:
    struct Probe
    {
        QByteArray rule;
        QList<QByteArray> words;
        QByteArray name;             ///< first argument
        bool tellsOfCommand = false; ///< otherwise about the key or channel with that name
    };

    void begin();
    void ask(const std::vector<Probe> &probes, int arguments);
    void finish(const Result<AclVerdict> &verdict);
    std::vector<Probe> probes() const;
    void judge(const Probe &probe, const Reply &answer);

    Connection m_connection;
    AclRequest m_request;
    QByteArray m_name; ///< for open parts of patterns
    AclVerdict m_verdict;
    bool m_hasEnded = false;
};

/// A name that matches the glob, with `open` for parts of more than a byte; empty if none was found.
QByteArray nameMatching(QByteArrayView glob, const QByteArray &open);

} // namespace lockscope
