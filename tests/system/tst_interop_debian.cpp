// SPDX-License-Identifier: GPL-3.0-or-later
// Locks of PHP and Python libraries that Debian packages, as these libraries themselves take, wait for and give them back: listed
// by their family, ended by force, and the one that waits has it.
#include "tests/system/interop/driver.h"
#include "tests/system/interop/listing.h"

using namespace lockscope;

namespace {

constexpr qint64 leaseSeconds = 60;
constexpr qint64 endless = 0;
const QByteArray laravelKey = "laravel_database_laravel_cache:orders:7";
const QByteArray scheduleKey =
    "laravel_database_laravel_cache:framework/schedule-a5a6335be2753a885d7c5b77f4cfc9468396ecd4";

} // namespace

class TestInteropDebian : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QCOMPARE(m_server.cli({"FLUSHALL"}), "OK");
    }

    void isListed_data() { libraries(); }
    void isListed();
    void forceExpireHandsItOver_data() { libraries(); }
    void forceExpireHandsItOver();
    void aReaderOfSeveral();
    void aLockWithoutAKey();

private:
    static void libraries();
    static std::unique_ptr<Driver> clientOf(const RedisServer &server, const QString &library,
                                            const QString &mode, qint64 seconds);
    std::unique_ptr<Driver> client(const QString &mode);
    /// What the library stores for a token of its own.
    static QByteArray storedOf(const QByteArray &token);

    RedisServer m_server;
};

void TestInteropDebian::libraries()
{
    QTest::addColumn<QString>("library");
    QTest::addColumn<QByteArray>("key");        // of the lock "orders:7"
    QTest::addColumn<QByteArray>("family");     // "?NAME": not known, and this one is the only candidate
    QTest::addColumn<QByteArray>("stored");     // "%": the library's token
    QTest::addColumn<qint64>("seconds");        // of its lease
    QTest::addColumn<QByteArray>("ownerHears"); // from its release, once the next one holds it
    const auto row = [](const char *name, const char *library, const QByteArray &key, const char *family,
                        const QByteArray &stored, qint64 seconds, const char *ownerHears) {
        QTest::newRow(name) << QString::fromLatin1(library) << key << QByteArray(family) << stored << seconds
                            << QByteArray(ownerHears);
    };
    const auto laravel = [&row](const char *library, const QByteArray &stored) {
        row(library, library, laravelKey, "laravel", stored, leaseSeconds, "failed NotHeld");
    };
    row("symfony", "symfony", "orders:7", "symfony", "%", leaseSeconds, "released");
    laravel("laravel", "%");
    laravel("laravel-letters", "%");
    laravel("laravel-php", "s:16:\"%\";");
    laravel("laravel-json", "\"%\"");
    laravel("laravel-igbinary", QByteArray("\0\0\0\2\x11\x10%", 7));
    laravel("laravel-lzf", "\x0f%");
    row("laravel, endless", "laravel", laravelKey, "laravel", "%", endless, "failed NotHeld");
    row("laravel-schedule", "laravel-schedule", scheduleKey, "laravel", "%", leaseSeconds, "released");
    row("laravel-bare", "laravel-bare", "orders:7", "?laravel", "%", leaseSeconds, "failed NotHeld");
    row("dogpile", "dogpile", "_lockorders:7", "redis-py", "%", leaseSeconds, "failed LockNotOwnedError");
    row("dogpile, endless", "dogpile", "_lockorders:7", "redis-py", "%", endless, "failed LockNotOwnedError");
}

std::unique_ptr<Driver> TestInteropDebian::clientOf(const RedisServer &server, const QString &library,
                                                    const QString &mode, qint64 seconds)
{
    QStringList words{server.socketPath(), QStringLiteral("orders:7"), mode, QString::number(seconds)};
    if (library == QStringLiteral("dogpile"))
        return pythonDriver("dogpile_locks.py", words);
    words.prepend(library);
    return phpDriver("php_locks.php", words);
}

std::unique_ptr<Driver> TestInteropDebian::client(const QString &mode)
{
    QFETCH(const QString, library);
    QFETCH(const qint64, seconds);
    return clientOf(m_server, library, mode, seconds);
}

QByteArray TestInteropDebian::storedOf(const QByteArray &token)
{
    QFETCH(QByteArray, stored);
    return stored.replace('%', token);
}

void TestInteropDebian::isListed()
{
    QFETCH(const QByteArray, key);
    QFETCH(const QByteArray, family);
    QFETCH(const qint64, seconds);
    const auto holder = client(QStringLiteral("hold"));
    const QByteArrayList held = holder->line();
    QCOMPARE(held.value(0), "held");

    const qint64 before = m_server.cli({"PTTL", key}).toLongLong();
    const QJsonArray locks = locksUnder(m_server, "*");
    const qint64 after = m_server.cli({"PTTL", key}).toLongLong();
    const bool isOpen = family.startsWith('?');
    VERIFY_ONLY_LOCK(locks, key, isOpen ? QByteArray("token") : family,
                     QList<ToldOwner>({{storedOf(held.value(1)), 1}}));
    const QJsonObject lock = locks[0].toObject();
    const QJsonArray candidates = isOpen ? QJsonArray{QString::fromLatin1(family.sliced(1))} : QJsonArray();
    QCOMPARE(lock[QLatin1String("candidates")].toArray(), candidates);
    QCOMPARE(lock[QLatin1String("problems")].toArray(), QJsonArray());
    if (seconds == endless)
        QVERIFY2(after == -1 && lock[QLatin1String("ttl_ms")].isNull(), compact(locks).constData());
    else
        QVERIFY2(isTimeLeft(lock, before, after) && before <= seconds * 1000, compact(locks).constData());

    QCOMPARE(holder->answerTo("release"), "released");
    QCOMPARE(m_server.cli({"EXISTS", key}), "0");
    QCOMPARE(locksUnder(m_server, "*"), QJsonArray());
}

