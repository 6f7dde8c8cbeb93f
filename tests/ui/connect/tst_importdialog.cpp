// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/importdialog.h"

#include "tests/support/ownsettings.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QtTest>

using namespace lockscope;

class ImportDialogTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        QSettings().clear();
    }

    void storesAllWithGroupAndEnvironment()
    {
        // One that is known keeps what the list does not say.
        ServerAddress pinned = ServerAddress::parse(QStringLiteral("rediss://c")).value();
        QVERIFY(pinned.addPin(QByteArray(64, 'b')));
        rememberServer({{}, pinned, true, Environment::Production});
        rememberServer({QStringLiteral("mine"), ServerAddress::parse(QStringLiteral("redis://b")).value(),
                        false, Environment::Production});
        ImportDialog dialog;
        type(dialog, QStringLiteral("orders = redis://:canary@a\nredis://b\nrediss://c"));
        QVERIFY(shown(dialog).contains(QStringLiteral("Passwords are left out")));
        dialog.findChild<QLineEdit *>()->setText(QStringLiteral("shop"));
        dialog.findChild<QComboBox *>()->setCurrentIndex(1); // weaker than what one of them is
        button(dialog)->click();
        const QList<StoredServer> servers = storedServers();
        QCOMPARE(servers.size(), 3);
        QCOMPARE(servers[0].name, QStringLiteral("orders"));
        QCOMPARE(servers[0].group, QStringLiteral("shop"));
        QVERIFY(servers[0].address.password.isEmpty());
        QCOMPARE(servers[1].name, QStringLiteral("mine"));
        QCOMPARE(servers[1].environment, Environment::Production);
        QCOMPARE(servers[2].address, pinned);
        QVERIFY(servers[2].readOnly);
    }

    void aWrongLineKeepsAllOut()
    {
        ImportDialog dialog;
        QVERIFY(!button(dialog)->isEnabled());
        type(dialog, QStringLiteral("redis://a\n\nhttp://u:canary@b"));
        QVERIFY(!button(dialog)->isEnabled());
        QVERIFY2(shown(dialog).contains(QStringLiteral("Line 3")), qPrintable(shown(dialog)));
        QVERIFY(!shown(dialog).contains(QStringLiteral("canary")));
        QVERIFY(storedServers().isEmpty());
    }

private:
    static void type(const ImportDialog &dialog, const QString &text)
    {
        dialog.findChild<QPlainTextEdit *>()->setPlainText(text);
    }
    static QPushButton *button(const ImportDialog &dialog)
    {
        for (QPushButton *each : dialog.findChildren<QPushButton *>()) {
            if (each->text().startsWith(QStringLiteral("Import")))
                return each;
        }
        return nullptr;
    }
    static QString shown(const ImportDialog &dialog)
    {
        QStringList texts;
        for (const QLabel *label : dialog.findChildren<QLabel *>())
            texts << label->text();
        return texts.join(u'\n');
    }

    OwnSettings m_files;
};

QTEST_MAIN(ImportDialogTest)
#include "tst_importdialog.moc"
