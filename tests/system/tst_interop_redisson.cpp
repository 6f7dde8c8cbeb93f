// SPDX-License-Identifier: GPL-3.0-or-later
// What lockscope-cli tells of Redisson's locks, companions and waiters. Redisson itself needs a Java machine and a repository of its
// packages, which are not to be had here: the states are written with plain commands, as its scripts leave them.
#include "core/redis/blockingconnection.h"
#include "tests/system/interop/listing.h"

using namespace lockscope;
using Commands = QList<QByteArrayList>;

namespace {

const QByteArray ownerA = "7f8e2f5c-6f1b-4f0e-9b7a-0d1c2b3a4f5e:37";
const QByteArray ownerB =
    "0b4c7a52-3d0e-4b57-8f39-2f6d1f0f7c11:-52"; // a caller may give any number for its thread
const QByteArray waiterC = "c1d2e3f4-0a1b-4c2d-8e3f-5a6b7c8d9e0f:41";
const QByteArray waiterD = "d9c8b7a6-5f4e-4d3c-9b2a-1f0e9d8c7b6a:8";
const QByteArray transaction = ":3c9a4e0b1d2f5a6b7c8d9e0f1a2b3c4d";

// 128 bits of each locked value's hash.
const QByteArray valueOne = "q0LIiHxFTqfPvGaoMVz5Cg";
const QByteArray valueTwo = "Zt+2xk4mB/nBvX1yqvQ0bw";

const QByteArray permitOne = QByteArray::fromHex("ff03a1c9e7205b4d8f1122b3c4d5e6f7");
const QByteArray permitTwo = QByteArray::fromHex("80e1f2039485a6b7c8d9eafb0c1d2e3f");

QByteArray inMs(qint64 milliseconds)
{
    return QByteArray::number(QDateTime::currentMSecsSinceEpoch() + milliseconds);
}

/// Clients that subscribed to a channel, each with a connection of its own.
class Ears
{
public:
    Ears(const RedisServer &server, const QByteArrayList &channels)
    {
        for (const QByteArray &channel : channels) {
            m_ears.push_back(
                std::make_unique<BlockingConnection>(server.socketAddress(), BlockingConnection::Options{}));
            if (!m_ears.back()->open() || !m_ears.back()->subscribe(channel))
                qFatal("no subscription");
        }
    }
    /// What the first one hears next; empty where nothing comes.
    QByteArray hear()
    {
        const auto message =
            m_ears.front()->nextMessage(std::chrono::steady_clock::now() + std::chrono::seconds(10));
        return message && *message ? (*message)->text : QByteArray();
    }

private:
    std::vector<std::unique_ptr<BlockingConnection>> m_ears;
};

struct State
{
    QByteArray key;
    Commands commands;
    QByteArrayList listening; ///< a channel for each client
};

const State multi{"tariffs",
                  {{"HSET", "tariffs", valueOne, ownerA, valueOne + ':' + ownerA + ":expire_time",
                    "4102444800000", valueOne + ':' + ownerA + ":lock_count", "1", valueTwo, ownerA,
                    valueTwo + ':' + ownerA + ":expire_time", "4102444800000",
                    valueTwo + ':' + ownerA + ":lock_count", "2"},
                   {"PEXPIRE", "tariffs", "30000"}},
                  {"redisson_lock__channel:{tariffs}"}};

} // namespace

class TestInteropRedisson : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_cli.reset(); }

    void isListed_data();
    void isListed();
    void anEndlessLockIsAProblem();
    void aMultiLockIsEnded();
    void aSemaphoreIsNotEnded();
    void aPermitIsGivenBack();

private:
    void write(const Commands &commands);

    RedisServer m_server;
    std::optional<CliProgram> m_cli;
};

void TestInteropRedisson::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_cli.emplace();
    QCOMPARE(m_server.cli({"FLUSHALL"}), "OK");
}

void TestInteropRedisson::write(const Commands &commands)
{
    for (const QByteArrayList &command : commands) {
        const QByteArray answer = m_server.cli(command);
        QVERIFY2(!answer.contains("ERR"), answer.constData());
    }
}

