// SPDX-License-Identifier: GPL-3.0-or-later
// The first page and a store of passwords that does as it is told.
#include "tests/support/ownsettings.h"
#include "tests/ui/connect/fakesecretstore.h"
#include "ui/connect/connectionform.h"
#include "ui/connect/connectpage.h"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;

namespace {

const QString uri = QStringLiteral("redis://ops:@db:6379");

ServerAddress addressOf(const QString &text)
{
    return ServerAddress::parse(text).value();
}

} // namespace

class ConnectPagePasswordsTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qRegisterMetaType<StoredServer>(); }
    void init()
    {
        // The offscreen platform says of each window with a least size that it has none.
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        QSettings().clear();
        m_store = FakeSecretStore();
        m_page = std::make_unique<ConnectPage>(m_store);
        m_asked = std::make_unique<QSignalSpy>(m_page.get(), &ConnectPage::connectRequested);
        m_page->show();
        m_page->activateWindow();
    }
    void cleanup() { m_page.reset(); }

    void nothingIsKeptUnlessTheUserSaysSo()
    {
        QVERIFY(!keep()->isChecked());
        field("uri")->setText(QStringLiteral("redis://ops:canary@db"));
        click("connect");
        m_page->keepPasswords(lastAsked());
        QVERIFY(!lastAsked().keepsPasswords);
        QCOMPARE(m_store.requests, QStringList());
    }

    void aCommandPrintsThePassword()
    {
        field("uri")->setText(uri);
        field("passwordCommand")->setText(QStringLiteral(" aws-token --user ops "));
        QVERIFY(!field("password")->isEnabled() && !keep()->isEnabled());
        click("connect");
        QCOMPARE(lastAsked().address.passwordCommand, QStringLiteral("aws-token --user ops"));
        m_page->findChild<ConnectionForm *>()->fill(lastAsked());
        QCOMPARE(field("passwordCommand")->text(), QStringLiteral("aws-token --user ops"));
        field("uri")->setText(QStringLiteral("redis://elsewhere"));
        QCOMPARE(field("passwordCommand")->text(), QString()); // it belongs to the other server
        QVERIFY(field("password")->isEnabled());
    }

    void aPasswordIsKeptAfterTheLogin()
    {
        field("uri")->setText(uri);
        field("password")->setText(QStringLiteral("canary"));
        keep()->click();
        click("connect");
        const StoredServer server = lastAsked();
        QCOMPARE(server.address.password, QByteArray("canary"));
        QVERIFY(server.keepsPasswords);
        QCOMPARE(m_store.requests, QStringList()); // it might be wrong
        logIn(server);
        QCOMPARE(m_store.entries, (QMap<QString, QByteArray>{{uri, "password=canary"}}));
        QVERIFY(keepsPasswords(server.address));
        // What was said once is done once.
        m_page->keepPasswords(server);
        QCOMPARE(m_store.requests.size(), 1);
    }

    void nothingTypedIsNothingToKeep()
    {
        field("uri")->setText(QStringLiteral("redis://db"));
        keep()->click();
        click("connect");
        QVERIFY(!lastAsked().keepsPasswords);
        logIn(lastAsked());
        QCOMPARE(m_store.requests, QStringList());
    }

    void aClickReadsIt()
    {
        keepOne();
        m_store.isSlow = true;
        recent()->click();
        QCOMPARE(m_asked->size(), 0);
        QVERIFY2(shown().contains(QStringLiteral("Waiting for the keychain…")), qPrintable(shown()));
        QVERIFY(!field("uri")->isVisible());
        m_store.answerNext();
        QCOMPARE(m_asked->size(), 1);
        QCOMPARE(lastAsked().address.password, QByteArray("canary"));
        QVERIFY(lastAsked().keepsPasswords);
        logIn(lastAsked());
        QCOMPARE(m_store.requests, QStringList{QStringLiteral("read ") + uri}); // nothing new to keep
        // No field has it, where it could be copied or sent elsewhere.
        QCOMPARE(field("password")->text(), QString());
        QVERIFY(keep()->isChecked());
        QVERIFY(field("password")->placeholderText().contains(QStringLiteral("in the keychain")));
    }

    void waitingCanBeCancelled()
    {
        keepOne();
        m_store.isSlow = true;
        QSignalSpy cancelled(m_page.get(), &ConnectPage::cancelled);
        recent()->click();
        for (QPushButton *button : m_page->findChildren<QPushButton *>()) {
            if (button->isVisible() && button->text() == QStringLiteral("Cancel"))
                button->click();
        }
        QCOMPARE(cancelled.size(), 0); // nothing was being connected to
        QVERIFY(field("uri")->isVisible());
        QTRY_VERIFY(field("password")->hasFocus());
        m_store.answerNext(); // too late
        QCOMPARE(m_asked->size(), 0);
        QCOMPARE(field("password")->text(), QString());
    }

    void anotherPageEndsTheWaiting()
    {
        keepOne();
        m_store.isSlow = true;
        recent()->click();
        m_page->showForm();
        m_store.answerNext();
        QCOMPARE(m_asked->size(), 0);
        recent()->click();
        m_page.reset();
        m_store.answerNext();
    }

    void withoutAKeychainThePasswordIsAskedFor_data()
    {
        using Problem = SecretStore::Problem;
        QTest::addColumn<int>("problem");
        QTest::addColumn<QString>("said");
        QTest::newRow("none") << int(Problem::Unavailable) << QStringLiteral("Start GNOME Keyring");
        QTest::newRow("locked") << int(Problem::Denied) << QStringLiteral("locked");
        QTest::newRow("no entry") << int(Problem::NotFound) << QStringLiteral("no entry");
    }
    void withoutAKeychainThePasswordIsAskedFor()
    {
        QFETCH(int, problem);
        QFETCH(QString, said);
        keepOne();
        m_store.failure = SecretStore::Failure{SecretStore::Problem(problem)};
        recent()->click();
        QCOMPARE(m_asked->size(), 0);
        QVERIFY2(loginMessage().contains(said), qPrintable(loginMessage()));
        QTRY_VERIFY(field("password")->hasFocus());
        // What is typed is enough, and kept where it can be.
        field("password")->setText(QStringLiteral("typed"));
        click("connect");
        QCOMPARE(lastAsked().address.password, QByteArray("typed"));
        QSignalSpy notKept(m_page.get(), &ConnectPage::passwordsNotKept);
        logIn(lastAsked());
        QCOMPARE(notKept.size(), 1);
        QVERIFY(notKept.first().first().toString().contains(said));
        QVERIFY(keepsPasswords(addressOf(uri))); // the old one may still be there
        QCOMPARE(m_store.entries.value(uri), QByteArray("password=canary"));
    }

    void whatCouldNotBeKeptIsNotSaidToBe()
    {
        m_store.failure = SecretStore::Failure{SecretStore::Problem::Unavailable};
        field("uri")->setText(QStringLiteral("redis://ops:canary@db"));
        keep()->click();
        click("connect");
        QSignalSpy notKept(m_page.get(), &ConnectPage::passwordsNotKept);
        logIn(lastAsked());
        QCOMPARE(notKept.size(), 1);
        QVERIFY(!keepsPasswords(addressOf(uri)));
    }

    void aRefusedOneStaysAndIsSaidToBeTheKeychains()
    {
        keepOne();
        recent()->click();
        const StoredServer refused = lastAsked();
        m_page->showForm();
        m_page->fillForm(refused);
        m_page->showFailure(QStringLiteral("Refused."), true);
        QVERIFY2(loginMessage().startsWith(QStringLiteral("Refused. It came from the keychain.")),
                 qPrintable(loginMessage()));
        QTRY_VERIFY(field("password")->hasFocus());
        QCOMPARE(field("password")->text(), QString());
        QCOMPARE(m_store.entries.size(), 1);
        // Another one that works takes its place.
        field("password")->setText(QStringLiteral("second"));
        click("connect");
        QCOMPARE(lastAsked().address.password, QByteArray("second"));
        QCOMPARE(m_store.entries.value(uri), QByteArray("password=canary"));
        m_page->fillForm(lastAsked());
        QCOMPARE(field("password")->text(), QStringLiteral("second"));
        logIn(lastAsked());
        QCOMPARE(m_store.entries.value(uri), QByteArray("password=second"));
        // One that was typed is not said to be from there.
        m_page->showFailure(QStringLiteral("Refused."), true);
        QCOMPARE(loginMessage(), QStringLiteral("Refused."));
    }

    void aChangedAddressDoesNotGetIt_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("typed");
        QTest::newRow("host") << QStringLiteral("uri") << QStringLiteral("redis://db2:6379");
        QTest::newRow("port") << QStringLiteral("uri") << QStringLiteral("redis://ops:@db:6380");
        QTest::newRow("user") << QStringLiteral("user") << QStringLiteral("dev");
        QTest::newRow("way") << QStringLiteral("sshHost") << QStringLiteral("bastion");
        QTest::newRow("transport") << QStringLiteral("uri") << QStringLiteral("rediss://ops:@db:6379");
    }
    void aChangedAddressDoesNotGetIt()
    {
        QFETCH(QString, name);
        QFETCH(QString, typed);
        keepOne();
        m_page->form().fill(*storedServer(addressOf(uri)));
        QVERIFY(keep()->isChecked());
        m_page->findChild<QLineEdit *>(name)->setText(typed);
        QVERIFY(!keep()->isChecked());
        click("connect");
        for (const QList<QVariant> &each : std::as_const(*m_asked))
            QVERIFY(each.first().value<StoredServer>().address.password.isEmpty());
        QCOMPARE(m_store.requests, QStringList());
    }

    void theBoxForTlsIsAnotherWay()
    {
        keepOne();
        m_page->form().fill(*storedServer(addressOf(uri)));
        m_page->findChild<QCheckBox *>(QStringLiteral("tls"))->click();
        QVERIFY(!keep()->isChecked());
        click("connect");
        QCOMPARE(m_asked->size(), 0); // the user needs a password
        QCOMPARE(m_store.requests, QStringList());
    }

    void aTypedAddressIsThatOfAStoredServer()
    {
        keepOne();
        field("uri")->setText(QStringLiteral("redis://ops:@db"));
        QVERIFY(keep()->isChecked());
        click("connect");
        QCOMPARE(lastAsked().address.password, QByteArray("canary"));
    }

    void anyCertificateIsNotEnough()
    {
        StoredServer server{{}, addressOf(QStringLiteral("rediss://ops:@db:6379"))};
        rememberServer(server);
        setKeepsPasswords(server.address, true);
        m_store.entries.insert(server.address.toUriWithoutPassword(), "password=canary");
        server.address.insecure = true;
        m_page->connectTo(server);
        QCOMPARE(m_asked->size(), 0); // nor with an empty one
        QVERIFY2(loginMessage().contains(QStringLiteral("--insecure")), qPrintable(loginMessage()));
        QCOMPARE(m_store.requests, QStringList());
        server.address.password = "typed";
        m_page->connectTo(server);
        QCOMPARE(lastAsked().address.password, QByteArray("typed"));
        server.address.password.clear();
        server.address.insecure = false;
        m_page->connectTo(server);
        QCOMPARE(lastAsked().address.password, QByteArray("canary"));
    }

    void aNewlyTrustedCertificateDoesNotGetIt()
    {
        const QString tls = QStringLiteral("rediss://ops:@db:6379");
        StoredServer server{{}, addressOf(tls)};
        QVERIFY(server.address.addPin(QByteArray(64, 'a')));
        server.address.password = "canary";
        rememberServer(server);
        QCOMPARE(KeptPasswords(m_store).keep(server.address).result(), QString());
        // What is typed alone is still the pinned server.
        field("uri")->setText(tls);
        click("connect");
        QCOMPARE(lastAsked().address, server.address);
        m_page->fillForm(lastAsked());
        Error refused(ErrorKind::TlsFailed);
        refused.certificate = QByteArray(64, 'b');
        m_page->showFailure(QStringLiteral("Refused."), refused);
        m_asked->clear();
        click("trust");
        QCOMPARE(m_asked->size(), 0);
        QVERIFY2(loginMessage().contains(QStringLiteral("other certificates")), qPrintable(loginMessage()));
        // It is asked for once.
        field("password")->setText(QStringLiteral("canary"));
        click("connect");
        logIn(lastAsked());
        m_page->form().fill(*storedServer(addressOf(tls)));
        click("connect");
        QCOMPARE(lastAsked().address.password, QByteArray("canary"));
        QCOMPARE(lastAsked().address.pins.size(), 2);
    }

    void whicheverWasRefusedIsNamed()
    {
        const QString sentinels = QStringLiteral("redis-sentinel://s1:26379/orders");
        rememberServer({{}, addressOf(sentinels)});
        setKeepsPasswords(addressOf(sentinels), true);
        m_store.entries.insert(sentinels, "sentinel-password=canary");
        field("uri")->setText(sentinels);
        click("connect");
        StoredServer refused = lastAsked();
        QCOMPARE(refused.address.sentinelPassword, QByteArray("canary"));
        m_page->takeBack(refused.address);
        QVERIFY(refused.address.sentinelPassword.isEmpty());
        m_page->fillForm(refused);
        m_page->showFailure(QStringLiteral("Refused."), Error(ErrorKind::SentinelRefused));
        QVERIFY2(textOf("uriMessage").contains(QStringLiteral("came from the keychain")),
                 qPrintable(textOf("uriMessage")));
        QTRY_VERIFY(field("sentinelPassword")->hasFocus());
    }

    /// Or nothing could forget them.
    void everyServerWithKeptPasswordsIsListed()
    {
        keepOne();
        for (int i = 0; i < 12; ++i)
            rememberServer({QStringLiteral("n%1").arg(i), addressOf(QStringLiteral("redis://n%1").arg(i))});
        m_page->showForm();
        QVERIFY(recent());
    }

    void sentinelsAndKeysHaveTheirs()
    {
        const QString sentinels = QStringLiteral("rediss-sentinel://s1:26379,s2:26379/orders");
        field("uri")->setText(sentinels);
        field("password")->setText(QStringLiteral("one"));
        field("sentinelPassword")->setText(QStringLiteral("two"));
        field("passphrase")->setText(QStringLiteral("three"));
        for (QLineEdit *file : m_page->findChildren<QLineEdit *>()) {
            if (file->accessibleName() == QStringLiteral("Client key"))
                file->setText(QStringLiteral("/key.pem"));
        }
        keep()->click();
        click("connect");
        logIn(lastAsked());
        m_page->form().fill(*storedServer(addressOf(sentinels)));
        // Of which one is typed anew.
        field("password")->setText(QStringLiteral("four"));
        click("connect");
        const ServerAddress address = lastAsked().address;
        QCOMPARE(Passwords::of(address), (Passwords{"four", "two", "three"}));
        logIn(lastAsked());
        QCOMPARE(Passwords::fromText(m_store.entries.value(sentinels)), Passwords::of(address));
    }

    void untickingForgets()
    {
        keepOne();
        m_page->form().fill(*storedServer(addressOf(uri)));
        keep()->click();
        QVERIFY(m_store.entries.isEmpty());
        QVERIFY(!keepsPasswords(addressOf(uri)));
        QVERIFY2(notice().contains(QStringLiteral("removed")), qPrintable(notice()));
        click("connect");
        QCOMPARE(m_asked->size(), 0); // the password is asked for
        QVERIFY(loginMessage().contains(QStringLiteral("needs a password")));
    }

    void forgettingAServerForgetsItsPassword_data()
    {
        QTest::addColumn<QString>("action");
        QTest::addColumn<bool>("isListed");
        QTest::newRow("password") << QStringLiteral("Forget its &password") << true;
        QTest::newRow("server") << QStringLiteral("&Forget this server") << false;
    }
    void forgettingAServerForgetsItsPassword()
    {
        QFETCH(QString, action);
        QFETCH(bool, isListed);
        keepOne();
        m_store.isSlow = true;
        for (QAction *each : recent()->actions()) {
            if (each->text() == action)
                each->trigger();
        }
        QCOMPARE(m_store.requests, QStringList{QStringLiteral("remove ") + uri});
        QVERIFY(keepsPasswords(addressOf(uri))); // until they are gone
        // Where that fails it is said, also when the user has gone on meanwhile.
        m_store.failure = SecretStore::Failure{SecretStore::Problem::NotFound};
        m_page->showConnecting(QStringLiteral("db"));
        m_store.answerNext();
        QCOMPARE(!storedServers().isEmpty(), isListed);
        QVERIFY(!keepsPasswords(addressOf(uri)));
        m_page->showForm();
        QVERIFY2(notice().contains(QStringLiteral("may still be in the keychain")) && notice().contains(uri),
                 qPrintable(notice()));
    }

    void aServerWithoutThemIsForgottenAsBefore()
    {
        rememberServer({{}, addressOf(uri)});
        m_page->showForm();
        for (QAction *each : recent()->actions()) {
            QVERIFY(each->text() != QStringLiteral("Forget its &password"));
            if (each->text() == QStringLiteral("&Forget this server"))
                each->trigger();
        }
        QCOMPARE(m_store.requests, QStringList());
    }

    void aTestOfTheConnectionUsesThem()
    {
        keepOne();
        m_page->form().fill(*storedServer(addressOf(uri)));
        m_store.isSlow = true;
        click("test");
        QCOMPARE(m_store.requests, QStringList{QStringLiteral("read ") + uri});
        QVERIFY(shown().contains(QStringLiteral("Waiting for the keychain…")));
        m_store.answerNext();
        QCOMPARE(m_asked->size(), 0);
        QVERIFY(field("uri")->isVisible());
    }

