// SPDX-License-Identifier: GPL-3.0-or-later
// `alert` on a real server: what it prints, and what its command and a webhook get.
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QTcpServer>
#include <QTcpSocket>

#include <csignal>

using namespace lockscope;

namespace {

constexpr int patienceMs = 30'000;

/// The program, from its first line on.
class Alerter
{
public:
    /// `reader`: of what it prints, else next().
    Alerter(const RedisServer &server, const QStringList &options, QProcess *reader = nullptr)
    {
        if (reader)
            m_process.setStandardOutputProcess(reader);
        m_process.start(CliProgram::path(), QStringList{QStringLiteral("-s"), server.socketPath(),
                                                        QStringLiteral("--json"), QStringLiteral("alert")} +
                                                options);
    }
    ~Alerter()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    QJsonObject next()
    {
        if (!QTest::qWaitFor([this] { return m_process.canReadLine(); }, patienceMs))
            return {{QStringLiteral("no line"), QString::fromUtf8(m_process.readAllStandardError())}};
        return jsonIn(keptJson("alert", m_process.readLine()));
    }
    QByteArray errors() { return m_errors += m_process.readAllStandardError(); }
    qint64 pid() const { return m_process.processId(); }
    bool hasLine() { return m_process.canReadLine(); }
    bool isRunning() const { return m_process.state() == QProcess::Running; }
    /// With this process' event loop running, for a Receiver that lives in it. Its exit status.
    int wait()
    {
        return QTest::qWaitFor([this] { return !isRunning(); }, patienceMs) ? m_process.exitCode() : -1;
    }
    int end()
    {
        m_process.terminate();
        return wait();
    }

private:
    QProcess m_process;
    QByteArray m_errors;
};

/// A receiver that answers each request with the next of the given statuses, the last one for ever. 0: it closes the connection.
class Receiver
{
public:
    explicit Receiver(QList<int> statuses) : m_statuses(std::move(statuses))
    {
        if (!m_server.listen(QHostAddress::LocalHost))
            qFatal("no port");
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this] {
            QTcpSocket *socket = m_server.nextPendingConnection();
            QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket] { take(socket); });
        });
    }

    QString url() const
    {
        return QStringLiteral("http://127.0.0.1:%1/hook/s3cret").arg(m_server.serverPort());
    }
    QByteArrayList bodies;
    bool isEndless = false; ///< an answer goes on as long as it is read

private:
    void take(QTcpSocket *socket)
    {
        QByteArray &text = m_texts[socket];
        text += socket->readAll();
        const qsizetype head = text.indexOf("\r\n\r\n");
        const qsizetype at = text.toLower().indexOf("content-length: ");
        if (head < 0 || at < 0)
            return;
        const qsizetype length = text.mid(at + 16, text.indexOf('\r', at) - at - 16).toLongLong();
        if (text.size() < head + 4 + length)
            return;
        bodies.append(text.mid(head + 4, length));
        text.clear();
        const int status = m_statuses.size() > 1 ? m_statuses.takeFirst() : m_statuses.first();
        if (status == 0)
            return socket->close();
        socket->write("HTTP/1.1 " + QByteArray::number(status) + " x\r\nContent-Length: " +
                      QByteArray::number(isEndless ? 1'000'000'000'000 : 0) + "\r\n\r\n");
        if (isEndless)
            QObject::connect(socket, &QTcpSocket::bytesWritten, socket, [socket] {
                if (socket->bytesToWrite() == 0)
                    socket->write(QByteArray(64 * 1024, 'x'));
            });
    }

    QTcpServer m_server;
    QList<int> m_statuses;
    QHash<QTcpSocket *, QByteArray> m_texts;
};

} // namespace

class TstCliAlert : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void alertsAreRaisedAndEnd();
    void whileItIsSuspendedNothingBreaksARule();
    void aCommandGetsThem();
    void aCommandGetsNoPasswords();
    void aFailingCommandIsToldOf_data();
    void aFailingCommandIsToldOf();
    void aWebhookGetsThem();
    void aCommandIsWaitedForWhereNobodyReads();
    void aWebhookThatFailsIsAskedAgain();
    void whatWaitsForAWebhookIsSentAtTheEnd();
    void anAnswerWithoutEndHoldsUpNothing();
    void anAnswerThatDoesNotComeIsToldOf();
    void wrongOptionsAreRefused();

private:
    void lockWithoutExpiry(const QByteArray &key)
    {
        m_server.cli({"SET", key, "4b1f6f0e-5a3c-4f0b-9a57-2d6c1f7f3f10"});
    }

    RedisServer m_server;
    CliProgram m_cli;
};

void TstCliAlert::init()
{
    m_server.cli({"FLUSHALL"});
}

