// SPDX-License-Identifier: GPL-3.0-or-later
// Locks that the Node libraries themselves take, wait for, renew and give back, as lockscope-cli sees and ends them.
#include "tests/system/interop/driver.h"
#include "tests/system/interop/listing.h"
#include "tests/system/interop/lookout.h"

using namespace lockscope;

namespace {

constexpr qint64 leaseMs = 30'000;
const QString job = QStringLiteral("bull:emails:1");
const QByteArray jobLock = "bull:emails:1:lock";

QByteArray outAndErr(const Ran &ran)
{
    return (ran.out + ran.err).toLower();
}

} // namespace

class TestInteropNode : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_cli.reset(); }

    void isListed_data() { libraries(); }
    void isListed();
    void forceExpireHandsItOver_data() { libraries(); }
    void forceExpireHandsItOver();
    void renewalsAreSeen_data();
    void renewalsAreSeen();
    void aJobsLockIsListed();
    void aJobsLockIsNotTaken();
    void aJobsWorkerLearnsOfTheEnd();

private:
    static void libraries();
    std::unique_ptr<Driver> client(const QString &mode);
    /// As many as hold it at once, each having said so.
    std::vector<std::unique_ptr<Driver>> holders(QByteArrayList &tokens);
    /// A worker whose job runs; its token.
    std::unique_ptr<Driver> worker(QByteArray &token, int lockDurationMs);

    RedisServer m_server;
    std::optional<CliProgram> m_cli;
};

void TestInteropNode::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_cli.emplace();
    QCOMPARE(m_server.cli({"FLUSHALL"}), "OK");
}

void TestInteropNode::libraries()
{
    QTest::addColumn<QString>("library");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<int>("limit");
    QTest::addColumn<QByteArray>("family");
    QTest::addColumn<QByteArray>("oldOwnerHears"); // when it gives back what it has not any more
    const auto row = [](const char *library, const char *name, const char *key, int limit, const char *family,
                        const char *oldOwnerHears) {
        QTest::newRow(library) << QString::fromLatin1(library) << QString::fromLatin1(name) << QByteArray(key)
                               << limit << QByteArray(family) << QByteArray(oldOwnerHears);
    };
    row("redlock", "locks:account:322456", "locks:account:322456", 1, "token", "failed ExecutionError");
    row("mutex", "report:daily", "mutex:report:daily", 1, "redis-semaphore", "lost LostLockError");
    row("semaphore", "report:exports", "semaphore:report:exports", 2, "redis-semaphore",
        "lost LostLockError");
}

std::unique_ptr<Driver> TestInteropNode::client(const QString &mode)
{
    QFETCH(const QString, library);
    QFETCH(const QString, name);
    return nodeDriver("node_locks.js",
                      {library, m_server.socketPath(), name, mode, QString::number(leaseMs)});
}

std::vector<std::unique_ptr<Driver>> TestInteropNode::holders(QByteArrayList &tokens)
{
    QFETCH(const int, limit);
    std::vector<std::unique_ptr<Driver>> all;
    for (int i = 0; i < limit; ++i)
        all.push_back(client(QStringLiteral("hold")));
    for (const auto &holder : all) {
        const QByteArrayList held = holder->line();
        if (held.value(0) != "held")
            qFatal("%s", held.join(' ').constData());
        tokens << held.value(1);
    }
    return all;
}

void TestInteropNode::isListed()
{
    QFETCH(const QByteArray, key);
    QFETCH(const QByteArray, family);
    QByteArrayList tokens;
    const auto all = holders(tokens);
    QCOMPARE(m_server.cli({"DBSIZE"}), "1");
    QCOMPARE(m_server.cli({"TYPE", key}), tokens.size() == 1 ? "string" : "zset");

    const QJsonArray locks = locksUnder(m_server, "*");
    QList<ToldOwner> owners;
    for (const QByteArray &token : tokens)
        owners.append({token, 1});
    VERIFY_ONLY_LOCK(locks, key, family, owners);
    const QJsonObject lock = locks[0].toObject();
    QCOMPARE(lock[QLatin1String("problems")].toArray(), QJsonArray());
    QVERIFY(!lock.contains(QLatin1String("waiters"))); // they poll: nothing shows them
    const qint64 ttl = lock[QLatin1String("ttl_ms")].toInteger();
    QVERIFY2(ttl > 0 && ttl <= leaseMs, compact(locks).constData());
    if (family == "token") {
        // Its tokens are any 16 bytes in hexadecimal, which others write too.
        QVERIFY2(lock[QLatin1String("candidates")].toArray().contains(QStringLiteral("node-redlock")),
                 compact(locks).constData());
    }
}

