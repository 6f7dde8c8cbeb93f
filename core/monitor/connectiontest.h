// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/aclcheck.h"
#include "core/redis/deployment/deployment.h"

#include <QList>
#include <QObject>

#include <memory>
#include <optional>

namespace lockscope {

/// Steps from an address to a server that can be monitored, in this order.
enum class ConnectionStep : quint8 {
    Name,       ///< the host's name has an address
    Route,      ///< something accepts connections there
    Encryption, ///< TLS, and a certificate that is trusted
    Login,      ///< the server speaks Redis and lets the user in
    Role,       ///< a primary, or another role
    Permission, ///< all commands for monitoring are allowed
};

struct StepReport
{
    enum class State : quint8 {
        Passed,
        Failed,
        Untold,
        NotReached, ///< an earlier step failed
    };
    ConnectionStep step;
    State state = State::NotReached;
    std::optional<Error> why{};  ///< for Failed and Untold; shown by describe()
    QList<QByteArray> missing{}; ///< Permission: missing ACL rules
    std::optional<NodeAddress> primary{};
    int servers = 1; ///< Role: nodes of a cluster, members of a group
};

/// The step at which such an error occurs.
ConnectionStep stepOf(ErrorKind kind);

/// Tries an address once, as a monitor would use it; changes nothing and reads no lock. Permission checks
/// that are refused appear in the server's ACL LOG.
class ConnectionTest : public QObject
{
    Q_OBJECT

public:
    ConnectionTest(const ServerAddress &address, const QList<QByteArray> &patterns,
                   QObject *parent = nullptr);
    ~ConnectionTest() override;

    void start();
    /// The reply to INFO of the first server; empty: not read.
    const QByteArray &info() const { return m_info; }

signals:
    /// Emitted once, with the steps that apply to this address.
    void ended(const QList<lockscope::StepReport> &steps);

private:
    void checkPermissions();
    void readInfo();
    void fail(const Error &why);
    StepReport *reportOf(ConnectionStep step);
    void finish();

    const ServerAddress m_address;
    const QList<QByteArray> m_patterns;
    std::unique_ptr<Deployment> m_deployment;
    QList<StepReport> m_steps;
    QByteArray m_info;
    bool m_hasEnded = false;
};

} // namespace lockscope
