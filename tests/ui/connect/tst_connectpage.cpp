// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/connectpage.h"

#include "core/redis/storedservers.h"
#include "tests/support/ownsettings.h"
#include "ui/connect/connectionform.h"
#include "ui/connect/patternsdialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;

namespace {

ServerAddress addressOf(const QByteArray &uri)
{
    return ServerAddress::parse(QString::fromUtf8(uri)).value();
}

} // namespace

class ConnectPageTest : public QObject
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
    }

    void startsWithLocalhost()
    {
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.show();
        QTest::mouseClick(page.findChild<QPushButton *>(QStringLiteral("connect")), Qt::LeftButton);
        QCOMPARE(asked.size(), 1);
        const auto address = asked.first().first().value<StoredServer>().address;
        QCOMPARE(address.host, QStringLiteral("localhost"));
        QCOMPARE(address.port, 6379);
        QCOMPARE(asked.first().first().value<StoredServer>().readOnly, false);
    }

    void nonsenseIsExplainedUnderTheField_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::newRow("port") << QStringLiteral("localhost:99999");
        QTest::newRow("scheme") << QStringLiteral("http://localhost");
        QTest::newRow("empty") << QString();
        QTest::newRow("markup") << QStringLiteral("http://<b>x</b>");
    }
    void nonsenseIsExplainedUnderTheField()
    {
        QFETCH(QString, typed);
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.show();
        auto *uri = page.findChild<QLineEdit *>(QStringLiteral("uri"));
        auto *message = page.findChild<QLabel *>(QStringLiteral("uriMessage"));
        uri->setText(typed);
        QTest::keyClick(uri, Qt::Key_Return);
        QCOMPARE(asked.size(), 0);
        QVERIFY(message->isVisible() && !message->text().isEmpty());
        QCOMPARE(message->textFormat(), Qt::PlainText);
        QTest::keyClicks(uri, QStringLiteral("x"));
        QVERIFY(!message->isVisible());
    }

    void loginAndReadOnlyAreCarried()
    {
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.show();
        page.findChild<QLineEdit *>(QStringLiteral("uri"))->setText(QStringLiteral("redis://db:6380/2"));
        page.findChild<QLineEdit *>(QStringLiteral("user"))->setText(QStringLiteral("ops"));
        page.findChild<QLineEdit *>(QStringLiteral("password"))->setText(QStringLiteral("p@ss"));
        page.findChild<QCheckBox *>(QStringLiteral("readOnly"))->setChecked(true);
        page.findChild<QPushButton *>(QStringLiteral("connect"))->click();
        QCOMPARE(asked.size(), 1);
        const auto address = asked.first().first().value<StoredServer>().address;
        QCOMPARE(address.user, QByteArray("ops"));
        QCOMPARE(address.password, QByteArray("p@ss"));
        QCOMPARE(address.database, 2);
        QVERIFY(asked.first().first().value<StoredServer>().readOnly);
    }

    /// A password that was typed for one server is not sent to another.
    void theLoginBelongsToOneServer()
    {
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.show();
        const auto field = [&page](const char *name) {
            return page.findChild<QLineEdit *>(QString::fromLatin1(name));
        };
        const auto enter = [&](const QString &address) {
            field("uri")->setText(address);
            field("user")->setText(QStringLiteral("ops"));
            field("password")->setText(QStringLiteral("canary"));
            for (QLineEdit *file : page.findChildren<QLineEdit *>()) {
                if (file->accessibleName().contains(QStringLiteral("ertificate")))
                    file->setText(QStringLiteral("/a.pem"));
            }
        };
        const auto isEmpty = [&] {
            const QList<QLineEdit *> fields = page.findChildren<QLineEdit *>();
            return std::all_of(fields.begin(), fields.end(), [&](const QLineEdit *one) {
                return one == field("uri") || one->text().isEmpty();
            });
        };
        auto *message = page.findChild<QLabel *>(QStringLiteral("loginMessage"));
        enter(QStringLiteral("rediss://production:6380"));
        QTest::keyClicks(field("uri"), QStringLiteral("/2")); // the same server
        QCOMPARE(field("password")->text(), QStringLiteral("canary"));
        QVERIFY(!message->isVisible());
        field("uri")->setText(QStringLiteral("rediss://staging:6380"));
        QVERIFY(isEmpty());
        QVERIFY2(message->isVisible() && message->text().contains(QStringLiteral("production:6380")),
                 qPrintable(message->text()));
        page.findChild<QPushButton *>(QStringLiteral("connect"))->click();
        QCOMPARE(asked.size(), 1);
        const auto address = asked.first().first().value<StoredServer>().address;
        QVERIFY(address.password.isEmpty() && address.user.isEmpty() && address.caFile.isEmpty());

        for (const char *other : {"redis://staging:6380", "rediss://staging:6381", "rediss://staging",
                                  "/run/redis.sock", "rediss://:x@production:6380"}) {
            enter(QStringLiteral("rediss://staging:6380"));
            field("uri")->setText(QString::fromLatin1(other));
            QVERIFY2(isEmpty(), other);
        }
        // As it is typed, too: each letter may make another server.
        enter(QStringLiteral("localhost"));
        QTest::keyClick(field("uri"), Qt::Key_Backspace);
        QVERIFY(isEmpty());
    }

    void aRecentServerTakesNoLoginWithIt()
    {
        rememberServer({{}, addressOf("redis://staging:6379"), false});
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.show();
        // Also where the address is the same.
        for (const char *typed : {"redis://production", "redis://staging:6379"}) {
            page.findChild<QLineEdit *>(QStringLiteral("uri"))->setText(QString::fromLatin1(typed));
            page.findChild<QLineEdit *>(QStringLiteral("password"))->setText(QStringLiteral("canary"));
            for (QToolButton *button : page.findChildren<QToolButton *>()) {
                if (button->text().contains(QStringLiteral("staging")))
                    button->click();
            }
            const auto address = asked.takeLast().first().value<StoredServer>().address;
            QCOMPARE(address.host, QStringLiteral("staging"));
            QVERIFY(address.password.isEmpty());
        }
    }

    void theSchemeAndTheBoxFollowEachOther()
    {
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.show();
        auto *uri = page.findChild<QLineEdit *>(QStringLiteral("uri"));
        auto *tls = page.findChild<QCheckBox *>(QStringLiteral("tls"));
        const auto transport = [&] {
            page.findChild<QPushButton *>(QStringLiteral("connect"))->click();
            return asked.takeLast().first().value<StoredServer>().address.transport;
        };
        using Transport = ServerAddress::Transport;
        uri->setText(QStringLiteral("db"));
        QCOMPARE(transport(), Transport::Tcp);
        tls->setChecked(true);
        QCOMPARE(uri->text(), QStringLiteral("db"));
        QCOMPARE(transport(), Transport::Tls);
        uri->setText(QStringLiteral("redis://db"));
        QVERIFY(!tls->isChecked());
        QCOMPARE(transport(), Transport::Tcp);
        uri->setText(QStringLiteral("REDISS://db"));
        QVERIFY(tls->isChecked());
        QCOMPARE(transport(), Transport::Tls);
        // The box is the user's word too, and means the same server.
        auto *password = page.findChild<QLineEdit *>(QStringLiteral("password"));
        password->setText(QStringLiteral("p"));
        tls->click();
        QCOMPARE(uri->text(), QStringLiteral("redis://db"));
        QCOMPARE(password->text(), QStringLiteral("p"));
        QCOMPARE(transport(), Transport::Tcp);
        tls->click();
        QCOMPARE(uri->text(), QStringLiteral("rediss://db"));
        QCOMPARE(password->text(), QStringLiteral("p"));
        QCOMPARE(transport(), Transport::Tls);
        uri->setText(QStringLiteral("/run/redis.sock"));
        QVERIFY(!tls->isEnabled());
        QCOMPARE(transport(), Transport::Unix);
    }

    void aUserNeedsAPassword_data()
    {
        QTest::addColumn<QString>("uri");
        QTest::addColumn<QString>("user");
        QTest::newRow("typed") << QStringLiteral("db") << QStringLiteral("<ops>");
        QTest::newRow("in the address") << QStringLiteral("redis://ops:@db") << QString();
    }
    void aUserNeedsAPassword()
    {
        QFETCH(QString, uri);
        QFETCH(QString, user);
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.show();
        page.activateWindow();
        page.findChild<QLineEdit *>(QStringLiteral("uri"))->setText(uri);
        page.findChild<QLineEdit *>(QStringLiteral("user"))->setText(user);
        page.findChild<QPushButton *>(QStringLiteral("connect"))->click();
        QCOMPARE(asked.size(), 0);
        auto *message = page.findChild<QLabel *>(QStringLiteral("loginMessage"));
        QVERIFY2(message->isVisible() && message->text().contains(QStringLiteral("ops")),
                 qPrintable(message->text()));
        QCOMPARE(message->textFormat(), Qt::PlainText);
        auto *password = page.findChild<QLineEdit *>(QStringLiteral("password"));
        QTRY_VERIFY(password->hasFocus());
        QTest::keyClicks(password, QStringLiteral("x"));
        QTest::keyClick(password, Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QVERIFY(asked.first().first().value<StoredServer>().address.user.contains("ops"));
    }

    void aRefusedLoginIsSaidWhereItIsTyped()
    {
        ConnectPage page;
        page.resize(1024, 500);
        page.show();
        page.activateWindow();
        page.showConnecting(QStringLiteral("db"));
        page.showFailure(QStringLiteral("The password was refused."), true);
        auto *message = page.findChild<QLabel *>(QStringLiteral("loginMessage"));
        auto *password = page.findChild<QLineEdit *>(QStringLiteral("password"));
        QTRY_VERIFY(password->hasFocus());
        QCOMPARE(message->text(), QStringLiteral("The password was refused."));
        // In sight, both of them, however small the window.
        for (const QWidget *widget : {static_cast<QWidget *>(message), static_cast<QWidget *>(password)})
            QTRY_COMPARE(widget->visibleRegion().boundingRect(), widget->rect());
        QTest::keyClicks(password, QStringLiteral("another"));
        QVERIFY(message->isVisible());
    }

    void whatIsKeptIsClosedToOthers()
    {
        const auto permissions = [](const QString &path) {
            return QFile::permissions(path) & allPermissions;
        };
        constexpr QFile::Permissions owner =
            QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser;
        const QString path = QSettings().fileName();
        const QString directory = QFileInfo(path).path();
        // From the first moment on, and where an older version has left it open.
        for (const bool isOld : {false, true}) {
            if (isOld) {
                QFile::setPermissions(path, allPermissions);
                QFile::setPermissions(directory, allPermissions);
            } else {
                QFile::remove(path);
            }
            rememberServer({{}, addressOf("redis://ops:@db"), false});
            QSettings().sync();
            QCOMPARE(permissions(path), owner);
            QCOMPARE(permissions(directory), owner | QFile::ExeOwner | QFile::ExeUser);
        }
    }

    void failureKeepsWhatWasTyped()
    {
        ConnectPage page;
        page.show();
        auto *uri = page.findChild<QLineEdit *>(QStringLiteral("uri"));
        uri->setText(QStringLiteral("nowhere:1"));
        page.showConnecting(QStringLiteral("nowhere:1"));
        QVERIFY(!uri->isVisible());
        QSignalSpy cancelled(&page, &ConnectPage::cancelled);
        for (QPushButton *button : page.findChildren<QPushButton *>()) {
            if (button->isVisible() && button->text() == QStringLiteral("Cancel"))
                button->click();
        }
        QCOMPARE(cancelled.size(), 1);
        page.showFailure(QStringLiteral("No such host."), false);
        QVERIFY(uri->isVisible());
        QCOMPARE(uri->text(), QStringLiteral("nowhere:1"));
        QCOMPARE(page.findChild<QLabel *>(QStringLiteral("uriMessage"))->text(),
                 QStringLiteral("No such host."));
    }

    void aRefusedCertificateCanBeTrusted()
    {
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.show();
        const QByteArray fingerprint(64, 'a');
        page.form().fill({{}, addressOf("rediss://db:6380")});
        page.showFailure(QStringLiteral("No secure connection."), false, fingerprint);
        auto *trust = page.findChild<QPushButton *>(QStringLiteral("trust"));
        QVERIFY(trust->isVisible());
        QVERIFY(trust->toolTip().contains(QString::fromLatin1(fingerprint)));
        QTest::mouseClick(trust, Qt::LeftButton);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.first().first().value<StoredServer>().address.pins, QList{fingerprint});
        QVERIFY(!trust->isVisible());
        // Of another server it says nothing.
        page.showFailure(QStringLiteral("No secure connection."), false, fingerprint);
        page.findChild<QLineEdit *>(QStringLiteral("uri"))->setText(QStringLiteral("rediss://other:6380"));
        QVERIFY(!trust->isVisible());
        QVERIFY(page.findChild<QLineEdit *>(QStringLiteral("pins"))->text().isEmpty());
        // One that is none is said to be.
        auto *pins = page.findChild<QLineEdit *>(QStringLiteral("pins"));
        pins->setText(QStringLiteral("abc"));
        QTest::mouseClick(page.findChild<QPushButton *>(QStringLiteral("connect")), Qt::LeftButton);
        QCOMPARE(asked.size(), 1);
        QVERIFY(
            page.findChild<QLabel *>(QStringLiteral("uriMessage"))->text().contains(QStringLiteral("64")));
    }

    void severalServersAreAGroupWhereThatIsSaid()
    {
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.show();
        auto *uri = page.findChild<QLineEdit *>(QStringLiteral("uri"));
        auto *isGroup = page.findChild<QCheckBox *>(QStringLiteral("isGroup"));
        isGroup->setChecked(true);
        uri->setText(QStringLiteral("host1"));
        QTest::keyClick(uri, Qt::Key_Return);
        QCOMPARE(asked.size(), 0);
        QVERIFY(page.findChild<QLabel *>(QStringLiteral("uriMessage"))
                    ->text()
                    .contains(QStringLiteral("at least two")));
        uri->setText(QStringLiteral("host1,host2:7000,host3"));
        QTest::keyClick(uri, Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        const ServerAddress expected = addressOf("redis-redlock://host1,host2:7000,host3");
        QCOMPARE(asked.first().first().value<StoredServer>().address, expected);
        // What is filled in says so itself.
        page.form().fill({{}, expected});
        QVERIFY(!isGroup->isChecked());
        QCOMPARE(uri->text(), expected.toUriWithoutPassword());
    }

    void sentinelsAreGivenByTheirPrimarysName()
    {
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.show();
        const auto field = [&](const char *name) { return page.findChild<QLineEdit *>(QLatin1String(name)); };
        field("uri")->setText(QStringLiteral("s1:26379,s2"));
        QTest::keyClick(field("uri"), Qt::Key_Return);
        QCOMPARE(asked.size(), 0); // of several hosts which?
        field("primaryName")->setText(QStringLiteral("orders"));
        field("sentinelUser")->setText(QStringLiteral("watcher"));
        field("sentinelPassword")->setText(QStringLiteral("secret"));
        page.findChild<QCheckBox *>(QStringLiteral("readsReplica"))->setChecked(true);
        field("nodeAddresses")->setText(QStringLiteral("10.0.0.5:6379=localhost:7001, 10.0.0.6=localhost"));
        QTest::keyClick(field("uri"), Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        auto address = asked.first().first().value<StoredServer>().address;
        ServerAddress expected = addressOf("redis-sentinel://s1:26379,s2:26379/orders");
        expected.sentinelUser = "watcher";
        expected.sentinelPassword = "secret";
        expected.readsReplica = true;
        expected.addNodeAddress("10.0.0.5:6379=localhost:7001");
        expected.addNodeAddress("10.0.0.6=localhost");
        QCOMPARE(address, expected);

        field("nodeAddresses")->setText(QStringLiteral("10.0.0.5:6379"));
        QTest::keyClick(field("nodeAddresses"), Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QVERIFY(page.findChild<QLabel *>(QStringLiteral("uriMessage"))
                    ->text()
                    .contains(QStringLiteral("10.0.0.5:6379=localhost:7001")));
        field("nodeAddresses")->clear();
        // A server's own address is none of Sentinels.
        field("uri")->setText(QStringLiteral("redis://db:6379"));
        QTest::keyClick(field("uri"), Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        // What was connected to is there again.
        ConnectPage again;
        again.form().fill({QStringLiteral("production"), expected, true});
        again.show();
        QSignalSpy askedAgain(&again, &ConnectPage::connectRequested);
        QTest::keyClick(again.findChild<QLineEdit *>(QStringLiteral("uri")), Qt::Key_Return);
        QCOMPARE(askedAgain.size(), 1);
        QCOMPARE(askedAgain.first().first().value<StoredServer>().address, expected);
    }

    void anSshHostIsAPartOfTheAddress()
    {
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.show();
        const auto field = [&](const char *name) { return page.findChild<QLineEdit *>(QLatin1String(name)); };
        const auto message = [&] { return page.findChild<QLabel *>(QStringLiteral("uriMessage"))->text(); };
        field("uri")->setText(QStringLiteral("db:6379"));
        field("sshHost")->setText(QStringLiteral("-oProxyCommand=x"));
        QTest::keyClick(field("uri"), Qt::Key_Return);
        QCOMPARE(asked.size(), 0);
        QVERIFY(message().contains(QStringLiteral("[USER@]HOST[:PORT]")));
        QCOMPARE(page.focusWidget(), field("sshHost"));
        field("sshHost")->setText(QStringLiteral("ops@bastion"));
        QTest::keyClick(field("sshHost"), Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.first().first().value<StoredServer>().address,
                 addressOf("redis://db:6379?ssh=ops@bastion"));

        // From another host the same name is another server: what was typed for the first is not for it.
        field("password")->setText(QStringLiteral("secret"));
        field("sshHost")->setText(QStringLiteral("other"));
        QTest::keyClick(field("sshHost"), Qt::Key_Return);
        QVERIFY(field("password")->text().isEmpty());
        QCOMPARE(asked.size(), 2);
        QCOMPARE(asked.last().first().value<StoredServer>().address, addressOf("redis://db:6379?ssh=other"));
        QCOMPARE(field("sshHost")->text(), QStringLiteral("other"));

        ConnectPage again;
        again.form().fill({{}, addressOf("redis://db:6379?ssh=ops%40bastion")});
        again.show();
        QCOMPARE(again.findChild<QLineEdit *>(QStringLiteral("uri"))->text(),
                 QStringLiteral("redis://db:6379"));
        QCOMPARE(again.findChild<QLineEdit *>(QStringLiteral("sshHost"))->text(),
                 QStringLiteral("ops@bastion"));
    }

    void aStoredServerHasItsOwnMenu()
    {
        rememberServer({QStringLiteral("orders"), addressOf("redis://db:6379"), true});
        rememberServer({{}, addressOf("redis://other:6379"), false});
        ConnectPage page;
        QSignalSpy elsewhere(&page, &ConnectPage::windowRequested);
        page.show();
        const auto button = [&]() -> QToolButton * {
            for (QToolButton *each : page.findChildren<QToolButton *>()) {
                if (each->text().startsWith(QStringLiteral("orders")))
                    return each;
            }
            return nullptr;
        };
        QVERIFY(button());
        const QList<QAction *> menu = button()->actions();
        QCOMPARE(menu.size(), 4);
        menu[1]->trigger();
        QCOMPARE(elsewhere.size(), 1);
        QCOMPARE(elsewhere.first().first().value<StoredServer>().name, QStringLiteral("orders"));
        menu[3]->trigger();
        QCOMPARE(storedServers().size(), 1);
        QTRY_VERIFY(!button());
    }

    void patternsAreReadLineByLine()
    {
        PatternsDialog dialog({"lock:*", "*:lock"}, true, nullptr);
        QSignalSpy chosen(&dialog, &PatternsDialog::chosen);
        dialog.show();
        auto *text = dialog.findChild<QPlainTextEdit *>();
        auto *ok = dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok);
        text->setPlainText(QStringLiteral(" \n\n"));
        ok->click();
        QCOMPARE(chosen.size(), 0);
        QVERIFY(dialog.isVisible());
        text->setPlainText(QStringLiteral("lock:*\n  sess:é \n\nlock:*"));
        ok->click();
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(dialog.patterns(), (QList<QByteArray>{"lock:*", "sess:\xc3\xa9"}));
    }

private:
    static constexpr QFile::Permissions allPermissions = QFile::Permissions::fromInt(0x7777);

    OwnSettings m_settings;
};

QTEST_MAIN(ConnectPageTest)
#include "tst_connectpage.moc"
