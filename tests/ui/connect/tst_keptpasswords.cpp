// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/keptpasswords.h"

#include "tests/ui/connect/fakesecretstore.h"

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
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

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
};

QTEST_GUILESS_MAIN(KeptPasswordsTest)
#include "tst_keptpasswords.moc"
