// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redisserver.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QLocalSocket>
#include <QTcpServer>

#include <csignal>

namespace lockscope {

namespace {

/// Redis 6 has the bus of a cluster's node 10,000 above its port.
bool isFreeForBus(quint16 port)
{
    constexpr int above = 10'000;
    QTcpServer probe;
    return port + above <= 65'535 && probe.listen(QHostAddress::LocalHost, quint16(port + above));
}

quint16 freePort(bool hasBusAbove)
{
    for (int attempt = 0; attempt < 1000; ++attempt) {
        QTcpServer probe;
        if (!probe.listen(QHostAddress::LocalHost))
            break;
        if (!hasBusAbove || isFreeForBus(probe.serverPort()))
            return probe.serverPort();
    }
    qFatal("no free loopback port");
}

} // namespace

RedisServer::RedisServer(QStringList settings, const QStringList &environment)
    : m_settings(std::move(settings))
{
    m_process.setEnvironment(QProcess::systemEnvironment() + environment);
    if (!m_directory.isValid())
        qFatal("no temporary directory");
    start();
}

RedisServer::~RedisServer()
{
    kill();
}

QByteArrayList knownRules(QByteArrayList words)
{
    if (RedisServer::majorVersion() >= 7)
        return words;
    words.removeIf([](const QByteArray &word) { return word.startsWith('&') || word == "allchannels"; });
    for (QByteArray &word : words)
        word.replace("%R~", "~").replace("resetchannels", "-publish");
    // A subcommand can't be taken away by itself there.
    if (const qsizetype at = words.indexOf("-client|tracking"); at >= 0) {
        words[at] = "-client";
        for (const char *kept : {"caching", "getname", "id", "kill", "list", "pause", "setname", "unblock"})
            words.insert(at + 1, QByteArray("+client|") + kept);
    }
    return words;
}

namespace {

/// Without what an older server does not know and does not need.
QStringList knownSettings(const QStringList &settings)
{
    QByteArrayList words;
    for (const QString &setting : settings)
        words.append(setting.toUtf8());
    words = knownRules(words);
    for (const char *newer : {"--enable-debug-command", "--cluster-port"}) {
        const qsizetype at = words.indexOf(newer);
        if (at >= 0 && RedisServer::majorVersion() < 7)
            words.remove(at, 2);
    }
    QStringList known;
    for (const QByteArray &word : std::as_const(words))
        known.append(QString::fromUtf8(word));
    return known;
}

} // namespace

QByteArray scriptPath(const QByteArray &script)
{
    const QByteArray path = LOCKSCOPE_SOURCE_DIR "/lua/" + script + ".lua";
    if (RedisServer::majorVersion() >= 7)
        return path;
    static const QTemporaryDir directory;
    QFile file(QFile::decodeName(path));
    QFile plain(directory.filePath(QString::fromLatin1(script).replace(u'/', u'-')));
    if (!file.open(QIODevice::ReadOnly) || !plain.open(QIODevice::WriteOnly))
        qFatal("no script %s", script.constData());
    file.readLine();
    plain.write(file.readAll());
    return QFile::encodeName(plain.fileName());
}

int RedisServer::majorVersion()
{
    static const int found = [] {
        const QByteArray said = runProgram(QStringLiteral("redis-server"), {"--version"}).out;
        const qsizetype at = said.indexOf("v=") + 2; // "Redis server v=7.0.15 …", "Valkey server v=8.1.1 …"
        const int number = said.mid(at, said.indexOf('.', at) - at).toInt();
        return said.startsWith("Valkey") ? 7 : number;
    }();
    return found;
}

void RedisServer::start()
{
    const bool hasBusAbove = majorVersion() < 7 && m_settings.contains(QLatin1String("--cluster-enabled"));
    // Another program may take the port between the look and redis-server's bind: try a few.
    for (int attempt = 0; attempt < 5; ++attempt) {
        m_port = m_port == 0 || attempt > 0 ? freePort(hasBusAbove) : m_port;
        QStringList arguments{QStringLiteral("--port"),       QString::number(m_port),
                              QStringLiteral("--bind"),       QStringLiteral("127.0.0.1"),
                              QStringLiteral("--unixsocket"), socketPath(),
                              QStringLiteral("--save"),       QString(),
                              QStringLiteral("--appendonly"), QStringLiteral("no"),
                              QStringLiteral("--dir"),        m_directory.path(),
                              QStringLiteral("--logfile"),    m_directory.filePath(QStringLiteral("log"))};
        // A file with its configuration, which a Sentinel writes as well, comes before everything else.
        const bool hasFile = !m_settings.isEmpty() && !m_settings.first().startsWith(QLatin1String("--"));
        QStringList settings = knownSettings(m_settings.sliced(hasFile ? 1 : 0));
        settings.replaceInStrings(QStringLiteral("%port"), QString::number(m_port));
        m_process.start(QStringLiteral("redis-server"),
                        m_settings.first(hasFile ? 1 : 0) + arguments + settings);
        if (!m_process.waitForStarted())
            qFatal("redis-server does not start: %s", qPrintable(m_process.errorString()));
        QDeadlineTimer deadline(10'000);
        while (!deadline.hasExpired() && m_process.state() == QProcess::Running) {
            QLocalSocket socket;
            socket.connectToServer(socketPath());
            // One that answers listens everywhere: it opens the socket before its port for TLS.
            if (socket.waitForConnected(100) && socket.write("PING\r\n") > 0 && socket.waitForReadyRead(1000))
                return;
            m_process.waitForFinished(5);
        }
        kill();
    }
    qFatal("redis-server did not come up");
}

void RedisServer::restartWith(const QStringList &settings)
{
    kill();
    m_settings += settings;
    start();
}

void RedisServer::stop()
{
    resume();
    m_process.terminate();
    m_process.waitForFinished();
}

void RedisServer::kill()
{
    m_process.kill();
    m_process.waitForFinished();
}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes the server
void RedisServer::pause()
{
    ::kill(static_cast<pid_t>(pid()), SIGSTOP);
}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes the server
void RedisServer::resume()
{
    if (pid() > 0)
        ::kill(static_cast<pid_t>(pid()), SIGCONT);
}

QString RedisServer::socketPath() const
{
    return m_directory.filePath(QStringLiteral("s"));
}

ServerAddress RedisServer::socketAddress() const
{
    ServerAddress address;
    address.transport = ServerAddress::Transport::Unix;
    address.socketPath = socketPath();
    return address;
}

ServerAddress RedisServer::tcpAddress() const
{
    ServerAddress address;
    address.host = QStringLiteral("127.0.0.1");
    address.port = m_port;
    return address;
}

QByteArray RedisServer::cli(const QList<QByteArray> &arguments, const QByteArray &input) const
{
    const bool setsUser = arguments.value(0) == "ACL" && arguments.value(1) == "SETUSER";
    const Ran ran = runProgram(QStringLiteral("redis-cli"),
                               QList<QByteArray>{"-s", socketPath().toLocal8Bit()} +
                                   (setsUser ? knownRules(arguments) : arguments),
                               input);
    return ran.out.endsWith('\n') ? ran.out.chopped(1) : ran.out;
}

Ran runProgram(const QString &program, const QList<QByteArray> &arguments, const QByteArray &input,
               const QStringList &environment)
{
    // QProcess takes arguments as text and would change bytes that are no UTF-8, so they travel as printf escapes
    // through a shell, which hands them on exactly.
    QByteArray line = "exec \"$0\"";
    for (const QByteArray &argument : arguments) {
        line += " $'";
        for (const char c : argument)
            line += "\\x" + QByteArray(1, c).toHex();
        line += '\'';
    }
    QProcess process;
    process.setEnvironment(QProcess::systemEnvironment() + environment);
    process.start(QStringLiteral("/bin/bash"), {QStringLiteral("-c"), QString::fromLatin1(line), program});
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000)) {
        process.kill();
        process.waitForFinished();
        qWarning("%s did not end within 60 s", qPrintable(program));
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace lockscope