void TestInteropRedisson::isListed_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<Commands>("commands");
    QTest::addColumn<QByteArrayList>("listening");
    QTest::addColumn<QByteArray>("family");
    QTest::addColumn<QList<ToldOwner>>("owners");
    QTest::addColumn<QByteArray>("waiters"); // JSON; empty: not compared
    const auto row = [](const char *name, const State &state, const char *family,
                        const QList<ToldOwner> &owners, const QByteArray &waiters = {}) {
        QTest::newRow(name) << state.key << state.commands << state.listening << QByteArray(family) << owners
                            << waiters;
    };
    const QByteArray twoOrMore = R"({"certainty":"at-least","count":2})";
    const auto expiry = [](const QByteArray &key) { return QByteArrayList{"PEXPIRE", key, "30000"}; };

    // A release that may be tried again leaves its answer for a moment.
    row("lock",
        {"order:1",
         {{"HSET", "order:1", ownerA, "2"},
          expiry("order:1"),
          {"SET", "redisson_unlock_latch:{order:1}:9f8e7d6c5b4a39281706f5e4d3c2b1a0", "1", "PX", "9000"}},
         {"redisson_lock__channel:{order:1}", "redisson_lock__channel:{order:1}"}},
        "redisson", {{ownerA, 2}}, twoOrMore);
    row("lock with a tag in its name",
        {"order:{eu}:1",
         {{"HSET", "order:{eu}:1", ownerB, "1"}, expiry("order:{eu}:1")},
         {"redisson_lock__channel:order:{eu}:1", "redisson_lock__channel:order:{eu}:1"}},
        "redisson", {{ownerB, 1}}, twoOrMore);
    row("lock of a transaction",
        {"order:1:transaction_lock",
         {{"HSET", "order:1:transaction_lock", ownerA + transaction, "1"},
          expiry("order:1:transaction_lock")},
         {}},
        "redisson", {{ownerA + transaction, 1}});
    row("fair lock for which nobody waits",
        {"payout", {{"HSET", "payout", ownerA, "1"}, expiry("payout")}, {}}, "redisson", {{ownerA, 1}});
    row("fair lock",
        {"payout",
         {{"HSET", "payout", ownerA, "1"},
          expiry("payout"),
          {"RPUSH", "redisson_lock_queue:{payout}", waiterC, waiterD},
          {"ZADD", "redisson_lock_timeout:{payout}", inMs(330'000), waiterC, inMs(630'000), waiterD}},
         {"redisson_lock__channel:{payout}:" + waiterC, "redisson_lock__channel:{payout}:" + waiterD}},
        "redisson-fair", {{ownerA, 1}},
        R"({"certainty":"exact","count":2,"ids":[")" + waiterC + R"(",")" + waiterD + R"("]})");
    row("read lock",
        {"prices",
         {{"HSET", "prices", "mode", "read", ownerA, "2", ownerB, "1"},
          expiry("prices"),
          {"SET", "{prices}:" + ownerA + ":rwlock_timeout:1", "1", "PX", "20000"},
          {"SET", "{prices}:" + ownerA + ":rwlock_timeout:2", "1", "PX", "30000"},
          {"SET", "{prices}:" + ownerB + ":rwlock_timeout:1", "1", "PX", "30000"}},
         {"redisson_rwlock:{prices}", "redisson_rwlock:{prices}"}},
        "redisson-read-write", {{ownerA, 2, QStringLiteral("read")}, {ownerB, 1, QStringLiteral("read")}},
        twoOrMore);
    row("write lock",
        {"prices",
         {{"HSET", "prices", "mode", "write", ownerA + ":write", "2"}, expiry("prices")},
         {"redisson_rwlock:{prices}", "redisson_rwlock:{prices}"}},
        "redisson-read-write", {{ownerA, 2, QStringLiteral("write")}}, twoOrMore);
    row("write lock whose owner reads too",
        {"prices",
         {{"HSET", "prices", "mode", "write", ownerA + ":write", "1", ownerA, "1"},
          expiry("prices"),
          {"SET", "{prices}:" + ownerA + ":rwlock_timeout:1", "1", "PX", "30000"}},
         {}},
        "redisson-read-write", {{ownerA, 1, QStringLiteral("write")}, {ownerA, 1, QStringLiteral("read")}});
    row("fenced lock",
        {"ledger",
         {{"HSET", "ledger", ownerA, "1"}, expiry("ledger"), {"SET", "redisson_lock_token:{ledger}", "128"}},
         {"redisson_lock__channel:{ledger}", "redisson_lock__channel:{ledger}"}},
        "redisson-fenced", {{ownerA, 1}}, twoOrMore);
    row("multi lock", multi, "redisson-multi", {{valueOne + ':' + ownerA, 1}, {valueTwo + ':' + ownerA, 2}});
    row("permit semaphore",
        {"reports",
         {{"SET", "reports", "3"},
          {"ZADD", "{reports}:timeout", inMs(60'000), permitOne, "922337203685477", permitTwo}},
         {"redisson_sc:{reports}", "redisson_sc:{reports}"}},
        "redisson-semaphore", {{permitTwo, 1}, {permitOne, 1}}, twoOrMore);
    row("semaphore", {"seats", {{"SET", "seats", "3"}}, {"redisson_sc:{seats}", "redisson_sc:{seats}"}},
        "redisson-semaphore", {{"3", 1}}, twoOrMore); // what is free; who took the rest is told nowhere
}

void TestInteropRedisson::isListed()
{
    QFETCH(const QByteArray, key);
    QFETCH(const Commands, commands);
    QFETCH(const QByteArrayList, listening);
    QFETCH(const QByteArray, family);
    QFETCH(const QList<ToldOwner>, owners);
    QFETCH(const QByteArray, waiters);
    write(commands);
    const Ears ears(m_server, listening);

    // Whatever is named a lock: what belongs to one is none of its own.
    const qint64 before = m_server.cli({"PTTL", key}).toLongLong();
    const QJsonArray locks = locksUnder(m_server, "*");
    const qint64 after = m_server.cli({"PTTL", key}).toLongLong();
    VERIFY_ONLY_LOCK(locks, key, family, owners);
    const QJsonObject lock = locks[0].toObject();
    QCOMPARE(lock[QLatin1String("problems")].toArray(), QJsonArray());
    if (after > 0)
        QVERIFY2(isTimeLeft(lock, before, after), compact(locks).constData());
    if (!waiters.isEmpty())
        QCOMPARE(lock[QLatin1String("waiters")].toObject(), jsonIn(waiters));

    const Ran one = CliProgram::on(m_server, {"get", key, "--json"});
    VERIFY_EXIT(one, 0);
    QCOMPARE(jsonIn(one.out)[QLatin1String("family")].toString().toLatin1(), family);
    if (!waiters.isEmpty())
        QCOMPARE(jsonIn(one.out)[QLatin1String("waiters")].toObject(), jsonIn(waiters));
}

void TestInteropRedisson::anEndlessLockIsAProblem()
{
    write({{"HSET", "order:1", ownerA, "1"}});
    // Applications count visits so, too: it is stuck where somebody waits for it.
    const QJsonValue open = locksUnder(m_server, "*")[0];
    QCOMPARE(open[QLatin1String("certainty")].toString(), QStringLiteral("ambiguous"));
    QCOMPARE(open[QLatin1String("candidates")].toArray(), QJsonArray({QStringLiteral("redisson")}));
    QVERIFY(open[QLatin1String("problems")].toArray().isEmpty());
    const Ears ears(m_server, {"redisson_lock__channel:{order:1}"});
    const QJsonArray locks = locksUnder(m_server, "*");
    VERIFY_ONLY_LOCK(locks, "order:1", "redisson", QList<ToldOwner>({{ownerA, 1}}));
    QCOMPARE(locks[0][QLatin1String("problems")].toArray(), QJsonArray({QStringLiteral("no-expiry")}));
}

void TestInteropRedisson::aMultiLockIsEnded()
{
    write(multi.commands);
    Ears ears(m_server, multi.listening);
    // Each value has an owner of its own; which value it is can't be told from its hash.
    QCOMPARE(forceExpired(m_server, multi.key, {valueOne + ':' + ownerB}), "owner-changed");
    QCOMPARE(m_server.cli({"HLEN", multi.key}), "6");
    QCOMPARE(forceExpired(m_server, multi.key, {valueOne + ':' + ownerA, valueTwo + ':' + ownerA}),
             "expired");
    QCOMPARE(ears.hear(), "0");
    QCOMPARE(m_server.cli({"EXISTS", multi.key}), "0");
}

void TestInteropRedisson::aSemaphoreIsNotEnded()
{
    write({{"SET", "seats", "0"}});
    const Ears ears(m_server, {"redisson_sc:{seats}"});
    const Ran ran = CliProgram::on(m_server, {"force-expire", "seats", "--expect-owner", "0"});
    VERIFY_EXIT(ran, 2);
    QVERIFY2(ran.err.contains("no owners"), reported(ran).constData());
    QCOMPARE(m_server.cli({"GET", "seats"}), "0");
}

/// Of two, the one that is meant: the count of free ones goes up, and who waits is told of it.
void TestInteropRedisson::aPermitIsGivenBack()
{
    write({{"SET", "reports", "0"},
           {"ZADD", "{reports}:timeout", inMs(60'000), permitOne, inMs(60'000), permitTwo}});
    Ears ears(m_server, {"redisson_sc:{reports}"});
    const auto end = [this](const QByteArray &permit, const QByteArrayList &more = {}) {
        return CliProgram::on(m_server, QByteArrayList{"force-expire", QByteArray("reports").toBase64(),
                                                       "--expect-owner", permit.toBase64(), "--base64"} +
                                            more);
    };
    const Ran all = end(permitOne); // there is another
    VERIFY_EXIT(all, 1);
    QVERIFY2(all.out.contains("the owner has changed"), reported(all).constData());
    const Ran strange = end("0123456789abcdef", {"--only"});
    VERIFY_EXIT(strange, 1);
    QCOMPARE(m_server.cli({"GET", "reports"}), "0");
    QCOMPARE(m_server.cli({"ZCARD", "{reports}:timeout"}), "2");
    const Ran one = end(permitOne, {"--only"});
    VERIFY_EXIT(one, 0);
    QCOMPARE(ears.hear(), "1");
    QCOMPARE(m_server.cli({"GET", "reports"}), "1");
    QCOMPARE(m_server.cli({"ZCARD", "{reports}:timeout"}), "1");
    const Ran last =
        CliProgram::on(m_server, {"force-expire", "reports", "--expect-owner", permitTwo.toHex()});
    VERIFY_EXIT(last, 0);
    QCOMPARE(ears.hear(), "2");
    QCOMPARE(m_server.cli({"EXISTS", "{reports}:timeout"}), "0");
}

QTEST_GUILESS_MAIN(TestInteropRedisson)
#include "tst_interop_redisson.moc"
