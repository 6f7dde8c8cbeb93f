// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/loginpassword.h"

#include <QFutureWatcher>

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto retry = 5s;
constexpr auto shortestRenewal = 1s; // a command that prints a password of no life runs no oftener

} // namespace

LoginPassword::LoginPassword(QObject *parent) : QObject(parent), m_renewal(this)
{
    m_renewal.setSingleShot(true);
    m_renewal.setTimerType(Qt::PreciseTimer); // one that fires early would obtain the same password
    connect(&m_renewal, &QTimer::timeout, this, &LoginPassword::ending);
}

void LoginPassword::obtain(const ServerAddress &address)
{
    m_login = address;
    if (address.passwordCommand.isEmpty())
        return emit obtained();
    auto *watcher = new QFutureWatcher<Result<Credential>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        watcher->deleteLater();
        if (m_awaited == watcher)
            take(watcher->result());
    });
    m_awaited = watcher;
    watcher->setFuture(credentialBy(address.passwordCommand));
}

void LoginPassword::take(const Result<Credential> &credential)
{
    m_awaited = nullptr;
    if (!credential) { // a connection that stands is good for a while
        m_renewal.start(retry);
        return emit failed(credential.error());
    }
    m_login.password = credential->password;
    if (credential->renewAt)
        m_renewal.start(std::max<milliseconds>(
            std::chrono::ceil<milliseconds>(*credential->renewAt - Clock::now()) + 1ms, shortestRenewal));
    emit obtained();
}

void LoginPassword::stop()
{
    m_awaited = nullptr;
    m_renewal.stop();
}

void LoginPassword::refused()
{
    if (m_login.passwordCommand.isEmpty())
        return;
    forgetCredential(m_login.passwordCommand, m_login.password);
    m_renewal.start(retry);
}

} // namespace lockscope
