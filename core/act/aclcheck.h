// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/leastprivilege.h"
#include "core/redis/connection.h"

#include <QObject>

namespace lockscope {

/// What a login may not do at one server, of what a role needs there.
struct AclVerdict
{
    AclServer server = AclServer::Redis7; ///< as which it was asked
    QList<QByteArray> missing;            ///< rules: "+getrange", "%R~lock:*", "&redisson_sc:*"
    QList<QByteArray> absent;             ///< commands that the server does not have
    QList<QByteArray> untold;             ///< rules of which the answers did not tell

    friend bool operator==(const AclVerdict &, const AclVerdict &) = default;
};

/// Finds out what a login may do, without doing any of it: the commands are queued in a transaction, where the server checks
/// permissions, and the connection is closed instead of executing it. Keys are names that no key has. Each refusal is a line
/// in the server's ACL LOG. One connection; an answer is that moment's, and of these names.
class AclCheck : public QObject
{
    Q_OBJECT

public:
    /// `request.server` is replaced by what the server says of itself.
    AclCheck(const ServerAddress &address, AclRequest request, QObject *parent = nullptr);

    void start();

signals:
    /// Once. An Error: the server could not be reached or refused the login.
    void ended(const lockscope::Result<lockscope::AclVerdict> &verdict);

private:
    struct Probe
    {
        QByteArray rule;
        QList<QByteArray> words;
        QByteArray name;             ///< the first argument
        bool tellsOfCommand = false; ///< else of the key or the channel of that name
    };

    void begin();
    void ask(const std::vector<Probe> &probes, int arguments);
    void finish(const Result<AclVerdict> &verdict);
    std::vector<Probe> probes() const;
    void judge(const Probe &probe, const Reply &answer);

    Connection m_connection;
    AclRequest m_request;
    QByteArray m_name; ///< for what a pattern leaves open
    AclVerdict m_verdict;
    bool m_hasEnded = false;
};

/// A name that the glob matches, with `open` where it leaves more than a byte open; empty where none was found.
QByteArray nameMatching(QByteArrayView glob, const QByteArray &open);

} // namespace lockscope
