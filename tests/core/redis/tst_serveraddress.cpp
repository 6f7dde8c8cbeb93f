// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/serveraddress.h"

#include <QtTest>

using namespace lockscope;
using Transport = ServerAddress::Transport;

namespace {

const QByteArray canary = "canary-7f3d";

ServerAddress tcp(const QString &host, quint16 port = 6379, int database = 0,
                  Transport transport = Transport::Tcp)
{
    ServerAddress address;
    address.transport = transport;
    address.host = host;
    address.port = port;
    address.database = database;
    return address;
}

ServerAddress socket(const QString &path, int database = 0)
{
    ServerAddress address;
    address.transport = Transport::Unix;
    address.socketPath = path;
    address.database = database;
    return address;
}

ServerAddress withLogin(ServerAddress address, const QByteArray &user, const QByteArray &password)
{
    address.user = user;
    address.password = password;
    return address;
}

} // namespace

class TestServerAddress : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void showsWithoutPassword_data();
    void showsWithoutPassword();
    void writesWhatItReadsBack_data();
    void writesWhatItReadsBack();
    void readsFingerprints();
};

void TestServerAddress::readsFingerprints()
{
    ServerAddress address;
    const QByteArray hex(64, 'a');
    QByteArray colons;
    for (int i = 0; i < 32; ++i)
        colons += "AA:";
    QVERIFY(address.addPin(hex));
    QVERIFY(address.addPin("SHA256:" + hex.toUpper()));
    QVERIFY(address.addPin(' ' + colons.chopped(1) + ' '));
    QVERIFY(address.addPin(hex.first(32) + ' ' + hex.last(32)));
    QCOMPARE(address.pins, QList{hex});
    for (const QByteArray &other :
         {QByteArray(), QByteArray("SHA256:"), hex.chopped(1), hex + 'a', QByteArray(64, 'g')})
        QVERIFY2(!address.addPin(other), other);
}

void TestServerAddress::reads_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<ServerAddress>("expected");

    const auto row = [](const char *text, const ServerAddress &expected) {
        QTest::newRow(text) << QString::fromUtf8(text) << expected;
    };
    const QString h = QStringLiteral("h");
    ServerAddress sentinels;
    sentinels.sentinels = {{h, 26379}, {QStringLiteral("::1"), 26380}};
    sentinels.primaryName = QStringLiteral("orders");
    row("redis-sentinel://h,[::1]:26380/orders", sentinels);
    row("redis-sentinel://h,[::1]:26380,h:26379/orders/", sentinels);
    row("redis-sentinel://h,[::1]:26380/0#orders", sentinels); // as Lettuce writes it
    row("valkey-sentinel://h,[::1]:26380#orders", sentinels);
    sentinels.primaryName = QStringLiteral("or/ders");
    sentinels.database = 2;
    sentinels.transport = Transport::Tls;
    sentinels.sentinelUser = "w&=";
    sentinels.readsReplica = true;
    row("rediss-sentinel://h,[::1]:26380/or%2Fders/2?sentinel-user=w%26%3D&replica", sentinels);
    ServerAddress group;
    group.members = {{h, 6379}, {QStringLiteral("::1"), 6380}, {h, 1}};
    row("redis-redlock://h,[::1]:6380,h:1", group);
    row("redis-redlock://h:6379,[::1]:6380,h:1/", group);
    group.database = 2;
    group.user = "ann";
    group.password = "p,w";
    group.transport = Transport::Tls;
    group.sshHost = QStringLiteral("ops@bastion");
    row("rediss-redlock://ann:p,w@h,[::1]:6380,h:1/2?ssh=ops@bastion", group);
    row("h", tcp(h));
    row("h:7000", tcp(h, 7000));
    row("h:7000/3", tcp(h, 7000, 3));
    row("127.0.0.1", tcp(QStringLiteral("127.0.0.1")));
    row("my_host-1.example.org", tcp(QStringLiteral("my_host-1.example.org")));
    row("bücher.example", tcp(QStringLiteral("bücher.example")));
    row("[::1]", tcp(QStringLiteral("::1")));
    row("[::1]:6380", tcp(QStringLiteral("::1"), 6380));
    row("redis://[fe80::1%25eth0]:6380/1", tcp(QStringLiteral("fe80::1%eth0"), 6380, 1));
    row("redis://h", tcp(h));
    row("redis://h/", tcp(h));
    row("redis://h:1", tcp(h, 1));
    row("redis://h:65535", tcp(h, 65535));
    row("redis://h/15", tcp(h, 6379, 15));
    row("redis://h?db=4", tcp(h, 6379, 4));
    row("REDIS://h", tcp(h));
    row("rediss://h:6380/2", tcp(h, 6380, 2, Transport::Tls));
    row("redis://:pw@h", withLogin(tcp(h), {}, "pw"));
    row("redis://ann:pw@h:7000/2", withLogin(tcp(h, 7000, 2), "ann", "pw"));
    row("redis://ann:@h", withLogin(tcp(h), "ann", {}));
    row("redis://a%3Ann:p%40s%2Fs%25%00@h", withLogin(tcp(h), "a:nn", QByteArray("p@s/s%\0", 7)));
    row("redis://:%ff%FE@h", withLogin(tcp(h), {}, "\xff\xfe"));
    row("redis://:pä@h", withLogin(tcp(h), {}, "p\xc3\xa4"));
    // Raw characters in a password, where there is one way to read them.
    row("redis://:p@ss@h", withLogin(tcp(h), {}, "p@ss"));
    row("redis://:a:b@h", withLogin(tcp(h), {}, "a:b"));
    row("redis://:p/w?x#@h/1", withLogin(tcp(h, 6379, 1), {}, "p/w?x#"));
    row("/run/redis.sock", socket(QStringLiteral("/run/redis.sock")));
    row("/run/my redis%20.sock", socket(QStringLiteral("/run/my redis%20.sock")));
    row("redis+unix:///run/redis.sock?db=3", socket(QStringLiteral("/run/redis.sock"), 3));
    row("redis-socket:///run/redis.sock?database=3", socket(QStringLiteral("/run/redis.sock"), 3));
    row("unix:///run/redis.sock", socket(QStringLiteral("/run/redis.sock")));
    row("unix:///run/redis.sock?db=3", socket(QStringLiteral("/run/redis.sock"), 3));
    row("unix:///run/a%20b%3F@c.sock?db=3", socket(QStringLiteral("/run/a b?@c.sock"), 3));
    row("unix://ann:p%2Fw@/run/redis.sock",
        withLogin(socket(QStringLiteral("/run/redis.sock")), "ann", "p/w"));
}