/// What has gone meanwhile was not held too long.
void TstCliAlert::whileItIsSuspendedNothingBreaksARule()
{
    Alerter alerter(m_server, {QStringLiteral("--max-held"), QStringLiteral("8")});
    QCOMPARE(alerter.next()[QLatin1String("event")], QJsonValue(QStringLiteral("ready")));
    m_server.cli({"SET", "lock:gone", "4b1f6f0e-5a3c-4f0b-9a57-2d6c1f7f3f10", "PX", "600000"});
    m_server.cli({"SET", "lock:kept", "4b1f6f0e-5a3c-4f0b-9a57-2d6c1f7f3f11", "PX", "600000"});
    QTest::qWait(1'500); // they are known
    ::kill(static_cast<pid_t>(alerter.pid()), SIGSTOP);
    m_server.cli({"DEL", "lock:gone"});
    QTest::qWait(10'000);
    ::kill(static_cast<pid_t>(alerter.pid()), SIGCONT);
    const QJsonObject raised = alerter.next();
    QCOMPARE(raised[QLatin1String("key")], QJsonValue(QStringLiteral("lock:kept")));
    QCOMPARE(alerter.end(), 0);
    QVERIFY(!alerter.hasLine());
}

void TstCliAlert::alertsAreRaisedAndEnd()
{
    m_server.cli({"SET", "lock:ordinary", "x", "PX", "60000"});
    // As good as for ever: no clock may turn around.
    Alerter alerter(m_server, {QStringLiteral("--duration"), QStringLiteral("1000000000000")});
    QCOMPARE(alerter.next()[QStringLiteral("event")].toString(), QStringLiteral("ready"));
    lockWithoutExpiry("lock:\"stuck\"\n");
    const QJsonObject raised = alerter.next();
    QCOMPARE(raised[QStringLiteral("event")].toString(), QStringLiteral("raised"));
    QCOMPARE(raised[QStringLiteral("alert")].toString(), QStringLiteral("open-no-expiry"));
    QCOMPARE(raised[QStringLiteral("key")].toString(), QStringLiteral("lock:\"stuck\"\n"));
    QVERIFY(raised[QStringLiteral("message")].toString().contains(QStringLiteral("4b1f6f0e")));
    m_server.cli({"DEL", "lock:\"stuck\"\n"});
    const QJsonObject ended = alerter.next();
    QCOMPARE(ended[QStringLiteral("event")].toString(), QStringLiteral("ended"));
    QCOMPARE(ended[QStringLiteral("number")], raised[QStringLiteral("number")]);
    QCOMPARE(alerter.end(), 0);
}

void TstCliAlert::aCommandGetsThem()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("got"));
    lockWithoutExpiry("lock:a");
    // Neither is a key part of the command.
    lockWithoutExpiry("lock:$(touch " + QFile::encodeName(path) + ".harm)");
    Alerter alerter(m_server, {QStringLiteral("--run"), QStringLiteral("cat >>'%1'").arg(path)});
    QTRY_COMPARE_WITH_TIMEOUT(
        [&] {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll().count('\n') : 0;
        }(),
        2, patienceMs);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(jsonIn(file.readLine())[QStringLiteral("alert")].toString(), QStringLiteral("open-no-expiry"));
    QVERIFY(!QFile::exists(path + QStringLiteral(".harm")));
    QCOMPARE(alerter.end(), 0);
}

/// They are of the server, and not the command's.
void TstCliAlert::aCommandGetsNoPasswords()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("got"));
    qputenv("LOCKSCOPE_SENTINEL_AUTH", "s3cret");
    lockWithoutExpiry("lock:a");
    Alerter alerter(m_server,
                    {QStringLiteral("--run"), QStringLiteral("env >'%1.part'; mv '%1.part' '%1'").arg(path)});
    qunsetenv("LOCKSCOPE_SENTINEL_AUTH");
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), patienceMs);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray environment = file.readAll();
    QVERIFY(environment.contains("PATH="));
    QVERIFY(!environment.contains("s3cret"));
    QCOMPARE(alerter.end(), 0);
}

void TstCliAlert::aFailingCommandIsToldOf_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("status") << QStringLiteral("exit 3") << QByteArray("exit status 3");
    QTest::newRow("signal") << QStringLiteral("kill -9 $$") << QByteArray("ended by a signal");
}

void TstCliAlert::aFailingCommandIsToldOf()
{
    QFETCH(const QString, command);
    QFETCH(const QByteArray, says);
    lockWithoutExpiry("lock:a");
    Alerter alerter(m_server, {QStringLiteral("--run"), command});
    QTRY_VERIFY_WITH_TIMEOUT(alerter.errors().contains(says), patienceMs);
    QCOMPARE(alerter.end(), 0);
}

