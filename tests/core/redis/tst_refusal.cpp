// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/refusal.h"

#include <QtTest>

using namespace lockscope;
using About = Refusal::About;

class TestRefusal : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void saysWhatItIsAbout_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<About>("about");
        QTest::addColumn<QByteArray>("command");
        const auto row = [](const char *text, About about, const char *command = "") {
            QTest::newRow(text) << QByteArray(text) << about << QByteArray(command);
        };
        row("NOPERM this user has no permissions to run the 'getrange' command or its subcommand",
            About::Command,
            "getrange"); // Redis 6
        row("NOPERM this user has no permissions to access one of the keys used as arguments", About::Key);
        row("NOPERM this user has no permissions to access one of the channels used as arguments",
            About::Channel);
        row("NOPERM this user has no permissions to run the 'client|tracking' command", About::Command,
            "client|tracking"); // Redis 7
        row("NOPERM User u has no permissions to run the 'PTTL' command", About::Command,
            "pttl"); // Redis 8, Valkey
        row("NOPERM No permissions to access a key", About::Key);
        row("NOPERM No permissions to access a channel", About::Channel);
        row("NOPERM User of the keys has no permissions to run the 'get' command", About::Command, "get");
        row("ERR The user executing the script can't run this command or subcommand", About::Command);
        row("ERR The user executing the script can't access at least one of the keys mentioned in the "
            "command",
            About::Key);
        row("ERR ACL failure in script: No permissions to access a key", About::Key);
        row("NOPERM", About::Unknown);
        row("NOPERM denied by the proxy", About::Unknown);
        row("NOPERM permissions to run the 'a\x1b[2J' command", About::Command);
        row("NOPERM permissions to run the 'unended", About::Command);
    }
    void saysWhatItIsAbout()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const About, about);
        QFETCH(const QByteArray, command);
        const Refusal refusal = refusalFrom(text);
        QCOMPARE(refusal.about, about);
        QCOMPARE(refusal.command, command);
    }
};

QTEST_GUILESS_MAIN(TestRefusal)
#include "tst_refusal.moc"
