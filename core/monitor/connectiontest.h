// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/aclcheck.h"
#include "core/redis/deployment/deployment.h"

#include <QList>
#include <QObject>

#include <memory>
#include <optional>

namespace lockscope {

/// The way from an address to a server that can be watched, step by step, in this order.
enum class ConnectionStep : quint8 {
    Name,       ///< the host's name has an address
    Route,      ///< something accepts connections there
    Encryption, ///< TLS, and a certificate that is trusted
    Login,      ///< the server speaks Redis and lets the user in
    Role,       ///< a primary, or what else it is
    Permission, ///< all that watching needs is allowed
};

struct StepReport
{
    enum class State : quint8 {
        Passed,
        Failed,
        Untold,     ///< nobody can say
        NotReached, ///< a step before it failed
    };
    ConnectionStep step;
    State state = State::NotReached;
    std::optional<Error> why{};           ///< Failed, Untold: for describe()
    QList<QByteArray> missing{};          ///< Permission: the rules to ask for
    std::optional<NodeAddress> primary{}; ///< Role: a replica's
    int servers = 1;                      ///< Role: nodes of a cluster, members of a group
};

/// At which step a connection failed so.
ConnectionStep stepOf(ErrorKind kind);

/// Tries an address once, as a monitor would use it, without changing anything and without looking at a lock. What is asked for
/// permissions stands in the server's ACL LOG where it is refused.
class ConnectionTest : public QObject
{
    Q_OBJECT

public:
    ConnectionTest(const ServerAddress &address, const QList<QByteArray> &patterns,
                   QObject *parent = nullptr);
    ~ConnectionTest() override;

    void start();

signals:
    /// Once: the steps that this address has.
    void ended(const QList<lockscope::StepReport> &steps);

private:
    void checkPermissions();
    void fail(const Error &why);
    StepReport *reportOf(ConnectionStep step);
    void finish();

    const ServerAddress m_address;
    const QList<QByteArray> m_patterns;
    std::unique_ptr<Deployment> m_deployment;
    QList<StepReport> m_steps;
    bool m_hasEnded = false;
};

} // namespace lockscope
