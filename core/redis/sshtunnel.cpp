// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/sshtunnel.h"

#include "core/redis/sshlogin.h"

#include <QCoreApplication>
#include <QThread>

#include <map>
#include <memory>
#include <utility>

namespace lockscope {

namespace {

/// All logins by host, on their own thread, from the first use to the end of the application.
class SshLogins : public QObject
{
public:
    static SshLogins &instance();

    /// Runs `work` on its thread, without locks.
    template <typename Work>
    void later(Work work)
    {
        QMetaObject::invokeMethod(this, std::move(work), Qt::QueuedConnection);
    }

    SshLogin &at(const ServerAddress &address)
    {
        std::unique_ptr<SshLogin> &login = m_logins[{address.sshHost, address.sshControl}];
        if (!login)
            login = std::make_unique<SshLogin>(address.sshHost, address.sshControl, prompting());
        return *login;
    }

    static SshLogin::Prompting &prompting()
    {
        static SshLogin::Prompting chosen;
        return chosen;
    }

    void end()
    {
        QMetaObject::invokeMethod(
            this, [this] { m_logins.clear(); }, Qt::BlockingQueuedConnection);
        m_thread.quit();
        m_thread.wait();
    }

private:
    SshLogins()
    {
        m_thread.setObjectName(QStringLiteral("ssh"));
        moveToThread(&m_thread);
        m_thread.start();
    }

    QThread m_thread;
    std::map<std::pair<QString, QString>, std::unique_ptr<SshLogin>> m_logins;
};

SshLogins &SshLogins::instance()
{
    // Never destroyed: whoever ends after the application may still let go of a hold. Its thread ends with it.
    static SshLogins *const logins = [] {
        auto *made = new SshLogins; // NOLINT(cppcoreguidelines-owning-memory): see above
        qAddPostRoutine([] { instance().end(); });
        return made;
    }();
    return *logins;
}

/// The target as ssh takes it after the local socket's path.
QString targetOf(const ServerAddress &address)
{
    return address.transport == ServerAddress::Transport::Unix
               ? address.socketPath
               : NodeAddress{address.host, address.port}.toDisplayString();
}

} // namespace

namespace SshTunnel {

void setPrompts(Prompts prompts, const QString &program)
{
    SshLogins::prompting() = {prompts, program};
}

QFuture<Result<QString>> open(const ServerAddress &address)
{
    const auto way = std::make_shared<QPromise<Result<QString>>>();
    way->start();
    QFuture<Result<QString>> future = way->future();
    SshLogins &logins = SshLogins::instance();
    logins.later([&logins, address, way] { logins.at(address).open(targetOf(address), way); });
    return future;
}

QFuture<std::optional<Error>> whyNot(const ServerAddress &address, const QString &socketPath,
                                     bool hasReceived)
{
    const auto why = std::make_shared<QPromise<std::optional<Error>>>();
    why->start();
    QFuture<std::optional<Error>> future = why->future();
    SshLogins &logins = SshLogins::instance();
    logins.later([&logins, address, socketPath, hasReceived, why] {
        logins.at(address).explain(socketPath, hasReceived, why);
    });
    return future;
}

QString controlOf(const ServerAddress &address)
{
    if (address.sshHost.isEmpty())
        return {};
    SshLogins &logins = SshLogins::instance();
    QString control;
    QMetaObject::invokeMethod(
        &logins, [&] { control = logins.at(address).control(); }, Qt::BlockingQueuedConnection);
    return control;
}

Hold::Hold(const ServerAddress &address)
{
    if (address.sshHost.isEmpty())
        return;
    m_address = address;
    SshLogins &logins = SshLogins::instance();
    logins.later([&logins, address] { logins.at(address).hold(); });
}

Hold::~Hold()
{
    if (!m_address)
        return;
    SshLogins &logins = SshLogins::instance();
    logins.later([&logins, address = *m_address] { logins.at(address).release(); });
}

Hold::Hold(Hold &&other) noexcept : m_address(std::exchange(other.m_address, std::nullopt)) {}

Hold &Hold::operator=(Hold &&other) noexcept
{
    std::swap(m_address, other.m_address);
    return *this;
}

} // namespace SshTunnel

} // namespace lockscope
