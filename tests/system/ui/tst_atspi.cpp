// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself, as another program sees it by AT-SPI, the way of screen readers.
#include "tests/support/redisserver.h"

#include <QProcessEnvironment>
#include <QtTest>

#include <algorithm>
#include <csignal>

#include <sys/prctl.h>

using namespace lockscope;

class AtspiTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_server.cli({"SET", "lock:plain", "owner-1", "PX", "86400000"});
        m_server.cli({"SET", "lock:endless", "7c9e6679-7425-40de-944b-e07fc1f90ae7"});
        QProcess session;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HOME"), m_home.path());
        environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), m_home.path());
        for (const char *name :
             {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY"})
            environment.remove(QString::fromLatin1(name));
        session.setProcessEnvironment(environment);
        session.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGTERM); });
        const QString here = QStringLiteral(LOCKSCOPE_SOURCE_DIR "/tests/system/ui/");
        session.start(QStringLiteral("dbus-run-session"),
                      {QStringLiteral("--"), here + QStringLiteral("atspi_session"), m_home.path(),
                       here + QStringLiteral("atspi_walk.py"), QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope"),
                       QStringLiteral("-s"), m_server.socketPath(), QStringLiteral("--"),
                       QStringLiteral("lock:plain"), QStringLiteral("lock:endless")});
        // More than the walk's own patience, less than ctest's.
        const bool hasEnded = session.waitForFinished(200'000);
        if (!hasEnded) {
            session.terminate();
            session.waitForFinished();
        }
        const QByteArray said = session.readAllStandardError();
        QVERIFY2(hasEnded, said.constData());
        QVERIFY2(session.exitStatus() == QProcess::NormalExit && session.exitCode() == 0, said.constData());
        for (const QByteArray &line : session.readAllStandardOutput().split('\n'))
            m_lines.append(QString::fromUtf8(line).split(u'\t'));
    }

    void everyControlHasANameAndARole()
    {
        int controls = 0;
        for (const QStringList &line : m_lines) {
            if (line.first() != QLatin1String("node"))
                continue;
            static const QStringList named{
                QStringLiteral("push button"),  QStringLiteral("toggle button"), QStringLiteral("check box"),
                QStringLiteral("radio button"), QStringLiteral("text"),          QStringLiteral("combo box"),
                QStringLiteral("table"),        QStringLiteral("tree"),          QStringLiteral("list"),
                QStringLiteral("image"),        QStringLiteral("button"),        QStringLiteral("icon"),
                QStringLiteral("frame")};
            const bool isControl = line[3] == QLatin1String("focusable") || named.contains(line[1]);
            QVERIFY2(!isControl || !line[2].trimmed().isEmpty(), qPrintable(line.join(u'|')));
            controls += isControl;
        }
        QVERIFY2(controls > 10, qPrintable(QString::number(controls)));
    }

    void tablesHaveNamedColumns()
    {
        int tables = 0;
        for (const QStringList &line : m_lines) {
            if (line.first() != QLatin1String("columns"))
                continue;
            ++tables;
            QVERIFY2(!line.contains(QString()), qPrintable(line.join(u'|')));
        }
        QVERIFY(tables > 0);
    }

    void rowsSayKeyStateAndOwner()
    {
        QVERIFY(hasRow({QStringLiteral("lock:plain"), QStringLiteral("Held"), QStringLiteral("owner-1")}));
        QVERIFY(hasRow({QStringLiteral("lock:endless"), QStringLiteral("Held"),
                        QStringLiteral("7c9e6679-7425-40de-944b-e07fc1f90ae7")}));
    }

private:
    bool hasRow(const QStringList &cells) const
    {
        return std::ranges::any_of(m_lines, [&cells](const QStringList &line) {
            return line.first() == QLatin1String("row") &&
                   std::ranges::all_of(cells, [&line](const QString &cell) { return line.contains(cell); });
        });
    }

    const RedisServer m_server;
    const QTemporaryDir m_home;
    QList<QStringList> m_lines;
};

QTEST_GUILESS_MAIN(AtspiTest)
#include "tst_atspi.moc"