void TestServerAddress::reads()
{
    QFETCH(QString, text);
    QFETCH(ServerAddress, expected);

    const Result<ServerAddress> read = ServerAddress::parse(text);
    QVERIFY2(read, read ? "" : read.error().text().constData());
    QVERIFY2(*read == expected, qPrintable(read->toDisplayString()));
}

void TestServerAddress::refuses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("reason");

    const auto row = [](const QString &text, const char *reason) {
        QTest::newRow(qPrintable(text + QLatin1String(" | ") + QLatin1String(reason)))
            << text << QByteArray(reason);
    };
    const auto row8 = [&](const char *text, const char *reason) { row(QString::fromUtf8(text), reason); };
    row8("", "missing");
    row8(":6379", "host is missing");
    row8("redis://", "host is missing");
    row8("redis://:canary-7f3d@", "host is missing");
    row8("redis://:canary-7f3d@:6379", "host is missing");
    row8("redis:///2", "host is missing");
    row8("h:", "port");
    row8("h:0", "port");
    row8("h:99999", "port");
    row8("h:+1", "port");
    row8("h:6379x", "port");
    row8("h:99999999999999999999", "port");
    row8("redis://:canary-7f3d@h:0", "port");
    row8("redis://h/abc", "database");
    row8("redis://h/-1", "database");
    row8("redis://h/+1", "database");
    row8("redis://h/1/", "database");
    row8("redis://h/99999999999", "database");
    row8("redis://h#1", "database");
    row8("redis://h?db=", "database");
    row8("unix:///s?db=-1", "database");
    row8("unix:///s?password=canary-7f3d", "only db=N");
    row8("http://h", "must start with");
    row8("mysql://root:canary-7f3d@h", "must start with");
    row8("x:canary-7f3d://h", "must start with");
    row8("://h", "must start with");
    row8("redis+sentinel://h/mymaster", "as in redis-sentinel://host1,host2/name");
    row8("redos://h", "redis-sentinel://");
    row8("redis-sentinel://h", "as in redis-sentinel://host1,host2/name");
    row8("redis-sentinel://h/", "as in redis-sentinel://host1,host2/name");
    row8("redis-sentinel://:canary-7f3d@h//2", "as in redis-sentinel://host1,host2/name");
    row8("redis-sentinel:///mymaster", "The host is missing");
    row8("redis-sentinel://h,/mymaster", "The host is missing");
    row8("redis-sentinel://h,h:0/mymaster", "port");
    row8("redis-sentinel://h/mymaster/x", "database");
    row8("redis-sentinel://h/mymaster?password=canary-7f3d", "only db=N");
    row8("redis-sentinel://h/%", "as in redis-sentinel://host1,host2/name");
    row8("redis://h?replica", "only db=N");
    row8("redis-redlock://h", "at least two");
    row8("redis-redlock://", "The host is missing");
    row8("redis-redlock://h,", "The host is missing");
    row8("redis-redlock://h,i,h:6379", "names h:6379 twice");
    row8("redis-redlock://:canary-7f3d@h,h", "twice");
    row8("redis-redlock://a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p", "At most 15");
    row8("redis-redlock://h,i/x", "database");
    row8("redlock://h,i", "as in redis-redlock://host1,host2,host3");
    row8("redis-cluster://h", "any node of the cluster");
    row8("redis+cluster://h", "any node of the cluster");
    row8("redis://h1,h2", "redis-sentinel://host1,host2/name");
    row8("redis://h1:1,h2:2", "redis-sentinel://host1,host2/name");
    row8("redis://canary-7f3d@h", "user:password");
    row8("ann:canary-7f3d@h", "redis://user:password@host");
    row8("redis://:canary-7f3d%@h", "%25");
    row8("redis://:canary-7f3d%zz@h", "%25");
    row8("redis://a%:canary-7f3d@h", "%25");
    row8("redis://:p@canary-7f3d:w/rd%@h", "ambiguous");
    row8("redis://:canary-7f3d@h:6379/0@2", "ambiguous");
    row8("redis://a b", "blank");
    row8(" h", "blank");
    row8("h\n", "blank");
    row8("redis://:canary-7f3d @h", "blank");
    row8("h\xe2\x80\x8b", "blank or invisible");
    row8("h\xe2\x80\xae", "blank or invisible");
    row(QStringLiteral("h") + QChar(0), "blank or invisible");
    row(QStringLiteral("/run/a") + QChar(0), "Invalid character");
    row8("/run/a\nb", "Invalid character");
    row8("unix:///run/a%00", "Invalid character");
    row8("unix:///run/a%0a", "Invalid character");
    row8("unix:///run/a%", "%25");
    row8("unix://run/redis.sock", "must start with '/'");
    row8("unix://", "must start with '/'");
    row8("::1", "as in [::1]:6379");
    row8("::1:6379", "as in [::1]:6379");
    row8("[::1", "IPv6");
    row8("[127.0.0.1]", "IPv6");
    row8("[]:1", "IPv6");
    row8("[::1]6379", "as in [::1]:6379");
    row8("h*st", "character");
    row8("h%41", "character");
    row8("<b>h</b>", "character");
}

