// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/connectiontest.h"

#include "core/redis/whendone.h"

#include <QHostAddress>

#include <algorithm>

namespace lockscope {

namespace {

using State = StepReport::State;

QList<ConnectionStep> stepsOf(const ServerAddress &address)
{
    QList<ConnectionStep> steps;
    // Through a tunnel, names are looked up over there, and what fails is a failure of the way.
    const bool hasName = address.transport != ServerAddress::Transport::Unix && !address.isBySentinels() &&
                         !address.isGroup() && address.sshHost.isEmpty() && address.proxy.isEmpty() &&
                         QHostAddress(address.host).isNull();
    if (hasName)
        steps.append(ConnectionStep::Name);
    steps.append(ConnectionStep::Route);
    if (address.transport == ServerAddress::Transport::Tls)
        steps.append(ConnectionStep::Encryption);
    return steps + QList{ConnectionStep::Login, ConnectionStep::Role, ConnectionStep::Permission};
}

} // namespace

ConnectionStep stepOf(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::HostNotFound:
        return ConnectionStep::Name;
    case ErrorKind::TlsFailed:
        return ConnectionStep::Encryption;
    case ErrorKind::NotOfGroup:
    case ErrorKind::NoUsableReplica:
    case ErrorKind::ReadOnlyReplica:
        return ConnectionStep::Role;
    case ErrorKind::ConnectionRefused:
    case ErrorKind::ConnectTimeout:
    case ErrorKind::NoSuchSocket:
    case ErrorKind::NodeNotReached:
    case ErrorKind::PrimaryNotReached:
    case ErrorKind::SentinelNotReached:
    case ErrorKind::SshNotReached:
    case ErrorKind::SshRefused:
    case ErrorKind::NotReachedFromSsh:
    case ErrorKind::NetworkFailed:
    case ErrorKind::NotConnected:
    case ErrorKind::Canceled:
        return ConnectionStep::Route;
    default: // something is there, and answers
        return ConnectionStep::Login;
    }
}

ConnectionTest::ConnectionTest(const ServerAddress &address, const QList<QByteArray> &patterns,
                               QObject *parent)
    : QObject(parent),
      m_address(address),
      m_patterns(patterns),
      m_deployment(std::make_unique<Deployment>(
          address, Connection::Options{.clientName = "lockscope-test", .readOnly = true, .reconnect = false}))
{
    for (const ConnectionStep step : stepsOf(address))
        m_steps.append({.step = step});
}

ConnectionTest::~ConnectionTest() = default;

void ConnectionTest::start()
{
    Link &link = m_deployment->link();
    connect(&link, &Link::ready, this, &ConnectionTest::checkPermissions);
    connect(&link, &Link::connectionLost, this, &ConnectionTest::fail);
    connect(&link, &Link::connectionRefused, this, &ConnectionTest::fail);
    m_deployment->open();
}

StepReport *ConnectionTest::reportOf(ConnectionStep step)
{
    const auto found = std::ranges::find(m_steps, step, &StepReport::step);
    return found == m_steps.end() ? nullptr : &*found;
}

/// Steps before the failed one count as passed.
void ConnectionTest::fail(const Error &why)
{
    if (m_hasEnded)
        return;
    ConnectionStep failed = stepOf(why.kind);
    while (!reportOf(failed)) // of an address without it: what comes next
        failed = ConnectionStep(int(failed) + 1);
    for (StepReport &report : m_steps) {
        if (report.step < failed)
            report.state = State::Passed;
    }
    reportOf(failed)->state = State::Failed;
    reportOf(failed)->why = why;
    finish();
}

void ConnectionTest::checkPermissions()
{
    if (m_hasEnded || reportOf(ConnectionStep::Login)->state == State::Passed)
        return;
    for (StepReport &report : m_steps) {
        if (report.step < ConnectionStep::Permission)
            report.state = State::Passed;
    }
    StepReport &role = *reportOf(ConnectionStep::Role);
    const Shard &first = *m_deployment->shards().first();
    if (const auto &replicaOf = first.server().replicaOf; replicaOf && !m_deployment->isCluster())
        role.primary = replicaOf->primary;
    role.servers = static_cast<int>(m_deployment->shards().size());

    AclRequest request;
    request.role = AclRole::Monitor;
    request.patterns = m_patterns;
    request.isCluster = m_deployment->isCluster();
    auto *check = new AclCheck(m_deployment->nodeAddresses().first(), request, this);
    connect(check, &AclCheck::ended, this, [this](const Result<AclVerdict> &verdict) {
        StepReport &permission = *reportOf(ConnectionStep::Permission);
        permission.state = !verdict                      ? State::Untold
                           : !verdict->missing.isEmpty() ? State::Failed
                           : !verdict->untold.isEmpty()  ? State::Untold
                                                         : State::Passed;
        if (verdict)
            permission.missing = verdict->missing;
        else
            permission.why = verdict.error();
        readInfo();
    });
    check->start();
}

void ConnectionTest::readInfo()
{
    if (m_hasEnded)
        return;
    whenDone(this, m_deployment->shards().first()->send({"INFO"}), [this](const Result<Reply> &reply) {
        if (reply)
            m_info = reply->text;
        finish();
    });
}

void ConnectionTest::finish()
{
    if (std::exchange(m_hasEnded, true))
        return;
    emit ended(m_steps);
}

} // namespace lockscope
