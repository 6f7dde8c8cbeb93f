// SPDX-License-Identifier: GPL-3.0-or-later
// The first page's servers of shared lists, and the list that it writes.
#include "core/redis/serverlist.h"
#include "tests/support/ownsettings.h"
#include "ui/connect/connectionform.h"
#include "ui/connect/connectpage.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;

namespace {

ServerAddress addressOf(const QByteArray &uri)
{
    return ServerAddress::parse(QString::fromUtf8(uri)).value();
}

QToolButton *serverButton(const ConnectPage &page, const QString &words)
{
    for (QToolButton *button : page.findChildren<QToolButton *>()) {
        if (button->text().contains(words))
            return button;
    }
    return nullptr;
}

QStringList menuOf(const QWidget &button)
{
    QStringList texts;
    for (const QAction *action : button.actions())
        texts << action->text().remove(u'&');
    return texts;
}

} // namespace

class ConnectPageSharedTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qRegisterMetaType<StoredServer>();
        QVERIFY(QDir().mkpath(m_files.filePath(QStringLiteral("lockscope/servers"))));
        QFile list(m_files.filePath(QStringLiteral("lockscope/servers/team.servers")));
        QVERIFY(list.open(QIODevice::WriteOnly));
        list.write("[shop]\norders = redis://orders/2 production read-only\nhttp://u:canary@h\n");
        qputenv("XDG_CONFIG_HOME", QFile::encodeName(m_files.path()));
    }
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        QSettings().clear();
    }

    void theyStandBelowTheUsersOwn()
    {
        rememberServer({QStringLiteral("mine"), addressOf("redis://mine"), false, {}, QStringLiteral("zoo")});
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.show();
        QStringList shown;
        for (const QWidget *widget : page.findChildren<QWidget *>()) {
            const auto *label = qobject_cast<const QLabel *>(widget);
            const auto *button = qobject_cast<const QToolButton *>(widget);
            const QString text = label ? label->text() : button ? button->text() : QString();
            for (const char *word : {"zoo", "mine", "shop (shared)", "orders", "team.servers:3: "}) {
                if (text.contains(QLatin1String(word)))
                    shown << QLatin1String(word);
            }
            QVERIFY2(!text.contains(QStringLiteral("canary")), qPrintable(text));
        }
        QCOMPARE(shown.join(u','), QStringLiteral("zoo,mine,shop (shared),orders,team.servers:3: "));

        QToolButton *orders = serverButton(page, QStringLiteral("orders"));
        QVERIFY2(orders->text().contains(QStringLiteral("Production (read-only)")),
                 qPrintable(orders->text()));
        QVERIFY(orders->toolTip().contains(QStringLiteral("team.servers")));
        QCOMPARE(menuOf(*orders),
                 QStringList({QStringLiteral("Connect"), QStringLiteral("Open in new window"),
                              QStringLiteral("Copy link")}));
        QVERIFY(menuOf(*serverButton(page, QStringLiteral("mine")))
                    .contains(QStringLiteral("Forget this server")));
        orders->actions().last()->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QStringLiteral("lockscope://open?server=redis%3A%2F%2Forders%3A6379%2F2"));

        orders->click();
        const auto server = asked.first().first().value<StoredServer>();
        QCOMPARE(server.address, addressOf("redis://orders/2"));
        QCOMPARE(server.environment, Environment::Production);
        QVERIFY(server.readOnly);
    }

    void theListHoldsWhateverTheFormSays()
    {
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.show();
        StoredServer loosened = storedServer(QStringLiteral("orders")).value();
        loosened.readOnly = false;
        loosened.environment = Environment::Development;
        page.form().fill(loosened);
        page.findChild<QPushButton *>(QStringLiteral("connect"))->click();
        const auto server = asked.first().first().value<StoredServer>();
        QVERIFY(server.readOnly);
        QCOMPARE(server.environment, Environment::Production);
    }

    void theUsersOwnAreExported()
    {
        StoredServer mine{QStringLiteral("a=b"), addressOf("rediss://ann:canary@mine/3"), true,
                          Environment::Staging, QStringLiteral("zoo")};
        rememberServer(mine);
        ConnectPage page;
        page.show();
        page.findChild<QToolButton *>(QStringLiteral("export"))->click();
        auto *dialog = page.findChild<QFileDialog *>();
        QVERIFY(dialog);
        const QString path = m_files.filePath(QStringLiteral("out.servers"));
        emit dialog->fileSelected(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(!text.contains("canary") && !text.contains("orders"), text.constData());
        const QList<ServerLine> lines = parseServerList(QString::fromUtf8(text));
        QCOMPARE(lines.size(), 1);
        mine.address.password.clear();
        QCOMPARE(*lines.first().server, mine);
        emit dialog->fileSelected(m_files.filePath(QStringLiteral("none/x.servers")));
        QVERIFY(
            !page.findChild<QLabel *>(QStringLiteral("notice"))->text().contains(QStringLiteral("exported")));
        dialog->close();
    }

private:
    OwnSettings m_files;
};

QTEST_MAIN(ConnectPageSharedTest)
#include "tst_connectpageshared.moc"