void TstCliAlert::aWebhookGetsThem()
{
    Receiver receiver({204});
    lockWithoutExpiry("lock:a");
    Alerter alerter(m_server, {QStringLiteral("--webhook"), receiver.url()});
    QTRY_COMPARE_WITH_TIMEOUT(receiver.bodies.size(), 1, patienceMs);
    const QJsonArray alerts = jsonIn(receiver.bodies.first())[QStringLiteral("alerts")].toArray();
    QCOMPARE(alerts.size(), 1);
    QCOMPARE(alerts.first()[QStringLiteral("key")].toString(), QStringLiteral("lock:a"));
    QCOMPARE(alerter.end(), 0);
}

void TstCliAlert::aWebhookThatFailsIsAskedAgain()
{
    Receiver receiver({500, 200});
    lockWithoutExpiry("lock:a");
    Alerter alerter(m_server, {QStringLiteral("--webhook"), receiver.url()});
    QTRY_COMPARE_WITH_TIMEOUT(receiver.bodies.size(), 2, patienceMs);
    QCOMPARE(receiver.bodies[0], receiver.bodies[1]);
    QTRY_VERIFY_WITH_TIMEOUT(alerter.errors().contains("HTTP status 500"), patienceMs);
    QVERIFY(!alerter.errors().contains("s3cret"));
    QCOMPARE(alerter.end(), 0);
}

/// Its command has the alert, and is not killed for it.
void TstCliAlert::aCommandIsWaitedForWhereNobodyReads()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("got"));
    lockWithoutExpiry("lock:a");
    QProcess reader; // of the line that says that it is ready
    Alerter alerter(
        m_server,
        {QStringLiteral("--run"),
         QStringLiteral("touch '%1.begun'; until [ -e '%1.go' ]; do sleep 0.02; done; cat >'%1'").arg(path)},
        &reader);
    reader.start(QStringLiteral("head"), {QStringLiteral("-n1")});
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path + QStringLiteral(".begun")), patienceMs);
    QVERIFY(QTest::qWaitFor([&reader] { return reader.state() == QProcess::NotRunning; }, patienceMs));
    QTest::qWait(600); // it looks every 250 ms
    QVERIFY(alerter.isRunning());
    QVERIFY(QFile(path + QStringLiteral(".go")).open(QIODevice::WriteOnly));
    QCOMPARE(alerter.wait(), 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(jsonIn(file.readLine())[QStringLiteral("key")].toString(), QStringLiteral("lock:a"));
    QVERIFY2(!alerter.errors().contains("Delivery unknown"), alerter.errors());
}

/// It would be sent again after 8 s, and there are 5.
void TstCliAlert::whatWaitsForAWebhookIsSentAtTheEnd()
{
    Receiver receiver({500, 500, 500, 500, 200});
    lockWithoutExpiry("lock:a");
    Alerter alerter(m_server, {QStringLiteral("--webhook"), receiver.url()});
    QTRY_COMPARE_WITH_TIMEOUT(receiver.bodies.size(), 4, patienceMs);
    QCOMPARE(alerter.end(), 0);
    QCOMPARE(receiver.bodies.size(), 5);
    QVERIFY2(!alerter.errors().contains("Delivery unknown"), alerter.errors());
}

void TstCliAlert::anAnswerWithoutEndHoldsUpNothing()
{
    Receiver receiver({200});
    receiver.isEndless = true;
    lockWithoutExpiry("lock:a");
    Alerter alerter(m_server, {QStringLiteral("--webhook"), receiver.url()});
    QTRY_COMPARE_WITH_TIMEOUT(receiver.bodies.size(), 1, patienceMs);
    lockWithoutExpiry("lock:b");
    QTRY_COMPARE_WITH_TIMEOUT(receiver.bodies.size(), 2, patienceMs);
    QCOMPARE(alerter.end(), 0);
    QVERIFY2(!alerter.errors().contains("webhook"), alerter.errors()); // its status says that it has them
}

void TstCliAlert::anAnswerThatDoesNotComeIsToldOf()
{
    Receiver receiver({0});
    lockWithoutExpiry("lock:a");
    Alerter alerter(m_server, {QStringLiteral("--webhook"), receiver.url()});
    QTRY_VERIFY_WITH_TIMEOUT(alerter.errors().contains("connection closed without a reply"), patienceMs);
    QCOMPARE(alerter.end(), 5); // nobody has had any
    QVERIFY2(alerter.errors().contains("Delivery unknown: 1 alerts"), alerter.errors());
}

void TstCliAlert::wrongOptionsAreRefused()
{
    const QList<QList<QByteArray>> lines{{"--webhook", "ftp://x/s3cret"},
                                         {"--webhook", "s3cret"},
                                         {"--run", " "},
                                         {"--unusual", "1"},
                                         {"--max-waiters", "-1"}};
    for (const QList<QByteArray> &line : lines) {
        const Ran ran = CliProgram::on(m_server, QList<QByteArray>{"alert"} + line);
        QCOMPARE(ran.exitCode, 2);
        QVERIFY2(!ran.err.contains("s3cret"), ran.err.constData());
    }
}

QTEST_GUILESS_MAIN(TstCliAlert)
#include "tst_clialert.moc"
