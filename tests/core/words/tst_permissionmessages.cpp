// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/permissionmessages.h"

#include <QtTest>

using namespace lockscope;
using Use = PermissionStatus::Use;
using About = Refusal::About;
using Missing = PermissionStatus::Missing;

class TestPermissionWords : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void saysWhatToGrant_data()
    {
        QTest::addColumn<QList<Missing>>("missing");
        QTest::addColumn<int>("major");
        QTest::addColumn<QString>("rule");
        const auto row = [](const char *name, const QList<Missing> &missing, int major, const char *rule) {
            QTest::newRow(name) << missing << major << QString::fromLatin1(rule);
        };
        const Missing key{Use::Read, {About::Key, "pttl"}, "NOPERM No permissions to access a key"};
        const Missing command{Use::Read, {About::Command, "getrange"}, {}};
        row("nothing", {}, 7, "");
        row("keys", {key}, 7, "ACL SETUSER mo %R~lock:* %R~a?b?c");
        row("keys of Redis 6", {key}, 6, "ACL SETUSER mo ~lock:* ~a?b?c");
        row("keys of an unknown version", {key}, 0, "ACL SETUSER mo ~lock:* ~a?b?c");
        row("a command", {command}, 7, "ACL SETUSER mo +getrange");
        row("both", {key, command}, 7, "ACL SETUSER mo %R~lock:* %R~a?b?c +getrange");
        row("a channel", {{Use::Feed, {About::Channel, {}}, {}}}, 7, "ACL SETUSER mo &__redis__:invalidate");
        row("a container command, as Redis 6 names it", {{Use::Feed, {About::Command, "client"}, {}}}, 6,
            "ACL SETUSER mo +client|setname +client|id +client|tracking +client|caching "
            "+client|trackinginfo");
        row("keys beside locks", {{Use::Companions, {About::Key, {}}, {}}}, 7, "");
        row("who knows", {{Use::Read, {About::Unknown, "pttl"}, "NOPERM"}}, 7,
            "ACL SETUSER mo %R~lock:* %R~a?b?c +pttl +hscan +getrange +zrange +sscan +type");
    }
    void saysWhatToGrant()
    {
        QFETCH(const QList<Missing>, missing);
        QFETCH(const int, major);
        QFETCH(const QString, rule);
        PermissionStatus status;
        status.missing = missing;
        status.unreadable = 2;
        status.patterns = {"lock:*", "a b\x1b"
                                     "c"};
        QCOMPARE(grantRule(status, "mo", major), rule);
        QCOMPARE(askForGrant(status, "mo", major).isEmpty(), rule.isEmpty());
        QCOMPARE(grantRule(status, {}, major),
                 QString(rule).replace(QLatin1String("mo "), QLatin1String("default ")));
    }

    void whatAServerSaysIsNotTrusted()
    {
        const Missing missing{Use::Read, {About::Unknown, "pttl"}, "NOPERM \x1b[2J\xe2\x80\xae"};
        const QString text = describe(missing);
        QVERIFY2(!text.contains(u'\x1b') && !text.contains(QChar(0x202e)), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("the command or the key")));
    }
};

QTEST_GUILESS_MAIN(TestPermissionWords)
#include "tst_permissionmessages.moc"
