// SPDX-License-Identifier: GPL-3.0-or-later
// What packaging/run-servers says before it unpacks anything; the servers themselves are for its own runs.
#include "tests/support/redisserver.h"

#include <QFile>
#include <QtTest>

using namespace lockscope;

class TestRunServers : public QObject
{
    Q_OBJECT

private slots:
    void anUnknownServerIsNamed()
    {
        const Ran ran = runProgram(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/packaging/run-servers"),
                                   {"redis-7.0", "redis-5.0"});
        QCOMPARE(ran.exitCode, 2);
        QCOMPARE(ran.err,
                 "==> there is no server redis-5.0; known: redis-6.0 redis-7.0 redis-8.0 valkey-8.1\n");
        QCOMPARE(ran.out, "");
    }

    /// The documented results are of these servers.
    void theDocumentHasThemAll()
    {
        QFile script(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/packaging/run-servers"));
        QFile document(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/packaging/docs/servers.md"));
        QVERIFY(script.open(QIODevice::ReadOnly) && document.open(QIODevice::ReadOnly));
        const QByteArray text = document.readAll();
        QByteArray line = script.readLine();
        while (!line.startsWith("servers=(") && !script.atEnd())
            line = script.readLine();
        const QByteArrayList servers =
            line.trimmed().chopped(1).sliced(qsizetype(qstrlen("servers=("))).split(' ');
        QCOMPARE(servers.size(), 4);
        for (const QByteArray &server : servers) {
            const QByteArray name = server.left(server.indexOf(':'));
            QVERIFY2(text.contains("| `" + name + "` |"), name.constData());
        }
    }
};

QTEST_GUILESS_MAIN(TestRunServers)
#include "tst_runservers.moc"
