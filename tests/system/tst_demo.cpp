// SPDX-License-Identifier: GPL-3.0-or-later
// lockscope-cli --demo as a whole program: what it shows at once, and what is left of it however it ends.
#include "tests/support/jsondocuments.h"
#include "tests/support/redisserver.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace lockscope;

namespace {

const QString program = QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope-cli");

QString socketBelow(const QString &directory)
{
    QDirIterator entries(directory, {QStringLiteral("s")}, QDir::System, QDirIterator::Subdirectories);
    return entries.hasNext() ? entries.next() : QString();
}

pid_t pidOfServer(const QString &socket)
{
    const Ran info =
        runProgram(QStringLiteral("redis-cli"), {"-s", QFile::encodeName(socket), "INFO", "server"});
    const QRegularExpression line(QStringLiteral("process_id:(\\d+)"));
    return static_cast<pid_t>(line.match(QString::fromLatin1(info.out)).captured(1).toInt());
}

} // namespace

class TestDemo : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void listShowsEveryKindOfLock();
    void nothingIsLeft_data();
    void nothingIsLeft();
};

void TestDemo::listShowsEveryKindOfLock()
{
    const Ran ran = runProgram(program, {"--demo", "list", "--json", "--all"});
    QCOMPARE(ran.err, "");
    QCOMPARE(ran.exitCode, 0);
    const QJsonArray locks = QJsonDocument::fromJson(ran.out).object()[QLatin1StringView("locks")].toArray();
    QVERIFY2(locks.size() >= 15, ran.out.constData());
    QSet<QString> seen;
    for (const auto &lock : locks) {
        seen.insert(lock[QLatin1StringView("family")].toString());
        for (const auto &problem : lock[QLatin1StringView("problems")].toArray())
            seen.insert(problem.toString());
        seen.insert(lock[QLatin1StringView("no_expiry")].toString());
        seen.insert(lock[QLatin1StringView("standing")].toString());
    }
    for (const char *wanted : {"reentrant", "token", "redisson-fair", "unknown", "no-expiry", "bad-count",
                               "several-owners", "open", "possible"})
        QVERIFY2(seen.contains(QString::fromLatin1(wanted)), wanted);
}

void TestDemo::nothingIsLeft_data()
{
    QTest::addColumn<int>("signal");
    QTest::addColumn<bool>("orderly");
    QTest::newRow("Ctrl-C") << SIGINT << true;
    QTest::newRow("terminate") << SIGTERM << true;
    QTest::newRow("kill -9") << SIGKILL << false;
}

void TestDemo::nothingIsLeft()
{
    QFETCH(int, signal);
    QFETCH(bool, orderly);
    const QTemporaryDir temporary;
    QProcess demo;
    demo.setEnvironment(QProcess::systemEnvironment() +
                        QStringList{QStringLiteral("TMPDIR=") + temporary.path()});
    demo.start(program, {QStringLiteral("--demo"), QStringLiteral("watch"), QStringLiteral("--json")});
    QByteArray printed;
    QTRY_VERIFY_WITH_TIMEOUT((printed += demo.readAllStandardOutput()).contains("\"acquired\""), 20'000);
    keptJson("watch", printed);
    const pid_t server = pidOfServer(socketBelow(temporary.path()));
    QVERIFY(server > 0);

    ::kill(static_cast<pid_t>(demo.processId()), signal);
    QVERIFY(demo.waitForFinished());
    QCOMPARE(demo.exitStatus(), orderly ? QProcess::NormalExit : QProcess::CrashExit);
    QVERIFY(!orderly || demo.exitCode() == 0);
    QTRY_VERIFY(::kill(server, 0) != 0);
    QTRY_VERIFY(QDir(temporary.path()).isEmpty());
}

QTEST_GUILESS_MAIN(TestDemo)
#include "tst_demo.moc"
