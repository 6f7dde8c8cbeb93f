// SPDX-License-Identifier: GPL-3.0-or-later
// Links to a lock, which anybody may have written.
#include "core/redis/serverlink.h"

#include "tests/support/ownsettings.h"

#include <QSettings>
#include <QtTest>

using namespace lockscope;

namespace {

ServerAddress addressOf(const QByteArray &uri)
{
    return ServerAddress::parse(QString::fromUtf8(uri)).value();
}

QByteArray linkTo(const QByteArray &uri, const QByteArray &rest = {})
{
    return "lockscope://open?server=" + uri.toPercentEncoding() + rest;
}

} // namespace

class ServerLinkTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QSettings().clear();
    }

    void readsBackWhatItWrites_data()
    {
        QTest::addColumn<QByteArray>("uri");
        QTest::addColumn<QByteArray>("read");

        QTest::newRow("host") << QByteArray("redis://h") << QByteArray("redis://h:6379");
        QTest::newRow("user and password")
            << QByteArray("rediss://ann:canary@h:1/2") << QByteArray("rediss://h:1/2");
        QTest::newRow("proxy") << QByteArray("redis://h?proxy=socks5%3A%2F%2Fu%3Ac%40p%3A1")
                               << QByteArray("redis://h:6379");
        QTest::newRow("SSH") << QByteArray("redis://10.0.0.5?ssh=ops%40bastion")
                             << QByteArray("redis://10.0.0.5:6379");
        QTest::newRow("socket") << QByteArray("unix:///run/my%20r.sock?db=1")
                                << QByteArray("unix:///run/my%20r.sock?db=1");
        QTest::newRow("Sentinels") << QByteArray("redis-sentinel://s1,s2/orders?sentinel-user=x")
                                   << QByteArray("redis-sentinel://s1:26379,s2:26379/orders");
        QTest::newRow("group") << QByteArray("redis-redlock://a,[::1]:7/1")
                               << QByteArray("redis-redlock://a:6379,[::1]:7/1");
    }

    void readsBackWhatItWrites()
    {
        QFETCH(const QByteArray, uri);
        QFETCH(const QByteArray, read);
        const ServerLink link{addressOf(uri), QByteArray("lock:\0&=%\xff+ #\xe9\x94\x81", 15),
                              1'790'000'000'123};
        const QByteArray text = link.toText();
        QVERIFY2(!text.contains("canary") && !text.contains("bastion") && !text.contains("ann"),
                 text.constData());
        const auto again = ServerLink::parse(text);
        QVERIFY2(again, text.constData());
        QCOMPARE(again->server, addressOf(read));
        QCOMPARE(again->key, link.key);
        QCOMPARE(again->wallMs, link.wallMs);
        QCOMPARE(again->toText(), text);
    }

    void hasNothingElse_data()
    {
        QTest::addColumn<QByteArray>("text");

        QTest::newRow("empty") << QByteArray();
        QTest::newRow("another scheme") << QByteArray("redis://open?server=redis%3A%2F%2Fh");
        QTest::newRow("an action") << QByteArray("lockscope://release?server=redis%3A%2F%2Fh");
        QTest::newRow("no server") << QByteArray("lockscope://open?key=a");
        QTest::newRow("an empty server") << linkTo("");
        QTest::newRow("no query") << QByteArray("lockscope://open");
        QTest::newRow("two servers") << linkTo("redis://a", "&server=redis%3A%2F%2Fb");
        QTest::newRow("another word") << linkTo("redis://a", "&insecure=1");
        QTest::newRow("a word without a value") << linkTo("redis://a", "&demo");
        QTest::newRow("a command") << linkTo("redis://a", "&command=sh");
        QTest::newRow("a password") << linkTo("redis://:canary@a");
        QTest::newRow("a user") << linkTo("redis://ann:@a");
        QTest::newRow("an SSH host") << linkTo("redis://a?ssh=evil");
        QTest::newRow("a proxy") << linkTo("redis://a?proxy=http%3A%2F%2Fevil%3A1");
        QTest::newRow("a Sentinel's user") << linkTo("redis-sentinel://s/m?sentinel-user=u");
        QTest::newRow("a scheme of the web") << linkTo("http://:canary@a");
        QTest::newRow("an option") << linkTo("--ssh=evil");
        QTest::newRow("a control character") << linkTo("unix:///run/a\nb");
        QTest::newRow("a login of the link")
            << QByteArray("lockscope://u:canary@open?server=redis%3A%2F%2Fh");
        QTest::newRow("a port of the link") << QByteArray("lockscope://open:1?server=redis%3A%2F%2Fh");
        QTest::newRow("a path") << QByteArray("lockscope://open/x?server=redis%3A%2F%2Fh");
        QTest::newRow("a fragment") << linkTo("redis://a", "#key");
        QTest::newRow("a broken escape") << linkTo("redis://a", "&key=%zz");
        QTest::newRow("no time") << linkTo("redis://a", "&at=yesterday");
        QTest::newRow("a local time") << linkTo("redis://a", "&at=2026-01-31T12%3A00%3A00");
        QTest::newRow("too long") << linkTo("redis://a", "&key=" + QByteArray(8'192, 'a'));
    }

    void hasNothingElse()
    {
        QFETCH(const QByteArray, text);
        const auto link = ServerLink::parse(text);
        QVERIFY(!link);
        QCOMPARE(link.error().kind, ErrorKind::InvalidArgument);
        QVERIFY2(!link.error().text().contains("canary"), link.error().text().constData());
    }

    void whatABrowserMakesOfIt()
    {
        const auto link =
            ServerLink::parse("LockScope://Open/?server=redis%3a%2f%2fh&key=a+b&at=2026-09-21T14:13:20Z");
        QVERIFY(link);
        QCOMPARE(link->key, "a+b");
        QCOMPARE(link->wallMs, 1'790'000'000'000);
    }

    void noneForWhatIsElsewhereAnotherServer()
    {
        QVERIFY((ServerLink{addressOf("redis://localhost?ssh=ops%40bastion"), {}, {}}.toText().isEmpty()));
        QVERIFY((ServerLink{addressOf("unix:///r.sock?ssh=bastion"), {}, {}}.toText().isEmpty()));
        QVERIFY((!ServerLink{addressOf("redis-sentinel://s/m?ssh=bastion"), {}, {}}.toText().isEmpty()));
        QVERIFY((ServerLink{addressOf("redis://h"), QByteArray(4'000, '\n'), {}}.toText().isEmpty()));
    }

    void findsTheServerThatIsMeant()
    {
        const auto known = [](const QByteArray &uri) { return ServerLink{addressOf(uri), {}, {}}.known(); };
        rememberServer({QStringLiteral("far"), addressOf("redis://10.0.0.5?ssh=a")});
        rememberServer({QStringLiteral("local"), addressOf("redis://localhost?ssh=a")});
        rememberServer({QStringLiteral("ann"), addressOf("rediss://ann:@orders/2")});
        QCOMPARE(known("rediss://orders/2")->name, QStringLiteral("ann"));
        QVERIFY(!known("redis://orders/2") && !known("rediss://orders") && !known("rediss://orders:1/2"));
        QVERIFY(!known("redis://localhost"));
        QCOMPARE(known("redis://10.0.0.5")->name, QStringLiteral("far"));
        rememberServer({QStringLiteral("other"), addressOf("redis://10.0.0.5?ssh=b")});
        QVERIFY(!known("redis://10.0.0.5")); // which of the two?
        rememberServer({QStringLiteral("near"), addressOf("redis://10.0.0.5")});
        rememberServer({QStringLiteral("far"), addressOf("redis://10.0.0.5?ssh=a")});
        QCOMPARE(known("redis://10.0.0.5")->name, QStringLiteral("near"));
    }

private:
    OwnSettings m_files;
};

QTEST_GUILESS_MAIN(ServerLinkTest)
#include "tst_serverlink.moc"