void TestInteropNode::forceExpireHandsItOver()
{
    QFETCH(const QString, library);
    QFETCH(const QByteArray, key);
    QFETCH(const QByteArray, family);
    QFETCH(const QByteArray, oldOwnerHears);
    QByteArrayList tokens;
    const auto all = holders(tokens);
    const auto waiter = client(QStringLiteral("wait"));
    QCOMPARE(waiter->line().value(0), "waiting");

    const bool isString = tokens.size() == 1;
    const QByteArrayList look =
        isString ? QByteArrayList{"GET", key} : QByteArrayList{"ZSCORE", key, tokens[0]};
    QCOMPARE(forceExpired(m_server, key, {"00000000-0000-4000-8000-000000000000"}), "owner-changed");
    QVERIFY(!m_server.cli(look).isEmpty());

    const QByteArray said = saidOfHolder(m_server, key, "?node-redlock");
    Lookout lookout(m_server, look, isString ? tokens[0] : QByteArray());
    QTRY_VERIFY(lookout.isLooking());
    QCOMPARE(forceExpired(m_server, key, tokens), "expired");
    const QByteArrayList woken = waiter->line();
    QCOMPARE(woken.value(0), "woken");
    const auto end = lookout.end();
    QVERIFY(end);
    qInfo("%s: its waiter had the lock %.1f ms after it was ended", qPrintable(library),
          millisecondsBetween(*end, momentOf(woken.value(2))));

    for (const auto &holder : all) {
        if (oldOwnerHears.startsWith("lost"))
            QCOMPARE(holder->line().join(' '), oldOwnerHears);
        else
            QCOMPARE(holder->answerTo("release"), oldOwnerHears);
    }
    if (family == "token")
        QCOMPARE(seenOfHolder(oldOwnerHears, m_server.cli({"GET", key}) == woken.value(1)), said);
    if (isString)
        QCOMPARE(m_server.cli({"GET", key}), woken.value(1));
    else
        QCOMPARE(m_server.cli({"ZRANGE", key, "0", "-1"}), woken.value(1));
    QCOMPARE(waiter->answerTo("release"), "released");
}

void TestInteropNode::renewalsAreSeen_data()
{
    libraries();
}

void TestInteropNode::renewalsAreSeen()
{
    QFETCH(const QString, library);
    QFETCH(const QByteArray, key);
    QByteArrayList tokens;
    const auto all = holders(tokens);
    const auto feed = watchFeed(m_server, QStringLiteral("*"));
    QVERIFY(!nextEvent(*feed, "found").isEmpty());
    if (library == QStringLiteral("redlock"))
        QCOMPARE(all[0]->answerTo("extend 60000"), "extended");
    const QJsonObject renewed = nextEvent(*feed, "renewed");
    QCOMPARE(renewed[QLatin1String("key")].toString().toUtf8(), key);
    QVERIFY(renewed[QLatin1String("ttl_ms")].toInteger() > leaseMs * 8 / 10);
}

std::unique_ptr<Driver> TestInteropNode::worker(QByteArray &token, int lockDurationMs)
{
    auto worker = nodeDriver("bullmq_worker.js", {m_server.socketPath(), QStringLiteral("emails"),
                                                  QString::number(lockDurationMs)});
    const QByteArrayList held = worker->line("held");
    if (held.value(1) != "1")
        qFatal("%s", held.join(' ').constData());
    token = held.value(2);
    return worker;
}

void TestInteropNode::aJobsLockIsListed()
{
    QByteArray token;
    const auto running = worker(token, int(leaseMs));
    QCOMPARE(m_server.cli({"GET", jobLock}), token);
    QCOMPARE(m_server.cli({"TYPE", job.toLatin1()}), "hash");

    const QJsonArray locks = locksUnder(m_server, "bull:*:lock");
    VERIFY_ONLY_LOCK(locks, jobLock, "bullmq", QList<ToldOwner>({{token, 1}}));
    const QJsonObject lock = locks[0].toObject();
    QCOMPARE(lock[QLatin1String("problems")].toArray(), QJsonArray());
    const qint64 ttl = lock[QLatin1String("ttl_ms")].toInteger();
    QVERIFY2(ttl > 0 && ttl <= leaseMs, compact(locks).constData());

    // Whatever a user names as locks: what else belongs to the queue is no BullMQ lock.
    const QJsonArray all = locksUnder(m_server, "*");
    QStringList jobLocks;
    for (const QJsonValue &one : all) {
        if (one[QLatin1String("family")].toString() == QStringLiteral("bullmq"))
            jobLocks << one[QLatin1String("key")].toString();
        QVERIFY2(!one[QLatin1String("key")].toString().endsWith(QStringLiteral(":stalled-check")),
                 compact(all).constData());
    }
    QCOMPARE(jobLocks, {QString::fromLatin1(jobLock)});
}

void TestInteropNode::aJobsLockIsNotTaken()
{
    QByteArray token;
    const auto running = worker(token, int(leaseMs));
    const Ran ran = CliProgram::on(m_server, {"acquire", jobLock, "--owner", "me", "--lease", "5"});
    QVERIFY2(ran.exitCode == 1 || ran.exitCode == 2, reported(ran).constData());
    QVERIFY2(outAndErr(ran).contains("queue"), reported(ran).constData());
    QCOMPARE(m_server.cli({"GET", jobLock}), token);
}

void TestInteropNode::aJobsWorkerLearnsOfTheEnd()
{
    QByteArray token;
    const auto running = worker(token, 5000); // renewed at half of it
    QCOMPARE(forceExpired(m_server, jobLock, {"00000000-0000-4000-8000-000000000000:1"}), "owner-changed");
    QCOMPARE(m_server.cli({"GET", jobLock}), token);
    QCOMPARE(forceExpired(m_server, jobLock, {token}), "expired");
    QCOMPARE(m_server.cli({"EXISTS", jobLock}), "0");
    QCOMPARE(running->line("error").join(' '), "error could not renew lock for job 1");
    running->order("finish");
    QByteArray complaint;
    do
        complaint = running->line("error").join(' ');
    while (complaint.startsWith("error could not renew"));
    QVERIFY2(complaint.startsWith("error Missing lock for job 1"), complaint.constData());
}

QTEST_GUILESS_MAIN(TestInteropNode)
#include "tst_interop_node.moc"
