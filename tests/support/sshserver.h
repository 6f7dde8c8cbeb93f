// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace lockscope {

/// A real SSH host on a free loopback port, and the system's ssh set up to log in there as "test" by a key: from its
/// construction to its end the first ssh in PATH is one that reads a configuration of the test's own. One at a time.
class SshServer
{
public:
    /// `arguments`: of sshserver.py.
    explicit SshServer(const QStringList &arguments = {});
    ~SshServer();
    SshServer(const SshServer &) = delete;
    SshServer &operator=(const SshServer &) = delete;

    /// For ServerAddress::sshHost. Another one for each server: a refusal is remembered for a moment.
    QString host() const;
    void start(const QStringList &arguments = {}); ///< again, at the same port
    void stop();

    /// ssh's configuration for the host. Lines after it are added, and win over none of it.
    void configure(const QByteArrayList &lines);
    /// What a line of the usual configuration becomes ("IdentityFile" → "/nonexistent").
    void change(const QByteArray &name, const QByteArray &value);
    QString file(const char *name) const { return m_directory.filePath(QString::fromLatin1(name)); }
    /// As ssh writes it into known_hosts.
    QByteArray knownHost(const char *keyFile) const;

    int logins(); ///< so far
    int passwordsTried();
    int open(); ///< logged in now, or about to be
    /// Directories of tunnels that this process or its children have made and not removed.
    QStringList tunnels() const;

private:
    void read();
    void writeConfiguration() const;

    QTemporaryDir m_directory;
    QProcess m_process;
    QByteArray m_output;
    QByteArray m_path;      ///< PATH, as it was
    QByteArray m_temporary; ///< and TMPDIR
    quint16 m_port = 0;
    QByteArrayList m_lines;
};

} // namespace lockscope
