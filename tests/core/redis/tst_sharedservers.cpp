// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of servers that several people use.
#include "core/redis/sharedservers.h"

#include "tests/support/ownsettings.h"

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QtTest>

using namespace lockscope;

namespace {

ServerAddress addressOf(const QByteArray &uri)
{
    return ServerAddress::parse(QString::fromUtf8(uri)).value();
}

void write(const QString &path, const QByteArray &text)
{
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

QStringList faultsOf(const SharedServers &read)
{
    QStringList faults;
    for (const Phrase &fault : read.faults)
        faults.append(fault.inEnglish());
    return faults;
}

} // namespace

class SharedServersTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        write(m_files.filePath(QStringLiteral("lockscope/servers/a.servers")),
              "[shop]\norders = redis://orders/2 production\nweb = redis://web development\n"
              "far = redis://10.0.0.5?ssh=ops%40bastion read-only\n");
        qputenv("XDG_CONFIG_HOME", QFile::encodeName(m_files.path()));
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QSettings().clear();
    }

    void includesFilesAndFolders()
    {
        const QTemporaryDir files;
        write(files.filePath(QStringLiteral("first/a.servers")),
              "a = redis://a\ninclude ../more/b.list\ninclude ../more\ninclude a.servers\ninclude none\n");
        write(files.filePath(QStringLiteral("more/b.list")),
              "[g]\nb = redis://b\ninclude ../first/a.servers\n");
        write(files.filePath(QStringLiteral("more/c.servers")), "c = redis://c\n");
        write(files.filePath(QStringLiteral("more/unread.txt")), "d = redis://d\n");
        write(files.filePath(QStringLiteral("last/z.servers")), "z = redis://z\ninclude /dev/zero\n");
        const SharedServers read = readSharedServers({files.filePath(QStringLiteral("first")),
                                                      files.filePath(QStringLiteral("missing")),
                                                      files.filePath(QStringLiteral("last"))});
        QStringList names;
        for (const StoredServer &server : read.servers)
            names.append(server.name);
        QCOMPARE(names, QStringList({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c"),
                                     QStringLiteral("z")}));
        QCOMPARE(read.servers[1].group, QStringLiteral("g"));
        QVERIFY(read.servers[1].sharedFile.endsWith(QStringLiteral("more/b.list")));
        const QStringList faults = faultsOf(read);
        QCOMPARE(faults.size(), 2);
        QVERIFY2(faults[0].contains(QStringLiteral("first/a.servers:5: ")) &&
                     faults[0].endsWith(QStringLiteral("none")),
                 qPrintable(faults[0]));
        QVERIFY2(faults[1].contains(QStringLiteral("last/z.servers:2: ")), qPrintable(faults[1]));
    }

    void aFaultLeavesTheRest()
    {
        const QTemporaryDir files;
        const auto path = [&](const char *name) { return files.filePath(QLatin1String(name)); };
        write(path("a.servers"), "x = http://u:canary@h\none = redis://:canary@h production\n"
                                 "one = redis://other\ntwo = redis://h read-only\ncommand = sh -c true\n");
        write(path("b.servers"), QByteArray(1'000'001, '\n'));
        write(path("c.servers"), QByteArray(10'001, '\n'));
        const SharedServers read = readSharedServers({files.path()});
        QCOMPARE(read.servers.size(), 2);
        QVERIFY(read.servers[0].address.password.isEmpty());
        QCOMPARE(read.servers[1].address.host, QStringLiteral("other"));
        QCOMPARE(read.servers[1].name, QString());
        const QStringList faults = faultsOf(read);
        QCOMPARE(faults.size(), 6);
        for (const auto &[at, words] : {std::pair(0, "a.servers:1: "),
                                        {1, "password"},
                                        {2, "“one”"},
                                        {3, "a.servers:5: "},
                                        {4, "b.servers: larger"},
                                        {5, "c.servers: more than"}})
            QVERIFY2(faults[at].contains(QString::fromUtf8(words)), qPrintable(faults[at]));
        QVERIFY(!faults.join(u'\n').contains(QStringLiteral("canary")));

        write(path("d.servers"), QByteArray("?\n").repeated(1'000));
        QCOMPARE(readSharedServers({files.path()}).faults.size(),
                 21); // the last one says that there are more
        QByteArray many;
        for (int i = 0; i < 1'100; ++i)
            many += "redis://h" + QByteArray::number(i) + '\n';
        write(path("a.servers"), many);
        QCOMPARE(readSharedServers({files.path()}).servers.size(), 1'000);
    }

    void theyAreKnownBesideTheUsersOwn()
    {
        rememberServer({QStringLiteral("mine"), addressOf("redis://web"), true});
        QCOMPARE(storedServers().size(), 1);
        const QList<StoredServer> known = knownServers();
        QCOMPARE(known.size(), 3);
        QCOMPARE(known[0].name, QStringLiteral("mine")); // instead of the list's own
        QCOMPARE(storedServer(QStringLiteral("orders"))->address.host, QStringLiteral("orders"));
        QVERIFY(
            storedServer(addressOf("redis://orders/2"))->sharedFile.endsWith(QStringLiteral("a.servers")));
        QVERIFY(!storedServer(QStringLiteral("web")));
    }

    void whatTheyProtectIsProtected()
    {
        // Whatever the user, the database or the case.
        for (const char *uri : {"redis://orders/2", "redis://ann:@ORDERS", "rediss://orders:6379/1"})
            QCOMPARE(completedServer({{}, addressOf(uri)}).environment, Environment::Production);
        QCOMPARE(completedServer({{}, addressOf("redis://orders:6380")}).environment, Environment::Unset);
        QVERIFY(completedServer({{}, addressOf("redis://10.0.0.5?ssh=ops%40bastion")}).readOnly);
        QVERIFY(!completedServer({{}, addressOf("redis://10.0.0.5")}).readOnly); // another host, from here
        QCOMPARE(completedServer({{}, addressOf("redis-redlock://a,orders,c")}).environment,
                 Environment::Production);
        // The user's own entry does not loosen it, nor does the list's loosen the user's.
        rememberServer({QStringLiteral("o"), addressOf("redis://orders/2"), true, Environment::Development});
        QCOMPARE(storedServer(QStringLiteral("o"))->environment, Environment::Production);
        rememberServer({QStringLiteral("w"), addressOf("redis://web/1")});
        QCOMPARE(storedServer(QStringLiteral("w"))->environment, Environment::Unset);
    }

    /// A copy would not follow the list.
    void oneThatIsUsedIsNotCopied()
    {
        StoredServer orders = storedServer(QStringLiteral("orders")).value();
        orders.address.password = "canary";
        rememberServer(orders);
        QVERIFY(storedServers().isEmpty());
        orders.keepsPasswords = true;
        rememberServer(orders);
        QCOMPARE(storedServers().size(), 1);
        QVERIFY(storedServer(QStringLiteral("orders"))->sharedFile.isEmpty());
        forgetServer(orders.address);
        QVERIFY(storedServer(QStringLiteral("orders")));
    }

private:
    OwnSettings m_files;
};

QTEST_GUILESS_MAIN(SharedServersTest)
#include "tst_sharedservers.moc"
