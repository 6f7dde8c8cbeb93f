// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace lockscope {

/// A real SSH server on a free loopback port; during its lifetime `ssh` in PATH uses a test configuration
/// that logs in as "test" by key. One at a time.
class SshServer
{
public:
    /// `arguments` for sshserver.py.
    explicit SshServer(const QStringList &arguments = {});
    ~SshServer();
    SshServer(const SshServer &) = delete;
    SshServer &operator=(const SshServer &) = delete;

    /// Returns a ServerAddress::sshHost, unique per server, since refusals are remembered briefly.
    QString host() const;
    void start(const QStringList &arguments = {}); ///< on the same port
    void stop();

    /// Writes ssh's configuration for the host. `lines` are appended and override nothing.
    void configure(const QByteArrayList &lines);
    /// Replaces a line of the default configuration ("IdentityFile" → "/nonexistent").
    void change(const QByteArray &name, const QByteArray &value);
    QString file(const char *name) const { return m_directory.filePath(QString::fromLatin1(name)); }
    /// Returns a line of known_hosts.
    QByteArray knownHost(const char *keyFile) const;

    int logins(); ///< total
    int passwordsTried();
    int open(); ///< logged in or about to be
    /// Returns the remaining tunnel directories of this process and its children.
    QStringList tunnels() const;

private:
    void read();
    void writeConfiguration() const;

    QTemporaryDir m_directory;
    QProcess m_process;
    QByteArray m_output;
    QByteArray m_path;      ///< original PATH
    QByteArray m_temporary; ///< original TMPDIR
    quint16 m_port = 0;
    QByteArrayList m_lines;
};

} // namespace lockscope
