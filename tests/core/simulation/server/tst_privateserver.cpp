// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/server/privateserver.h"
#include "tests/support/redisserver.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QtTest>

#include <csignal>
#include <cstdio>
#include <unistd.h>

using namespace lockscope;

namespace {

/// Sets an environment variable for the length of a scope.
class ScopedVariable
{
public:
    ScopedVariable(const char *name, const QByteArray &value) : m_name(name), m_before(qgetenv(name))
    {
        qputenv(name, value);
    }
    ~ScopedVariable() { qputenv(m_name, m_before); }
    Q_DISABLE_COPY_MOVE(ScopedVariable)

private:
    const char *m_name;
    QByteArray m_before;
};

QByteArray askBySocket(const QString &socket, const QList<QByteArray> &question)
{
    return runProgram(QStringLiteral("redis-cli"),
                      QList<QByteArray>{"-s", QFile::encodeName(socket)} + question)
        .out.trimmed();
}

pid_t pidOfServer(const QString &socket)
{
    const QByteArray info = askBySocket(socket, {"INFO", "server"});
    const auto match =
        QRegularExpression(QStringLiteral("process_id:(\\d+)")).match(QString::fromLatin1(info));
    return static_cast<pid_t>(match.captured(1).toInt());
}

bool isRunning(pid_t pid)
{
    return ::kill(pid, 0) == 0;
}

QByteArray readProc(const QString &pid, const QString &name)
{
    QFile file(QStringLiteral("/proc/%1/%2").arg(pid, name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// As ps shows it: 'T' where it is stopped.
char stateOf(pid_t pid)
{
    const QByteArray stat = readProc(QString::number(pid), QStringLiteral("stat"));
    return stat.mid(stat.lastIndexOf(')') + 2).at(0);
}

/// Every process that was started with this directory, or in it: a server and those who look after it.
QStringList processesOf(const QString &directory)
{
    const QByteArray path = directory.toLocal8Bit();
    QStringList pids = QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[0-9]*")}, QDir::Dirs);
    pids.removeIf([&](const QString &pid) {
        const QString home = QFile::symLinkTarget(QStringLiteral("/proc/%1/cwd").arg(pid));
        return !home.startsWith(directory) && !readProc(pid, QStringLiteral("cmdline")).contains(path);
    });
    return pids;
}

void simulate(PrivateServer &server, const QByteArray &fault)
{
    if (fault == "pause")
        server.pause();
    else if (fault == "restart")
        server.restart();
}

} // namespace

class TestPrivateServer : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void answersOnItsSocketAlone();
    void childrenKnowNoPassword();
    void persistsNothingAndIsClosedToOthers();
    void twoDoNotMeet();
    void leavesNothingBehind();
    void aLongTemporaryPathStillFitsASocket();
    void saysWhatToInstall();
    void saysWhatTheServerPrinted();
    void aPausedServerAnswersWhenItResumes();
    void aRestartLosesTheDataAndKeepsTheAddress();
    void faultsAreCarriedOutInOrder();
    void aServerThatDiesByItselfLeavesNothing();
    void aFaultAfterItsEndIsNone();
    void goesWhileItIsFaulty_data();
    void goesWhileItIsFaulty();
    void aKilledProgramLeavesNothing_data();
    void aKilledProgramLeavesNothing();
    void serverHasItsOwnSession();
};

void TestPrivateServer::answersOnItsSocketAlone()
{
    PrivateServer server;
    const auto started = server.start();
    QVERIFY2(started, started ? "" : started.error().text().constData());
    QCOMPARE(server.address().transport, ServerAddress::Transport::Unix);
    QVERIFY(server.address().socketPath.toLocal8Bit().size() < 100);
    QCOMPARE(askBySocket(server.address().socketPath, {"SET", "k", "v"}), "OK");
    QCOMPARE(askBySocket(server.address().socketPath, {"GET", "k"}), "v");
    QCOMPARE(askBySocket(server.address().socketPath, {"CONFIG", "GET", "port"}), "port\n0");
    // As the kernel has it: none of its descriptors is a socket that listens for TCP.
    const QString pid = QString::number(pidOfServer(server.address().socketPath));
    const QDir descriptors(QStringLiteral("/proc/%1/fd").arg(pid));
    const QByteArray tcp =
        readProc(pid, QStringLiteral("net/tcp")) + readProc(pid, QStringLiteral("net/tcp6"));
    const QRegularExpression isSocket(QStringLiteral("socket:\\[(\\d+)\\]"));
    QVERIFY(!descriptors.entryList(QDir::System | QDir::Files).isEmpty());
    for (const QFileInfo &descriptor : descriptors.entryInfoList(QDir::System | QDir::Files)) {
        const QString target = descriptor.symLinkTarget();
        const QByteArray inode = isSocket.match(target).captured(1).toLatin1();
        QVERIFY2(inode.isEmpty() || !tcp.contains(' ' + inode + ' '), qPrintable(target));
    }
}

/// What stands in the environment of our program is a password of another server.
void TestPrivateServer::childrenKnowNoPassword()
{
    const ScopedVariable password("REDISCLI_AUTH", "canary-7f3a");
    const ScopedVariable ofSentinels("LOCKSCOPE_SENTINEL_AUTH", "canary-7f3a");
    const ScopedVariable ofKey("LOCKSCOPE_KEY_PASSPHRASE", "canary-7f3a");
    PrivateServer server;
    QVERIFY(server.start());
    const QStringList pids = processesOf(QFileInfo(server.address().socketPath).path());
    QVERIFY2(pids.size() >= 2, qPrintable(pids.join(u' '))); // the shell and the server
    for (const QString &pid : pids) {
        QVERIFY(!readProc(pid, QStringLiteral("environ")).contains("canary-7f3a"));
        QVERIFY(!readProc(pid, QStringLiteral("cmdline")).contains("canary-7f3a"));
    }
    QVERIFY(readProc(pids.first(), QStringLiteral("environ")).contains("PATH=")); // all else is there
}

void TestPrivateServer::persistsNothingAndIsClosedToOthers()
{
    PrivateServer server;
    QVERIFY(server.start());
    const QString socket = server.address().socketPath;
    QCOMPARE(askBySocket(socket, {"CONFIG", "GET", "save"}), "save");
    QCOMPARE(askBySocket(socket, {"CONFIG", "GET", "appendonly"}), "appendonly\nno");
    QCOMPARE(askBySocket(socket, {"CONFIG", "GET", "maxmemory"}), "maxmemory\n268435456");
    const auto forOwner = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadUser |
                          QFile::WriteUser | QFile::ExeUser;
    QCOMPARE(QFileInfo(socket).permissions(), forOwner);
    QCOMPARE(QFileInfo(QFileInfo(socket).path()).permissions(), forOwner);
}

void TestPrivateServer::twoDoNotMeet()
{
    PrivateServer one;
    PrivateServer two;
    QVERIFY(one.start());
    QVERIFY(two.start());
    QVERIFY(one.address().socketPath != two.address().socketPath);
    QCOMPARE(askBySocket(one.address().socketPath, {"SET", "k", "v"}), "OK");
    QCOMPARE(askBySocket(two.address().socketPath, {"EXISTS", "k"}), "0");
}

void TestPrivateServer::leavesNothingBehind()
{
    pid_t pid = 0;
    QString directory;
    {
        PrivateServer server;
        QVERIFY(server.start());
        directory = QFileInfo(server.address().socketPath).path();
        pid = pidOfServer(server.address().socketPath);
        QVERIFY(isRunning(pid));
    }
    QVERIFY(!isRunning(pid));
    QVERIFY(!QFileInfo::exists(directory));
}

void TestPrivateServer::aLongTemporaryPathStillFitsASocket()
{
    QTemporaryDir parent;
    const QString deep = parent.filePath(QString(60, QLatin1Char('d')) + QStringLiteral("/with space"));
    QVERIFY(QDir().mkpath(deep));
    const ScopedVariable variable("TMPDIR", deep.toLocal8Bit());
    PrivateServer server;
    QVERIFY(server.start());
    QVERIFY(server.address().socketPath.toLocal8Bit().size() < 100);
}

void TestPrivateServer::saysWhatToInstall()
{
    const QTemporaryDir empty;
    const ScopedVariable variable("PATH", empty.path().toLocal8Bit());
    PrivateServer server;
    const auto started = server.start();
    QVERIFY(!started);
    QCOMPARE(started.error().text(), "Install redis-server: apt-get install redis-server");
}

void TestPrivateServer::saysWhatTheServerPrinted()
{
    const QTemporaryDir directory;
    QFile fake(directory.filePath(QStringLiteral("redis-server")));
    QVERIFY(fake.open(QIODevice::WriteOnly));
    fake.write("#!/bin/sh\necho 'Fatal: no more colors' >&2\nexit 1\n");
    fake.close();
    QVERIFY(fake.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    const ScopedVariable variable("PATH", directory.path().toLocal8Bit() + ':' + qgetenv("PATH"));
    PrivateServer server;
    const auto started = server.start();
    QVERIFY(!started);
    QVERIFY2(started.error().text().contains("Fatal: no more colors"), started.error().text().constData());
}

void TestPrivateServer::aPausedServerAnswersWhenItResumes()
{
    PrivateServer server;
    QVERIFY(server.start());
    const QString socket = server.address().socketPath;
    const pid_t pid = pidOfServer(socket);
    server.pause();
    QTRY_COMPARE(stateOf(pid), 'T');
    QProcess client;
    client.start(QStringLiteral("redis-cli"), {QStringLiteral("-s"), socket, QStringLiteral("PING")});
    QVERIFY(!client.waitForFinished(200));
    server.resume();
    QVERIFY(client.waitForFinished());
    QCOMPARE(client.readAllStandardOutput(), "PONG\n");
    QCOMPARE(pidOfServer(socket), pid);
}

void TestPrivateServer::aRestartLosesTheDataAndKeepsTheAddress()
{
    PrivateServer server;
    QVERIFY(server.start());
    const QString socket = server.address().socketPath;
    const pid_t first = pidOfServer(socket);
    QCOMPARE(askBySocket(socket, {"SET", "k", "v"}), "OK");
    server.restart();
    QTRY_VERIFY(!isRunning(first));
    QTRY_COMPARE(askBySocket(socket, {"EXISTS", "k"}), "0");
    QCOMPARE(server.address().socketPath, socket);
    QCOMPARE(askBySocket(socket, {"CONFIG", "GET", "save"}), "save");
    QVERIFY(pidOfServer(socket) != first);
}

void TestPrivateServer::faultsAreCarriedOutInOrder()
{
    PrivateServer server;
    QVERIFY(server.start());
    const QString socket = server.address().socketPath;
    QList<pid_t> servers{pidOfServer(socket)};
    for (int round = 0; round < 5; ++round) {
        server.pause();
        server.restart();
        server.pause(); // the new one
        server.resume();
        QTRY_VERIFY(!isRunning(servers.last()));
        QTRY_COMPARE(askBySocket(socket, {"PING"}), "PONG");
        servers.append(pidOfServer(socket));
    }
    server.restart();
    server.restart();
    server.pause();
    QTRY_VERIFY(!isRunning(servers.last()));
    server.resume();
    QTRY_COMPARE(askBySocket(socket, {"PING"}), "PONG");
}

void TestPrivateServer::aServerThatDiesByItselfLeavesNothing()
{
    PrivateServer server;
    QVERIFY(server.start());
    const QString socket = server.address().socketPath;
    ::kill(pidOfServer(socket), SIGKILL);
    QTRY_VERIFY(!QFileInfo::exists(QFileInfo(socket).path()));
}

void TestPrivateServer::aFaultAfterItsEndIsNone()
{
    PrivateServer server;
    server.restart(); // never started
    QVERIFY(server.start());
    const QString socket = server.address().socketPath;
    const pid_t pid = pidOfServer(socket);
    ::kill(pid, SIGTERM);
    QTRY_VERIFY(!QFileInfo::exists(QFileInfo(socket).path()));
    server.pause();
    server.resume();
    server.restart();
    QVERIFY(!isRunning(pid));
}

void TestPrivateServer::goesWhileItIsFaulty_data()
{
    QTest::addColumn<QByteArray>("fault");
    QTest::newRow("paused") << QByteArray("pause");
    QTest::newRow("restarting") << QByteArray("restart");
}

void TestPrivateServer::goesWhileItIsFaulty()
{
    QFETCH(QByteArray, fault);
    QString directory;
    {
        PrivateServer server;
        QVERIFY(server.start());
        directory = QFileInfo(server.address().socketPath).path();
        simulate(server, fault);
    }
    QVERIFY(!QFileInfo::exists(directory));
    QTRY_COMPARE(processesOf(directory), QStringList());
}

void TestPrivateServer::aKilledProgramLeavesNothing_data()
{
    QTest::addColumn<int>("signal");
    QTest::addColumn<QByteArray>("fault");
    QTest::newRow("kill -9") << SIGKILL << QByteArray();
    QTest::newRow("terminate") << SIGTERM << QByteArray();
    QTest::newRow("Ctrl-C") << SIGINT << QByteArray();
    QTest::newRow("terminal closed") << SIGHUP << QByteArray();
    QTest::newRow("kill -9, paused") << SIGKILL << QByteArray("pause");
    QTest::newRow("terminate, paused") << SIGTERM << QByteArray("pause");
    QTest::newRow("kill -9, restarting") << SIGKILL << QByteArray("restart");
    QTest::newRow("terminate, restarting") << SIGTERM << QByteArray("restart");
}

void TestPrivateServer::aKilledProgramLeavesNothing()
{
    QFETCH(int, signal);
    QFETCH(QByteArray, fault);
    QProcess program;
    // A session of its own, so that the signal can go to the whole group, as a terminal sends it.
    program.setChildProcessModifier([] { ::setsid(); });
    program.start(QStringLiteral(LOCKSCOPE_BIN_DIR "/tst_core_simulation_server_privateserver"),
                  {QStringLiteral("--own-a-server"), QString::fromLatin1(fault)});
    QTRY_VERIFY_WITH_TIMEOUT(program.canReadLine(), 20'000);
    const QString directory = QFileInfo(QString::fromLocal8Bit(program.readLine().trimmed())).path();
    QVERIFY(!processesOf(directory).isEmpty());
    QCOMPARE(program.state(), QProcess::Running); // else it has no group

    ::kill(-static_cast<pid_t>(program.processId()), signal);
    QVERIFY(program.waitForFinished());
    QCOMPARE(program.exitStatus(), QProcess::CrashExit);
    QTRY_VERIFY(!QFileInfo::exists(directory));
    QTRY_COMPARE(processesOf(directory), QStringList());
}

void TestPrivateServer::serverHasItsOwnSession()
{
    PrivateServer server;
    QVERIFY(server.start());
    QVERIFY(::getsid(pidOfServer(server.address().socketPath)) != ::getsid(0));
}

namespace {

/// The program that gets killed: this test, started again with an argument.
int ownAServer()
{
    PrivateServer server;
    if (!server.start())
        return 1;
    simulate(server, QCoreApplication::arguments().value(2).toLatin1());
    std::puts(server.address().socketPath.toLocal8Bit().constData());
    std::fflush(stdout);
    return QCoreApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    if (QCoreApplication::arguments().value(1) == QStringLiteral("--own-a-server"))
        return ownAServer();
    TestPrivateServer test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_privateserver.moc"
