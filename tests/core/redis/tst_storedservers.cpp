// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/storedservers.h"

#include "core/base/settings.h"
#include "tests/support/ownsettings.h"

#include <QSettings>
#include <QtTest>

using namespace lockscope;

namespace {

ServerAddress addressOf(const QByteArray &uri)
{
    return ServerAddress::parse(QString::fromUtf8(uri)).value();
}

QStringList namesOf(const QList<StoredServer> &servers)
{
    QStringList names;
    for (const StoredServer &server : servers)
        names.append(server.name);
    return names;
}

} // namespace

class TestStoredServers : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QSettings().clear();
    }

    /// Whoever gave it a name wants to find it again.
    void thoseWithANameAreKept()
    {
        for (int i = 0; i < 12; ++i) {
            const QByteArray number = QByteArray::number(i);
            rememberServer({QStringLiteral("n%1").arg(i), addressOf("redis://named" + number), i % 2 == 0});
            rememberServer({{}, addressOf("redis://unnamed" + number), false});
        }
        QList<StoredServer> servers = storedServers();
        QCOMPARE(servers.size(), 12 + 8);
        QCOMPARE(servers.first().address.host, QStringLiteral("unnamed11"));
        QCOMPARE(namesOf(servers).count(QString()), 8);
        rememberServer({QStringLiteral("n3"), addressOf("redis://named3"), true}); // again
        servers = storedServers();
        QCOMPARE(servers.size(), 12 + 8);
        QCOMPARE(servers.first(), (StoredServer{QStringLiteral("n3"), addressOf("redis://named3"), true}));
        setKeepsPasswords(addressOf("redis://named0"), true);
        for (int i = 0; i < 200; ++i)
            rememberServer(
                {QStringLiteral("m%1").arg(i), addressOf("redis://m" + QByteArray::number(i)), false});
        QCOMPARE(storedServers().size(), 100 + 1);
        QVERIFY(storedServer(addressOf("redis://named0"))); // whose entry would stay in the keychain
    }

    /// Or nothing would remove them from the keychain.
    void thoseWithKeptPasswordsAreForgottenByTheUserAlone()
    {
        StoredServer server{{}, addressOf("redis://:canary@kept")};
        server.keepsPasswords = true; // as a window may believe that does not know what another one has done
        rememberServer(server);
        QVERIFY(!keepsPasswords(server.address));
        setKeepsPasswords(server.address, true);
        server.keepsPasswords = false;
        rememberServer(server);
        for (int i = 0; i < 9; ++i)
            rememberServer({{}, addressOf("redis://u" + QByteArray::number(i))});
        QCOMPARE(storedServers().size(), 8 + 1);
        QCOMPARE(storedServers().last().address, addressOf("redis://kept"));
        QVERIFY(keepsPasswords(server.address));
        QVERIFY(completedServer({{}, addressOf("redis://kept")}).keepsPasswords);
        for (const char *other : {"redis://kept:6380", "rediss://kept", "redis://ops:@kept", "redis://u8"})
            QVERIFY2(!keepsPasswords(addressOf(other)), other);

        setKeepsPasswords(server.address, false);
        QVERIFY(!keepsPasswords(server.address));
        QCOMPARE(storedServers().last().address, addressOf("redis://kept")); // in its place
        rememberServer({{}, addressOf("redis://new")});
        QVERIFY(!storedServer(server.address));
        setKeepsPasswords(server.address, true); // of none
        QVERIFY(!storedServer(server.address));
    }

    /// It is of the user that logs in by it, and a password that is given is meant instead.
    void passwordCommandIsKept()
    {
        StoredServer server{QStringLiteral("cloud"), addressOf("redis://ops:@db")};
        server.address.passwordCommand = QStringLiteral("aws-token --user ops");
        rememberServer(server);
        QCOMPARE(storedServer(QStringLiteral("cloud")).value(), server);
        QVERIFY(!server.needsPassword());
        const auto completed = [](const char *uri) {
            return completedServer({{}, addressOf(uri)}).address.passwordCommand;
        };
        QCOMPARE(completed("redis://ops:@db"), server.address.passwordCommand);
        QCOMPARE(completed("redis://ops:given@db"), QString());
        QCOMPARE(completed("redis://db"), QString());
        QVERIFY(!server.address.toUriWithoutPassword().contains(QLatin1String("aws")));
    }

    /// A word that this version does not know may stand for something stricter.
    void environmentAndGroupAreKept()
    {
        const StoredServer stored{QStringLiteral("orders"), addressOf("redis://db"), false,
                                  Environment::Staging, QStringLiteral("shop")};
        rememberServer(stored);
        rememberServer({QStringLiteral("old"), addressOf("redis://old")});
        QCOMPARE(storedServers().last(), stored);
        QCOMPARE(storedServers().first().environment, Environment::Unset);
        QSettings().setValue(QStringLiteral("recentServers/2/environment"), QStringLiteral("vault"));
        QCOMPARE(storedServers().last().environment, Environment::Production);
    }

    /// Whoever types the address of a production server alone is in production all the same.
    void whatIsNotSaidStaysAsItIsStored()
    {
        const StoredServer stored{QStringLiteral("orders"),
                                  addressOf("redis://db"),
                                  false,
                                  Environment::Production,
                                  QStringLiteral("shop"),
                                  false,
                                  QStringLiteral("ssh {host} kill -0 {process}")};
        rememberServer(stored);
        QCOMPARE(completedServer({{}, addressOf("redis://:secret@db")}).environment, Environment::Production);
        QCOMPARE(completedServer({{}, addressOf("redis://db")}), stored);
        const StoredServer other{QStringLiteral("o"),      addressOf("redis://db"), true,
                                 Environment::Development, QStringLiteral("g"),     false,
                                 QStringLiteral("p")};
        QCOMPARE(completedServer(other), other);
        QCOMPARE(completedServer({{}, addressOf("redis://db/1")}).environment, Environment::Unset);
    }

    /// Or whoever types the address of a server that is pinned would reach any that the system's authorities vouch for.
    void whomAnAddressTrustsStaysAsItIsStored()
    {
        ServerAddress pinned = addressOf("rediss://ops:@db");
        QVERIFY(pinned.addPin(QByteArray(64, 'b')) && pinned.addNodeAddress("10.0.0.5=localhost"));
        pinned.caFile = QStringLiteral("/etc/ca.pem");
        pinned.serverName = QStringLiteral("db.internal");
        rememberServer({{}, pinned});
        const ServerAddress typed = addressOf("rediss://ops:@db");
        QCOMPARE(completedServer({{}, typed}).address, pinned);
        ServerAddress other = typed;
        other.caFile = QStringLiteral("/other.pem");
        QCOMPARE(completedServer({{}, other}).address, other); // what is said is meant
        ServerAddress any = typed;
        any.insecure = true;
        QCOMPARE(completedServer({{}, any}).address, any);
        rememberServer({{}, any});
        QCOMPARE(storedServers().first().address, pinned);
        rememberServer({{}, other});
        QCOMPARE(storedServers().first().address, other);
    }

    void aNameIsOneServers()
    {
        rememberServer({QStringLiteral("orders"), addressOf("redis://old"), false});
        rememberServer({QStringLiteral("orders"), addressOf("redis://new"), true});
        QCOMPARE(namesOf(storedServers()), (QStringList{QStringLiteral("orders"), QString()}));
        const auto found = storedServer(QStringLiteral("orders"));
        QVERIFY(found);
        QCOMPARE(found->address.host, QStringLiteral("new"));
        QVERIFY(found->readOnly);
        forgetServer(addressOf("redis://new"));
        QVERIFY(!storedServer(QStringLiteral("orders")));
        QCOMPARE(storedServers().size(), 1);
        // Through an SSH host it is another server.
        rememberServer({QStringLiteral("far"), addressOf("redis://old?ssh=bastion"), false});
        QCOMPARE(storedServers().size(), 2);
    }

    void anUnknownNameIsRefusedWithTheOthers()
    {
        const auto refusal = [](const char *name) {
            const auto found = storedServer(QString::fromUtf8(name));
            return found ? QByteArray("found") : found.error().text();
        };
        QVERIFY2(refusal("orders").contains("Connect to it once in the window"),
                 refusal("orders").constData());
        rememberServer({{}, addressOf("redis://old"), false});
        QVERIFY(refusal("").contains("Connect to it once"));
        rememberServer({QStringLiteral("billing"), addressOf("redis://b"), false});
        QVERIFY2(refusal("orders").contains("Stored: billing."), refusal("orders").constData());
    }

    void passwordsAreNotStored()
    {
        ServerAddress address =
            addressOf("rediss-sentinel://ops:canary@db:6380,db2/or%2Fders/2?ssh=ops%40bastion");
        address.sentinelUser = "watcher";
        address.sentinelPassword = "canary2";
        address.readsReplica = true;
        address.caFile = QStringLiteral("/etc/ca.pem");
        address.keyPassphrase = "canary3";
        QVERIFY(address.addPin(QByteArray(64, 'b')));
        QVERIFY(address.addNodeAddress("10.0.0.5:6379=localhost:7001"));
        rememberServer({{}, address, false});
        ServerAddress kept = storedServers().first().address;
        QVERIFY(kept.password.isEmpty() && kept.sentinelPassword.isEmpty() && kept.keyPassphrase.isEmpty());
        kept.keyPassphrase = "canary3";
        kept.password = "canary";
        kept.sentinelPassword = "canary2";
        QCOMPARE(kept, address);
        QSettings().sync();
        QFile file(QSettings().fileName());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray written = file.readAll();
        QVERIFY(written.contains("db:6380"));
        QVERIFY(!written.contains("canary"));
    }

    /// What a newer version wrote stays as it is; what is set meanwhile goes with the process.
    void aNewerVersionsSettingsAreLeftAlone_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::newRow("number") << QByteArray("2");
        QTest::newRow("word") << QByteArray("1b");
    }
    void aNewerVersionsSettingsAreLeftAlone()
    {
        QFETCH(const QByteArray, format);
        const OwnSettings settings;
        QVERIFY(!Settings::areNewer());
        rememberServer({QStringLiteral("orders"), addressOf("redis://one"), true});
        QVERIFY(storedServer(QStringLiteral("orders")));
        const QString path = Settings().fileName();
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray newer = "[General]\nformat=" + format + "\n\n" + file.readAll();
        QVERIFY(file.resize(0) && file.seek(0) && file.write(newer) == newer.size());
        file.close();

        QVERIFY(Settings::areNewer());
        QCOMPARE(namesOf(storedServers()),
                 QStringList{QStringLiteral("orders")}); // as far as they are understood
        QVERIFY(storedServers().first().readOnly);
        const auto named = storedServer(QStringLiteral("orders"));
        QVERIFY(!named);
        QVERIFY2(named.error().text().contains("A newer Lockscope"), named.error().text());
        rememberServer({QStringLiteral("two"), addressOf("redis://two"), false});
        QCOMPARE(storedServers().size(), 2);
        QVERIFY(Settings().fileName() != path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), newer);
    }

private:
    OwnSettings m_files;
};

QTEST_GUILESS_MAIN(TestStoredServers)
#include "tst_storedservers.moc"
