// SPDX-License-Identifier: GPL-3.0-or-later
// The first page's servers: listed in groups, of an environment, tested before they are connected to.
#include "tests/support/ownsettings.h"
#include "tests/support/redisserver.h"
#include "ui/connect/connectionform.h"
#include "ui/connect/connectiontestview.h"
#include "ui/connect/connectpage.h"

#include <QComboBox>
#include <QLineEdit>
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

} // namespace

class ConnectPageServersTest : public QObject
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

    void groupsAreListedByName()
    {
        rememberServer({QStringLiteral("web"), addressOf("redis://w"), false, Environment::Staging,
                        QStringLiteral("shop")});
        rememberServer({QStringLiteral("orders"), addressOf("redis://o"), false, Environment::Production,
                        QStringLiteral("shop")});
        rememberServer({{}, addressOf("redis://other")});
        const ConnectPage page;
        QStringList texts;
        for (const QToolButton *server : page.findChildren<QToolButton *>()) {
            if (server->text().contains(QStringLiteral("redis://")))
                texts << server->text();
        }
        QCOMPARE(texts.size(), 3);
        QVERIFY(texts[0].contains(QStringLiteral("orders")) &&
                texts[0].contains(QStringLiteral("Production")));
        QVERIFY(texts[1].contains(QStringLiteral("web")) && texts[1].contains(QStringLiteral("Staging")));
        QVERIFY(texts[2].contains(QStringLiteral("other")));
    }

    void theEnvironmentIsChosen()
    {
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.show();
        page.findChild<QComboBox *>(QStringLiteral("environment"))->setCurrentIndex(3);
        page.findChild<QLineEdit *>(QStringLiteral("group"))->setText(QStringLiteral(" shop "));
        QTest::mouseClick(page.findChild<QPushButton *>(QStringLiteral("connect")), Qt::LeftButton);
        const auto server = asked.first().first().value<StoredServer>();
        QCOMPARE(server.environment, Environment::Production);
        QCOMPARE(server.group, QStringLiteral("shop"));
    }

    /// A command that cannot be one is refused; it belongs to one server.
    void aProbeIsOfItsServer()
    {
        ConnectPage page;
        QSignalSpy asked(&page, &ConnectPage::connectRequested);
        page.form().fill(
            {{}, addressOf("redis://a"), false, Environment::Unset, {}, false, QStringLiteral("ssh {host}")});
        page.show();
        const auto field = [&](const char *name) { return page.findChild<QLineEdit *>(QLatin1String(name)); };
        QVERIFY(field("probe")->isVisible());
        QTest::keyClick(field("probe"), Qt::Key_Return);
        QCOMPARE(asked.takeFirst().first().value<StoredServer>().probeCommand, QStringLiteral("ssh {host}"));
        field("probe")->setText(QStringLiteral("ssh {pid}"));
        QTest::keyClick(field("probe"), Qt::Key_Return);
        QVERIFY(asked.isEmpty());
        QCOMPARE(page.focusWidget(), field("probe"));
        field("uri")->setText(QStringLiteral("redis://b"));
        QVERIFY(field("probe")->text().isEmpty());
    }

    void aConnectionIsTestedStepByStep()
    {
        const RedisServer server;
        ConnectPage page;
        page.form().fill({{}, server.tcpAddress()});
        page.show();
        QTest::mouseClick(page.findChild<QPushButton *>(QStringLiteral("test")), Qt::LeftButton);
        const auto *view = page.findChild<ConnectionTestView *>();
        QTRY_VERIFY2(view->text().contains(QStringLiteral("All that watching needs is allowed")),
                     qPrintable(view->text()));
        QVERIFY(view->text().contains(QStringLiteral("Role: Primary")));
    }

private:
    OwnSettings m_files;
};

QTEST_MAIN(ConnectPageServersTest)
#include "tst_connectpageservers.moc"
