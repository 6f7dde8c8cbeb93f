// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/keptpasswords.h"

#include "core/redis/storedservers.h"
#include "tests/support/ownsettings.h"
#include "tests/ui/connect/fakesecretstore.h"

#include <QSettings>
#include <QtTest>

using namespace lockscope;

namespace {

ServerAddress addressOf(const char *uri)
{
    return ServerAddress::parse(QString::fromUtf8(uri)).value();
}

} // namespace

class KeptPasswordsTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QSettings().clear();
    }

    void anyBytesAreReadBack_data()
    {
        QTest::addColumn<QByteArray>("password");
        QTest::newRow("plain") << QByteArray("canary");
        QTest::newRow("separators") << QByteArray("a&key-passphrase=b=%26");
        QTest::newRow("no text") << QByteArray::fromHex("ff00fe0a80");
        QTest::newRow("Chinese") << QByteArray("\xe5\xaf\x86\xe7\xa0\x81");
        QTest::newRow("spaces") << QByteArray(" \t ");
    }
    void anyBytesAreReadBack()
    {
        QFETCH(QByteArray, password);
        const Passwords all{password, "of the Sentinels", password + "of the key"};
        const QByteArray text = all.toText();
        QVERIFY2(!text.contains('\0') && !text.contains('\n'), text.constData());
        QCOMPARE(QString::fromUtf8(text).toUtf8(), text);
        QCOMPARE(Passwords::fromText(text), all);
        QCOMPARE(Passwords::fromText(Passwords{{}, {}, password}.toText()), (Passwords{{}, {}, password}));
    }

    void nonsenseHoldsNoPassword()
    {
        for (const char *text : {"", "canary", "password", "user=x&passwords=y", "&&=="})
            QVERIFY2(Passwords::fromText(text).isEmpty(), text);
        FakeSecretStore store;
        const ServerAddress db = addressOf("redis://ops:@db");
        store.entries.insert(db.toUriWithoutPassword(), "canary");
        const auto read = KeptPasswords(store).read(db).result();
        QVERIFY(!read);
        QVERIFY(!read.error().contains(QStringLiteral("canary")));
    }

    /// Whatever makes it another server, another user or another way there.
    void anEntryIsForOneAddress()
    {
        FakeSecretStore store;
        const KeptPasswords kept(store);
        ServerAddress db = addressOf("rediss://ops:canary@db:6380");
        QCOMPARE(kept.keep(db).result(), QString());
        QCOMPARE(kept.read(db).result().value().server, QByteArray("canary"));
        for (const char *other :
             {"redis://ops:@db:6380", "rediss://ops:@db:6381", "rediss://ops:@db2:6380",
              "rediss://dev:@db:6380", "rediss://db:6380", "rediss://ops:@db:6380?ssh=bastion",
              "rediss-sentinel://ops:@db:6380/orders", "rediss-redlock://ops:@db:6380,db2:6380", "/db:6380"})
            QVERIFY2(!kept.read(addressOf(other)).result(), other);
        QVERIFY(!store.requests.join(QString()).contains(QStringLiteral("canary")));
    }

    /// Nor is the same address with other certificates, by which another server could be there.
    void anEntryIsForWhomTheServerHadToBe()
    {
        FakeSecretStore store;
        const KeptPasswords kept(store);
        const ServerAddress plain = addressOf("rediss://ops:canary@db:6380");
        ServerAddress pinned = plain;
        QVERIFY(pinned.addPin(QByteArray(64, 'a')) && pinned.addPin(QByteArray(64, 'b')));
        ServerAddress inOtherOrder = plain;
        QVERIFY(inOtherOrder.addPin(QByteArray(64, 'b')) && inOtherOrder.addPin(QByteArray(64, 'a')));
        QList<ServerAddress> others(6, pinned);
        QVERIFY(others[0].addPin(QByteArray(64, 'c')));
        QVERIFY(others[1].addNodeAddress("10.0.0.5=localhost"));
        others[2].caFile = QStringLiteral("/ca.pem");
        others[3].serverName = QStringLiteral("db2");
        others[4].insecure = true;
        others[5].pins.clear();
        QCOMPARE(kept.keep(pinned).result(), QString());
        QCOMPARE(kept.read(inOtherOrder).result().value().server, QByteArray("canary"));
        for (const ServerAddress &other : others) {
            const auto read = kept.read(other).result();
            QVERIFY(!read);
            QVERIFY(read.error().contains(QStringLiteral("other certificates")));
        }
        QCOMPARE(kept.keep(plain).result(), QString());
        QVERIFY(kept.read(plain).result() && !kept.read(pinned).result());
    }

    /// Whatever the user does meanwhile: removing, which may wait for the keychain to be unlocked, takes nothing that is kept later.
    void requestsOfOneEntryAreMadeInOrder()
    {
        FakeSecretStore store;
        const KeptPasswords kept(store);
        const ServerAddress db = addressOf("redis://ops:canary@db");
        const QString uri = db.toUriWithoutPassword();
        rememberServer({{}, db});
        QCOMPARE(kept.keep(db).result(), QString());
        QVERIFY(keepsPasswords(db));
        store.isSlow = true;
        store.requests.clear();
        const auto forgotten = KeptPasswords(store).forget(db); // of another window
        const auto again = kept.keep(db);
        const auto read = kept.read(db);
        const auto elsewhere = kept.read(addressOf("redis://other"));
        QCOMPARE(store.requests,
                 (QStringList{QStringLiteral("remove ") + uri, QStringLiteral("read redis://other:6379")}));
        QVERIFY(keepsPasswords(db)); // it is still there
        store.answerNext();
        QVERIFY(forgotten.isFinished() && !keepsPasswords(db));
        store.answerNext(); // the other server's
        QVERIFY(elsewhere.isFinished());
        store.answerNext();
        QVERIFY(again.isFinished() && keepsPasswords(db));
        store.answerNext();
        QCOMPARE(read.result().value().server, QByteArray("canary"));
        QVERIFY(store.queues.isEmpty());
    }

    void aFailureChangesNothingThatIsStored()
    {
        FakeSecretStore store;
        const KeptPasswords kept(store);
        const ServerAddress db = addressOf("redis://ops:canary@db");
        rememberServer({{}, db});
        store.failure = SecretStore::Failure{SecretStore::Problem::Denied};
        QVERIFY(!kept.keep(db).result().isEmpty() && !keepsPasswords(db));
        setKeepsPasswords(db, true);
        QVERIFY(!kept.forget(db).result().isEmpty() && keepsPasswords(db));
        store.failure->problem = SecretStore::Problem::NotFound; // nothing that could be done again
        QVERIFY(!kept.forget(db).result().isEmpty() && !keepsPasswords(db));
    }

    void whatIsNotDoneAtTheEndIsSeenAtTheNextStart()
    {
        FakeSecretStore store;
        const KeptPasswords kept(store);
        const ServerAddress db = addressOf("redis://ops:canary@db");
        rememberServer({{}, db});
        store.isSlow = true;
        const auto written = kept.keep(db);
        kept.finish(std::chrono::milliseconds(20));
        QVERIFY(!written.isFinished() && keepsPasswords(db));
        setKeepsPasswords(db, false);
        QTimer::singleShot(0, this, [&] { store.answerNext(); });
        kept.finish(std::chrono::minutes(1)); // no longer than is needed
        QVERIFY(written.isFinished() && keepsPasswords(db));
    }

    void whatIsTypedGoesBeforeWhatIsKept()
    {
        ServerAddress address = addressOf("redis-sentinel://:typed@s1,s2/orders");
        const Passwords kept{"kept", "of the Sentinels", {}};
        const Passwords lent = kept.lendTo(address);
        QCOMPARE(address.password, QByteArray("typed"));
        QCOMPARE(address.sentinelPassword, QByteArray("of the Sentinels"));
        QCOMPARE(lent, (Passwords{{}, "of the Sentinels", {}}));
        lent.takeBackFrom(address);
        QCOMPARE(address, addressOf("redis-sentinel://:typed@s1,s2/orders"));
    }

    void failuresSayWhatToDo_data()
    {
        using Problem = SecretStore::Problem;
        QTest::addColumn<int>("problem");
        QTest::addColumn<QString>("detail");
        QTest::addColumn<QString>("said");
        QTest::newRow("none") << int(Problem::Unavailable) << QString() << QStringLiteral("GNOME Keyring");
        QTest::newRow("no D-Bus") << int(Problem::Unavailable) << QStringLiteral("Cannot autolaunch D-Bus")
                                  << QStringLiteral("(Cannot autolaunch D-Bus)");
        QTest::newRow("locked") << int(Problem::Denied) << QString() << QStringLiteral("locked");
        QTest::newRow("locked, and more")
            << int(Problem::Denied) << QStringLiteral("a\nb") << QStringLiteral("locked");
        QTest::newRow("not found") << int(Problem::NotFound) << QString() << QStringLiteral("no entry");
    }
    void failuresSayWhatToDo()
    {
        QFETCH(int, problem);
        QFETCH(QString, detail);
        QFETCH(QString, said);
        FakeSecretStore store;
        store.failure = SecretStore::Failure{SecretStore::Problem(problem), detail};
        const KeptPasswords kept(store);
        const ServerAddress db = addressOf("redis://ops:canary@db");
        const auto read = kept.read(db).result();
        QVERIFY(!read);
        for (const QString &text : {read.error(), kept.keep(db).result(), kept.forget(db).result()}) {
            QVERIFY2(text.contains(said) && !text.contains(u'\n'), qPrintable(text));
            QVERIFY2(!text.contains(QStringLiteral("canary")), qPrintable(text));
        }
        QVERIFY(read.error().contains(QStringLiteral("Type the password")));
    }

private:
    OwnSettings m_files;
};

QTEST_GUILESS_MAIN(KeptPasswordsTest)
#include "tst_keptpasswords.moc"
