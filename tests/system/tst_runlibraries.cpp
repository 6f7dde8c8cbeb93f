// SPDX-License-Identifier: GPL-3.0-or-later
// The referee of packaging/run-libraries over two libraries, in its short form; all of them are for its own runs.
#include "tests/support/redisserver.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace lockscope;

class TestRunLibraries : public QObject
{
    Q_OBJECT

private slots:
    void twoLibrariesAreJudged()
    {
        const Ran ran =
            referee({"--brief", "--npm", LOCKSCOPE_SOURCE_DIR "/build/npm", "redis-py", "redislock"});
        QVERIFY2(ran.exitCode == 0, ran.out.constData());
        const QByteArrayList lines = ran.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        for (const QByteArray &line : lines) {
            const QJsonObject result = QJsonDocument::fromJson(line).object();
            const QJsonObject contention = result[QLatin1String("contention")].toObject();
            QVERIFY2(contention[QLatin1String("holds")].toInt() > 0, line.constData());
            QCOMPARE(contention[QLatin1String("overlaps")].toInt(-1), 0);
            const QJsonObject evicted = result[QLatin1String("evicted")].toObject();
            QVERIFY2(evicted[QLatin1String("overlaps")].toInt() > 0, line.constData());
            QCOMPARE(evicted[QLatin1String("noticed")].toString(), QStringLiteral("release-failed"));
        }
    }

    void theDocumentHasThemAll()
    {
        QFile table(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/tests/libraries/libraries.toml"));
        QFile document(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/packaging/docs/libraries.md"));
        QVERIFY(table.open(QIODevice::ReadOnly) && document.open(QIODevice::ReadOnly));
        const QByteArray text = document.readAll();
        const QByteArrayList parts = table.readAll().split('\n');
        int number = 0;
        for (const QByteArray &line : parts) {
            if (!line.startsWith("[\""))
                continue;
            const QByteArray cell = "| `" + line.sliced(2, line.size() - 4) + "` |";
            QVERIFY2(text.count(cell) == 3, cell.constData());
            ++number;
        }
        QVERIFY(number >= 30);
    }

private:
    static Ran referee(const QList<QByteArray> &arguments)
    {
        return runProgram(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/tests/libraries/referee.py"), arguments);
    }
};

QTEST_GUILESS_MAIN(TestRunLibraries)
#include "tst_runlibraries.moc"
