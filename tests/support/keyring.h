// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

namespace lockscope {

/// A home of its own with a D-Bus session bus that starts no service by itself, and GNOME Keyring on it: for this process, and for
/// those that it starts, from its construction to its end. Both daemons are stopped by pid. Every member fails the test by qFatal()
/// where they can't be had.
class Keyring
{
public:
    Keyring(); ///< with a bus, and no keyring yet
    ~Keyring();
    Keyring(const Keyring &) = delete;
    Keyring &operator=(const Keyring &) = delete;

    QString home() const { return m_home.path(); }
    void start(); ///< unlocked; nothing where it is there already, since no client gets used to another one
    void lock();  ///< nobody can be asked to unlock it
    /// Whether there is an entry of this attribute, locked or not.
    bool has(const QString &attribute, const QString &value) const;

private:
    static QByteArray call(const QString &method, const QStringList &arguments = {});

    QTemporaryDir m_home;
    QProcess m_bus;
    QProcess m_daemon;
};

} // namespace lockscope
