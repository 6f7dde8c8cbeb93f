// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/connectpage.h"

#include "ui/connect/connectionform.h"
#include "ui/connect/patternsdialog.h"
#include "ui/connect/recentservers.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

Q_DECLARE_METATYPE(lockscope::ServerAddress)

using namespace lockscope;

class ConnectPageTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("lockscope"));
        QCoreApplication::setApplicationName(QStringLiteral("test"));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_settings.path());
        qRegisterMetaType<ServerAddress>();
    }
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
        const auto address = asked.first().first().value<ServerAddress>();
        QCOMPARE(address.host, QStringLiteral("localhost"));
        QCOMPARE(address.port, 6379);
        QCOMPARE(asked.first().at(2).toBool(), false);
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
        const auto address = asked.first().first().value<ServerAddress>();
        QCOMPARE(address.user, QByteArray("ops"));
        QCOMPARE(address.password, QByteArray("p@ss"));
        QCOMPARE(address.database, 2);
        QVERIFY(asked.first().at(2).toBool());
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

    void recentServersAreRememberedWithoutPasswords()
    {
        for (int i = 0; i < 12; ++i)
            rememberServer(
                {QStringLiteral("n%1").arg(i), QStringLiteral("redis://h%1:6379").arg(i), i % 2 == 0});
        rememberServer({QStringLiteral("again"), QStringLiteral("redis://h9:6379"), true});
        const QList<RecentServer> servers = recentServers();
        QCOMPARE(servers.size(), 8);
        QCOMPARE(servers.first(),
                 (RecentServer{QStringLiteral("again"), QStringLiteral("redis://h9:6379"), true}));
        QCOMPARE(servers.at(1).uri, QStringLiteral("redis://h11:6379"));

        const auto address = ServerAddress::parse(QStringLiteral("redis://ops:canary@db:6380"));
        rememberServer({{}, address->toUriWithoutPassword(), false});
        QSettings().sync();
        QFile file(QSettings().fileName());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray written = file.readAll();
        QVERIFY(written.contains("db:6380"));
        QVERIFY(!written.contains("canary"));
    }

    void patternsAreReadLineByLine()
    {
        PatternsDialog dialog({"lock:*", "*:lock"}, nullptr);
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
    QTemporaryDir m_settings;
};

QTEST_MAIN(ConnectPageTest)
#include "tst_connectpage.moc"