private:
    QLineEdit *field(const char *name) const
    {
        return m_page->findChild<QLineEdit *>(QString::fromLatin1(name));
    }
    QCheckBox *keep() const { return m_page->findChild<QCheckBox *>(QStringLiteral("keepPasswords")); }
    QString textOf(const char *name) const
    {
        const auto *label = m_page->findChild<QLabel *>(QString::fromLatin1(name));
        return label->isVisible() ? label->text() : QString();
    }
    QString loginMessage() const { return textOf("loginMessage"); }
    QString notice() const { return textOf("notice"); }
    QString shown() const
    {
        QStringList texts;
        for (const QLabel *label : m_page->findChildren<QLabel *>()) {
            if (label->isVisible())
                texts << label->text();
        }
        return texts.join(u'\n');
    }
    void click(const char *button) { m_page->findChild<QPushButton *>(QString::fromLatin1(button))->click(); }
    StoredServer lastAsked() const { return m_asked->last().first().value<StoredServer>(); }
    /// As the window does.
    void logIn(const StoredServer &server)
    {
        rememberServer(server);
        m_page->keepPasswords(server);
    }
    void keepOne()
    {
        rememberServer({{}, addressOf(uri)});
        setKeepsPasswords(addressOf(uri), true);
        m_store.entries.insert(uri, "password=canary");
        m_page->showForm();
    }
    QToolButton *recent() const
    {
        QToolButton *found = nullptr; // the last one: those before it are about to go
        for (QToolButton *button : m_page->findChildren<QToolButton *>()) {
            if (button->text().contains(uri))
                found = button;
        }
        return found;
    }

    OwnSettings m_files;
    FakeSecretStore m_store;
    std::unique_ptr<ConnectPage> m_page;
    std::unique_ptr<QSignalSpy> m_asked;
};

QTEST_MAIN(ConnectPagePasswordsTest)
#include "tst_connectpagepasswords.moc"