void TestServerAddress::refuses()
{
    QFETCH(QString, text);
    QFETCH(QByteArray, reason);

    const Result<ServerAddress> read = ServerAddress::parse(text);
    QVERIFY2(!read, "accepted");
    QCOMPARE(read.error().kind, ErrorKind::InvalidArgument);
    QVERIFY2(read.error().text().contains(reason), read.error().text().constData());
    QVERIFY2(!read.error().text().contains(canary), read.error().text().constData());
}

void TestServerAddress::showsWithoutPassword_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");

    const auto row = [](const char *text, const char *shown) {
        QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(shown);
    };
    row("h", "h:6379");
    row("[::1]", "[::1]:6379");
    row("redis://:canary-7f3d@h:7000", "h:7000");
    row("redis://ann:canary-7f3d@h/2", "h:6379/2");
    row("rediss://ann:x@canary-7f3d@h/2", "h:6379/2 (TLS)");
    row("rediss://:canary-7f3d@[::1]", "[::1]:6379 (TLS)");
    row("redis-sentinel://:canary-7f3d@h,h2/orders", "orders (Sentinel h:26379)");
    row("unix://:canary-7f3d@/run/redis.sock", "/run/redis.sock");
    row("unix://:canary-7f3d@/run/redis.sock?db=2", "/run/redis.sock (db 2)");
}

void TestServerAddress::showsWithoutPassword()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);

    const Result<ServerAddress> read = ServerAddress::parse(text);
    QVERIFY(read);
    QCOMPARE(read->toDisplayString(), shown);
    QVERIFY(!read->toUriWithoutPassword().contains(QString::fromLatin1(canary)));
}

void TestServerAddress::writesWhatItReadsBack_data()
{
    reads_data();
}

void TestServerAddress::writesWhatItReadsBack()
{
    QFETCH(ServerAddress, expected);

    const QString uri = expected.toUriWithoutPassword();
    const Result<ServerAddress> read = ServerAddress::parse(uri);
    QVERIFY2(read, qPrintable(uri));
    expected.password.clear();
    QVERIFY2(*read == expected, qPrintable(uri));
}

QTEST_GUILESS_MAIN(TestServerAddress)
#include "tst_serveraddress.moc"
