// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

namespace lockscope {

/// A D-Bus session bus without service activation and GNOME Keyring, in a temporary home, for this process
/// and its children. Stops both daemons by PID. Members call qFatal() if they are unavailable.
class Keyring
{
public:
    Keyring(); ///< starts the bus only
    ~Keyring();
    Keyring(const Keyring &) = delete;
    Keyring &operator=(const Keyring &) = delete;

    QString home() const { return m_home.path(); }
    void start(); ///< unlocked; does nothing if running, since clients keep the first one
    void lock();  ///< no prompt can unlock it
    /// True if there is an entry with this attribute, locked or not.
    bool has(const QString &attribute, const QString &value) const;

private:
    static QByteArray call(const QString &method, const QStringList &arguments = {});

    QTemporaryDir m_home;
    QProcess m_bus;
    QProcess m_daemon;
};

} // namespace lockscope
