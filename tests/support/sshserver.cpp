// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sshserver.h"

#include <QDir>
#include <QFile>
#include <QTest>

namespace lockscope {

namespace {

constexpr int patienceMs = 30'000;

void write(const QString &path, const QByteArray &text)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(text) != text.size())
        qFatal("cannot write %s", qPrintable(path));
}

void makeKey(const QString &path)
{
    QProcess keygen;
    keygen.start(QStringLiteral("ssh-keygen"),
                 {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"), QStringLiteral("-N"),
                  QString(), QStringLiteral("-f"), path});
    if (!keygen.waitForFinished(patienceMs) || keygen.exitCode() != 0)
        qFatal("ssh-keygen: %s", keygen.readAllStandardError().constData());
}

QByteArray read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

SshServer::SshServer(const QStringList &arguments) : m_path(qgetenv("PATH")), m_temporary(qgetenv("TMPDIR"))
{
    for (const char *key : {"host", "otherhost", "client"})
        makeKey(file(key));
    start(arguments);
    m_lines = {"HostName 127.0.0.1",
               "Port " + QByteArray::number(m_port),
               "User test",
               "IdentityFile " + file("client").toUtf8(),
               "IdentitiesOnly yes",
               "IdentityAgent none",
               "UserKnownHostsFile " + file("known").toUtf8(),
               "GlobalKnownHostsFile /dev/null",
               "StrictHostKeyChecking ask"};
    write(file("known"), knownHost("host"));
    QDir(m_directory.path()).mkdir(QStringLiteral("bin"));
    const QString wrapper = m_directory.filePath(QStringLiteral("bin/ssh"));
    write(wrapper, "#!/bin/sh\nPATH=${PATH#*:}\nexec ssh -F '" + file("config").toUtf8() + "' \"$@\"\n");
    QFile(wrapper).setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    writeConfiguration();
    qputenv("PATH", file("bin").toUtf8() + ':' + m_path);
    QDir(m_directory.path()).mkdir(QStringLiteral("t"));
    qputenv("TMPDIR", file("t").toUtf8());
}

SshServer::~SshServer()
{
    // A login outlives its last connection by a moment, and its directory is ours.
    if (!QTest::qWaitFor([this] { return tunnels().isEmpty(); }, patienceMs))
        qWarning("a login outlives its connections");
    qputenv("PATH", m_path);
    if (m_temporary.isEmpty())
        qunsetenv("TMPDIR");
    else
        qputenv("TMPDIR", m_temporary);
    stop();
}

QString SshServer::host() const
{
    return QStringLiteral("bastion%1").arg(m_port);
}

void SshServer::start(const QStringList &arguments)
{
    const qsizetype before = m_output.size();
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(QStringLiteral("/usr/bin/python3"),
                    QStringList{QStringLiteral("-Wignore"),
                                QStringLiteral(LOCKSCOPE_SOURCE_DIR "/tests/support/sshserver.py"),
                                QStringLiteral("--host-key"), file("host"), QStringLiteral("--authorized"),
                                file("client.pub"), QStringLiteral("--port"), QString::number(m_port)} +
                        arguments);
    while (!m_output.sliced(before).contains('\n')) {
        if (!m_process.waitForReadyRead(patienceMs))
            qFatal("the SSH server did not start");
        read();
    }
    const qsizetype at = m_output.indexOf("port ", before) + 5;
    m_port = m_output.sliced(at, m_output.indexOf('\n', at) - at).toUShort();
}

void SshServer::stop()
{
    m_process.kill();
    m_process.waitForFinished(patienceMs);
}

void SshServer::read()
{
    m_output += m_process.readAllStandardOutput();
}

void SshServer::configure(const QByteArrayList &lines)
{
    m_lines += lines;
    writeConfiguration();
}

void SshServer::change(const QByteArray &name, const QByteArray &value)
{
    for (QByteArray &line : m_lines) {
        if (line.startsWith(name + ' '))
            line = name + ' ' + value;
    }
    writeConfiguration();
}

void SshServer::writeConfiguration() const
{
    write(file("config"), "Host bastion*\n  " + m_lines.join("\n  ") + '\n');
}

QByteArray SshServer::knownHost(const char *keyFile) const
{
    const QByteArrayList words = lockscope::read(file(keyFile) + QStringLiteral(".pub")).split(' ');
    return "[127.0.0.1]:" + QByteArray::number(m_port) + ' ' + words.value(0) + ' ' + words.value(1) + '\n';
}

int SshServer::logins()
{
    m_process.waitForReadyRead(0);
    read();
    return int(m_output.count("login\n"));
}

int SshServer::passwordsTried()
{
    logins();
    return int(m_output.count("password\n"));
}

int SshServer::open()
{
    return logins() - int(m_output.count("lost\n"));
}

QStringList SshServer::tunnels() const
{
    return QDir(file("t")).entryList({QStringLiteral("lockscope-????????????")}, QDir::Dirs);
}

} // namespace lockscope