/// portalocker's: it ends with the connection of its holder.
void TestInteropDebian::aLockWithoutAKey()
{
    const auto reported = [this] {
        return jsonIn(CliProgram::on(m_server, {"list", "--json"}).out)[QLatin1String("channel_locks")]
            .toArray();
    };
    const QStringList words{m_server.socketPath(), QStringLiteral("reports")};
    const auto holder = pythonDriver("portalocker_lock.py", words);
    QCOMPARE(holder->line().value(0), "held");
    const QJsonArray locks = reported();
    QCOMPARE(locks.size(), 1);
    QCOMPARE(locks[0].toObject()[QLatin1String("channel")].toString(), QStringLiteral("reports"));
    const Ran list = CliProgram::on(m_server, {"list"});
    QVERIFY2(list.err.startsWith("1 lock (0 with problems)"), list.err);
    QVERIFY2(list.out.startsWith("Lock without a key (portalocker): channel reports, held by"), list.out);
    QCOMPARE(holder->answerTo("release"), "released");
    QCOMPARE(reported(), QJsonArray());
}

void TestInteropDebian::forceExpireHandsItOver()
{
    QFETCH(const QString, library);
    QFETCH(const QByteArray, key);
    QFETCH(const QByteArray, family);
    QFETCH(const QByteArray, ownerHears);
    const auto holder = client(QStringLiteral("hold"));
    const QByteArrayList held = holder->line();
    QCOMPARE(held.value(0), "held");
    const QByteArray said = saidOfHolder(m_server, key, family);
    const auto waiter = client(QStringLiteral("wait"));
    QCOMPARE(waiter->line().value(0), "waiting");

    QCOMPARE(forceExpired(m_server, key, {"somebody else"}), "owner-changed");
    QCOMPARE(m_server.cli({"EXISTS", key}), "1");
    QCOMPARE(forceExpired(m_server, key, {storedOf(held.value(1))}), "expired");
    const QByteArrayList woken = waiter->line();
    QCOMPARE(woken.value(0), "woken"); // within 20 s, which is less than the lease
    QVERIFY(woken.value(1) != held.value(1));

    if (library == QStringLiteral("symfony")) // only its renewal says so
        QCOMPARE(holder->answerTo("extend"), "failed LockConflictedException");
    QCOMPARE(holder->answerTo("release"), ownerHears);
    const QByteArray seen = seenOfHolder(ownerHears, m_server.cli({"EXISTS", key}) == "1");
    QCOMPARE(library == QStringLiteral("symfony") ? "fails-renewal" : seen, said);
    if (seen == "deletes-next-lock")
        return;
    const QJsonArray locks = locksUnder(m_server, "*");
    QVERIFY2(areToldAs(locks[0][QLatin1String("owners")].toArray(), {{storedOf(woken.value(1))}}),
             compact(locks).constData());
    QCOMPARE(waiter->answerTo("release"), "released");
    QCOMPARE(m_server.cli({"EXISTS", key}), "0");
}

/// Symfony's shared lock: ending one reader leaves the other, and ending that one lets the writer in.
void TestInteropDebian::aReaderOfSeveral()
{
    const QByteArray key = "orders:7";
    const auto start = [this](const char *library, const char *mode) {
        return clientOf(m_server, QString::fromLatin1(library), QString::fromLatin1(mode), leaseSeconds);
    };
    const auto first = start("symfony-read", "hold");
    const QByteArray firstToken = first->line().value(1);
    const auto second = start("symfony-read", "hold");
    const QByteArray secondToken = second->line().value(1);
    const QString reads = QStringLiteral("read");
    VERIFY_ONLY_LOCK(locksUnder(m_server, "*"), key, "symfony",
                     QList<ToldOwner>({{firstToken, 1, reads}, {secondToken, 1, reads}}));
    const auto writer = start("symfony", "wait");
    QCOMPARE(writer->line().value(0), "waiting");

    const Ran ran =
        CliProgram::on(m_server, {"force-expire", key, "--only", "--expect-owner", firstToken, "--json"});
    QVERIFY2(ran.exitCode == 0, reported(ran).constData());
    VERIFY_ONLY_LOCK(locksUnder(m_server, "*"), key, "symfony", QList<ToldOwner>({{secondToken, 1, reads}}));
    QCOMPARE(first->answerTo("extend"), "failed LockConflictedException");
    QCOMPARE(first->answerTo("release"), "released");
    QCOMPARE(forceExpired(m_server, key, {secondToken}), "expired");
    const QByteArrayList woken = writer->line();
    QCOMPARE(woken.value(0), "woken");
    VERIFY_ONLY_LOCK(locksUnder(m_server, "*"), key, "symfony",
                     QList<ToldOwner>({{woken.value(1), 1, QStringLiteral("write")}}));
}

QTEST_GUILESS_MAIN(TestInteropDebian)
#include "tst_interop_debian.moc"
