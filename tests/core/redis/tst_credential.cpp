// SPDX-License-Identifier: GPL-3.0-or-later
// Passwords that a command prints: what is read of them, and connections that outlive theirs.
#include "core/redis/credential.h"

#include "core/redis/blockingconnection.h"
#include "core/redis/connection.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"
#include "tests/support/tokenservice.h"

#include <QDateTime>
#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestCredential : public QObject
{
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void failures_data();
    void failures();
    void runsOnceForAll();
    void renewsInTime();
    void renewsBeforeABlockingCommand();
    void asksAgainAfterARefusal();
    void reconnectsWithTheSamePassword();
};

namespace {

constexpr qint64 now = 1'700'000'000;

QByteArray webToken(const QByteArray &claims)
{
    return "e30." + claims.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals) + ".c2ln";
}

} // namespace

void TestCredential::reads_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QByteArray>("password");
    QTest::addColumn<int>("seconds"); // -1: unknown
    const QByteArray token = webToken(R"({"exp":1700000300})");
    const QByteArray iam =
        "cache.example/?Action=connect&X-Amz-Date=20231114T221320Z&X-Amz-Expires=900&X-Amz-Signature=a";
    QTest::newRow("a password") << QByteArray("s3cret\n") << QByteArray("s3cret") << -1;
    QTest::newRow("with blanks") << QByteArray(" a b \r\n") << QByteArray(" a b ") << -1;
    QTest::newRow("no line end") << QByteArray("x") << QByteArray("x") << -1;
    QTest::newRow("with a life") << QByteArray("x\n60\n") << QByteArray("x") << 60;
    QTest::newRow("another second line") << QByteArray("x\nthanks\n") << QByteArray("x") << -1;
    QTest::newRow("no number") << QByteArray("x\nnan\n") << QByteArray("x") << -1;
    QTest::newRow("web token") << token + '\n' << token << 300;
    QTest::newRow("its life said otherwise") << token + "\n20\n" << token << 20;
    QTest::newRow("web token without end") << webToken("{}") << webToken("{}") << -1;
    QTest::newRow("three parts") << QByteArray("a.b.c") << QByteArray("a.b.c") << -1;
    QTest::newRow("IAM") << iam << iam << 900;
}

void TestCredential::reads()
{
    QFETCH(const QByteArray, output);
    QFETCH(const int, seconds);
    const auto credential = readCredential(output, QDateTime::fromSecsSinceEpoch(now, Qt::UTC));
    QVERIFY(credential);
    QTEST(credential->password, "password");
    QCOMPARE(credential->renewAt.has_value(), seconds >= 0);
    if (seconds < 0)
        return;
    const auto renewal = *credential->renewAt - credential->obtainedAt;
    QVERIFY(std::chrono::abs(renewal - std::chrono::seconds(seconds) * 3 / 4) < 1s);
}

void TestCredential::failures_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("empty") << " " << QByteArray("it is empty");
    QTest::newRow("no such program") << "/nonexistent/token"
                                     << QByteArray("“/nonexistent/token” cannot be started");
    QTest::newRow("exit status") << R"(sh -c "echo secret; echo one >&2; echo no login >&2; exit 3")"
                                 << QByteArray("exit status 3. It said: “no login”");
    QTest::newRow("nothing") << "true" << QByteArray("it printed no password");
    QTest::newRow("no shell") << "true; echo x" << QByteArray("“true;” cannot be started");
    QTest::newRow("ended") << R"(printf "x\n0\n")" << QByteArray("the password that it printed has ended");
    QTest::newRow("endless") << "yes" << QByteArray("no password within 30 s");
}

void TestCredential::failures()
{
    QFETCH(const QString, command);
    const auto credential = waitFor(credentialBy(command));
    QVERIFY(!credential);
    QCOMPARE(credential.error().kind, ErrorKind::NoCredential);
    QTEST(credential.error().text(), "reason");
}

void TestCredential::runsOnceForAll()
{
    const QTemporaryDir directory;
    const QString runs = directory.filePath(QStringLiteral("runs"));
    const QString command = QStringLiteral(R"(sh -c "echo >> %1; echo password; echo 1000")").arg(runs);
    QList<QFuture<Result<Credential>>> all;
    for (int i = 0; i < 20; ++i)
        all << credentialBy(command);
    for (const auto &each : all)
        QCOMPARE(waitFor(each)->password, QByteArray("password"));
    QVERIFY(waitFor(credentialBy(command)));
    QCOMPARE(QFileInfo(runs).size(), 1);
    forgetCredential(command, "another");
    QVERIFY(waitFor(credentialBy(command)));
    QCOMPARE(QFileInfo(runs).size(), 1);
    forgetCredential(command, "password");
    QVERIFY(waitFor(credentialBy(command)));
    QCOMPARE(QFileInfo(runs).size(), 2);
}

void TestCredential::renewsInTime()
{
    const RedisServer server;
    TokenService service(server, 2s);
    Connection connection(service.address());
    const QSignalSpy lost(&connection, &Connection::connectionLost);
    connection.open();
    QTRY_COMPARE(connection.state(), Connection::State::Ready);
    QTRY_VERIFY_WITH_TIMEOUT(service.tokens().size() >= 3, 30'000);
    service.cutOlderThan(service.tokens()[1]);
    QCOMPARE(waitFor(connection.send({"PING"}))->text, QByteArray("PONG"));
    QVERIFY(lost.isEmpty());
    QCOMPARE(service.accepted(), 1);
}

void TestCredential::renewsBeforeABlockingCommand()
{
    const RedisServer server;
    TokenService service(server, 2s);
    Result<void> opened;
    Result<Reply> later;
    const std::unique_ptr<QThread> worker(QThread::create([&] {
        BlockingConnection connection(service.address(), {.commandDeadline = 10s});
        opened = connection.open();
        std::this_thread::sleep_for(1600ms);
        later = connection.send({"PING"});
    }));
    worker->start();
    QTRY_VERIFY_WITH_TIMEOUT(worker->isFinished(), 30'000);
    QVERIFY(opened && later);
    QCOMPARE(service.tokens().size(), 2);
}

/// A service that ends a token early: the command is asked for another.
void TestCredential::asksAgainAfterARefusal()
{
    const RedisServer server;
    TokenService service(server, 1000s);
    Connection connection(service.address());
    connection.open();
    QTRY_COMPARE(connection.state(), Connection::State::Ready);
    service.revoke(service.tokens().last());
    QTRY_VERIFY(service.tokens().size() == 2 && connection.state() == Connection::State::Ready);
    QVERIFY(waitFor(connection.send({"PING"})));
}

void TestCredential::reconnectsWithTheSamePassword()
{
    const RedisServer server;
    TokenService service(server, 1000s);
    Connection connection(service.address());
    QSignalSpy ready(&connection, &Connection::ready);
    connection.open();
    QVERIFY(ready.wait());
    server.cli({"CLIENT", "KILL", "TYPE", "normal"});
    QVERIFY(ready.wait());
    QCOMPARE(service.count("AUTH"), 2);
    QCOMPARE(service.tokens().size(), 1);
}

QTEST_GUILESS_MAIN(TestCredential)
#include "tst_credential.moc"
