// SPDX-License-Identifier: GPL-3.0-or-later
// What several people share protects a typed address, too. A process of its own: shared lists are read once.
#include "tests/app/givenwords.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;

class TestSharedOptions : public QObject
{
    Q_OBJECT

private slots:
    void sharedServersProtect();
};

void TestSharedOptions::sharedServersProtect()
{
    const QTemporaryDir home;
    QVERIFY(QDir().mkpath(home.filePath(QStringLiteral("lockscope/servers"))));
    QFile list(home.filePath(QStringLiteral("lockscope/servers/team.servers")));
    QVERIFY(list.open(QIODevice::WriteOnly));
    list.write("orders = redis://shared:7000 production read-only\nhttp://wrong\n");
    list.close();
    qputenv("XDG_CONFIG_HOME", QFile::encodeName(home.path()));
    const Options named = parsed({"--connect", "orders", "list"});
    QVERIFY(named.readOnly);
    QCOMPARE(named.environment, Environment::Production);
    QCOMPARE(named.warnings.size(), 1);
    QVERIFY2(named.warnings.first().contains(QStringLiteral("team.servers:2: ")),
             qPrintable(named.warnings.first()));
    QVERIFY(parsed({"-h", "SHARED", "-p", "7000", "-n", "3", "list"}).readOnly);
    QVERIFY(!parsed({"-h", "shared", "list"}).readOnly);
}

QTEST_GUILESS_MAIN(TestSharedOptions)
#include "tst_sharedoptions.moc"
