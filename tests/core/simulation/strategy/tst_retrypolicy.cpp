// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/simulation/strategy/hand.h"
#include "tests/support/machineclock.h"

#include <mutex>
#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;
using Acquired = AcquireResult::Verdict;

namespace {

constexpr Algorithm handoff{.strategy = StrategyKind::Handoff};
constexpr Algorithm redisson{.strategy = StrategyKind::Redisson};

template <typename Work>
Clock::duration timeOf(Work work)
{
    const TimePoint start = Clock::now();
    work();
    return Clock::now() - start;
}

} // namespace

/// How refused workers come to try again, on a real server.
class TestWaking : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_hub = std::make_unique<SubscriptionHub>(m_server.socketAddress()); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_server.cli({"FLUSHALL"});
    }

    void pollsPrecisely();
    void backsOff();
    void stopEndsTheWaiting_data();
    void stopEndsTheWaiting();
    void subscriptionWakesEverybody_data();
    void subscriptionWakesEverybody();
    void ownTimerEndsWithTheLease_data();
    void ownTimerEndsWithTheLease();
    void redissonIsWokenByAnother();
    void redissonReleaseWakesOne();
    void hubSurvivesItsServer();
    void handoffInOrder();
    void handoffOverADeadWaiter();
    void handoffIgnoresOldNews();
    void handoffRacesWithGivingUp();
    void handoffExtendsAShortGrant();
    void handoffContention();

private:
    Hand hand(const Algorithm &algorithm, const QByteArray &owner, const std::stop_token &stop = {})
    {
        return {m_server.socketAddress(), *m_hub, algorithm, owner, "lock", stop};
    }
    void waitForSubscribers(const QByteArray &channel, int count)
    {
        QTRY_COMPARE(m_server.cli({"PUBSUB", "NUMSUB", channel}), channel + '\n' + QByteArray::number(count));
    }

    RedisServer m_server;
    std::unique_ptr<SubscriptionHub> m_hub;
};

void TestWaking::pollsPrecisely()
{
    Hand a = hand({.strategy = StrategyKind::TokenSet, .poll = 1ms}, "u:1");
    QVERIFY(!a->isWoken());
    // The median, since a busy machine may hold up any single one.
    std::vector<Clock::duration> slept;
    std::vector<Clock::duration> plain; // what this machine makes of a millisecond
    for (int i = 0; i < 101; ++i) {
        slept.push_back(timeOf([&] { a.await(TimePoint::max()); }));
        plain.push_back(timeOf([] { std::this_thread::sleep_for(1ms); }));
    }
    std::ranges::sort(slept);
    std::ranges::sort(plain);
    QVERIFY(slept.front() >= 1ms);
    QVERIFY2(slept[50] < 2 * plain[50], QByteArray::number(qint64(slept[50].count())));
    Hand slow = hand({.strategy = StrategyKind::TokenSet, .poll = 60s}, "u:2");
    QVERIFY(timeOf([&] { slow.await(Clock::now() - 1s); }) < 30s); // not the 60 s
}

void TestWaking::backsOff()
{
    Hand a = hand({.strategy = StrategyKind::TokenSet, .wake = WakeMethod::Backoff}, "u:1");
    Clock::duration first{0};
    for (int i = 0; i < 20; ++i) {
        first += timeOf([&] { a.await(TimePoint::max()); });
        (void)a->giveUp();
    }
    for (int i = 0; i < 5; ++i)
        a.await(TimePoint::max());
    Clock::duration later{0};
    for (int i = 0; i < 20; ++i)
        later += timeOf([&] { a.await(TimePoint::max()); });
    QVERIFY(later > first); // 200 ms and 10 ms on the average
    QVERIFY(later > 50ms);
}

void TestWaking::stopEndsTheWaiting_data()
{
    QTest::addColumn<Algorithm>("algorithm");
    QTest::addColumn<QByteArray>("channel");
    QTest::newRow("poll") << Algorithm{.strategy = StrategyKind::TokenSet, .poll = 60s} << QByteArray();
    QTest::newRow("subscription") << Algorithm{.wake = WakeMethod::Subscription}
                                  << QByteArray("lock:released");
    QTest::newRow("redisson") << redisson << QByteArray("redisson_lock__channel:{lock}");
    QTest::newRow("handoff") << handoff << QByteArray("lock:handoff:wake:u:2");
}

void TestWaking::stopEndsTheWaiting()
{
    QFETCH(const Algorithm, algorithm);
    QFETCH(const QByteArray, channel);
    Hand a = hand(algorithm, "u:1");
    QCOMPARE(a.acquire(60s), Acquired::Acquired);
    const MachineClock clock;
    milliseconds ended{0};
    std::atomic<bool> waits = false;
    std::jthread thread([&](const std::stop_token &stop) {
        Hand b = hand(algorithm, "u:2", stop);
        while (!stop.stop_requested()) {
            (void)b->acquire({60s, TimePoint::max()});
            waits = true;
            (void)b->await(TimePoint::max());
        }
        ended = clock.now();
    });
    QTRY_VERIFY(waits);
    if (channel.isEmpty())
        QTest::qWait(20); // nobody is told of a sleep
    else
        waitForSubscribers(channel, 1);
    const milliseconds stopped = clock.now();
    thread.request_stop();
    thread.join();
    // The promise is 100 ms.
    QVERIFY2(ended - stopped < 1000ms, QByteArray::number(qint64((ended - stopped).count())));
}

void TestWaking::subscriptionWakesEverybody_data()
{
    QTest::addColumn<StrategyKind>("kind");
    for (const StrategyKind kind : {StrategyKind::Reentrant, StrategyKind::TokenSet, StrategyKind::TokenLua,
                                    StrategyKind::TokenSetnx, StrategyKind::TokenCounted})
        QTest::newRow(nameOf(kind)) << kind;
}

void TestWaking::subscriptionWakesEverybody()
{
    QFETCH(const StrategyKind, kind);
    const Algorithm algorithm{.strategy = kind, .wake = WakeMethod::Subscription};
    Hand a = hand(algorithm, "u:1");
    Hand b = hand(algorithm, "u:2");
    Hand c = hand(algorithm, "u:3");
    QVERIFY(a->isWoken());
    QCOMPARE(a.acquire(60s), Acquired::Acquired);
    for (Hand *waiter : {&b, &c}) {
        QCOMPARE(waiter->acquire(60s), Acquired::Refused);
        QVERIFY(waiter->await(Clock::now() + 30s).byMessage); // its subscription is new: one more look
        QCOMPARE(waiter->acquire(60s), Acquired::Refused);
    }
    QVERIFY(!b.await(Clock::now() + 20ms).byMessage);
    a.release();
    QVERIFY(b.await(Clock::now() + 30s).byMessage);
    QVERIFY(c.await(Clock::now() + 30s).byMessage);
    QCOMPARE(b.acquire(60s), Acquired::Acquired);
    QCOMPARE(c.acquire(60s), Acquired::Refused);
    // What b heard before its next attempt is old.
    b.release();
    QCOMPARE(c.acquire(60s), Acquired::Acquired);
    QCOMPARE(b.acquire(60s), Acquired::Refused);
    QVERIFY(!b.await(Clock::now() + 20ms).byMessage);
}

void TestWaking::ownTimerEndsWithTheLease_data()
{
    QTest::addColumn<Algorithm>("algorithm");
    QTest::newRow("subscription, asked for")
        << Algorithm{.strategy = StrategyKind::TokenSet, .wake = WakeMethod::Subscription};
    QTest::newRow("subscription, told")
        << Algorithm{.strategy = StrategyKind::TokenLua, .wake = WakeMethod::Subscription};
    QTest::newRow("redisson") << redisson;
    QTest::newRow("handoff") << handoff;
}

/// The holder dies: nobody sends anything.
void TestWaking::ownTimerEndsWithTheLease()
{
    QFETCH(const Algorithm, algorithm);
    {
        Hand a = hand(algorithm, "u:1");
        QCOMPARE(a.acquire(300ms), Acquired::Acquired);
    }
    Hand b = hand(algorithm, "u:2");
    const auto waited = timeOf([&] { QVERIFY(b.block(60s, Clock::now() + 30s)); });
    QVERIFY2(waited < 5s, QByteArray::number(qint64(waited / 1ms)));
}

void TestWaking::redissonIsWokenByAnother()
{
    m_server.cli({"HSET", "lock", "another-library:1", "1"});
    m_server.cli({"PEXPIRE", "lock", "60000"});
    Hand a = hand(redisson, "u:1");
    QCOMPARE(a.acquire(60s), Acquired::Refused);
    QVERIFY(a.await(Clock::now() + 30s).byMessage);
    QCOMPARE(a.acquire(60s), Acquired::Refused);
    waitForSubscribers("redisson_lock__channel:{lock}", 1);
    BlockingConnection connection(m_server.socketAddress(), {});
    QVERIFY(connection.open());
    const MachineClock clock;
    milliseconds sent{0};
    std::jthread other([&] {
        std::this_thread::sleep_for(50ms); // it waits by then
        connection.send({"DEL", "lock"});
        sent = clock.now();
        connection.send({"PUBLISH", "redisson_lock__channel:{lock}", "0"});
    });
    const WakeResult awakening = a.await(Clock::now() + 30s);
    const milliseconds woken = clock.now();
    other.join();
    QVERIFY(awakening.byMessage);
    QVERIFY2(woken - sent < 1000ms, QByteArray::number(qint64((woken - sent).count())));
    QCOMPARE(a.acquire(60s), Acquired::Acquired);
    waitForSubscribers("redisson_lock__channel:{lock}", 0);
    a.release();
    QVERIFY(m_hub->commandsSent() >= 2);
}

void TestWaking::redissonReleaseWakesOne()
{
    Hand a = hand(redisson, "u:1");
    Hand b = hand(redisson, "u:2");
    Hand c = hand(redisson, "u:3");
    QCOMPARE(a.acquire(60s), Acquired::Acquired);
    for (Hand *waiter : {&b, &c}) {
        QCOMPARE(waiter->acquire(60s), Acquired::Refused);
        waiter->await(Clock::now() + 30s);
        QCOMPARE(waiter->acquire(60s), Acquired::Refused);
    }
    waitForSubscribers("redisson_lock__channel:{lock}", 1); // one for both
    a.release();
    QVERIFY(b.await(Clock::now() + 30s).byMessage);
    QVERIFY(!c.await(Clock::now() + 50ms).byMessage);
    QCOMPARE(b.acquire(60s), Acquired::Acquired);
    b.release();
    QVERIFY(c.await(Clock::now() + 30s).byMessage);
    QCOMPARE(c.acquire(60s), Acquired::Acquired);
}

void TestWaking::hubSurvivesItsServer()
{
    RedisServer server;
    SubscriptionHub hub(server.socketAddress());
    const TimePoint soon = Clock::now() + 30s;
    auto place = hub.join("c", {});
    QVERIFY(place);
    server.cli({"PUBLISH", "c", "0"});
    QVERIFY(place->await(soon, {}));
    server.kill();
    QVERIFY(!place->await(soon, {}));
    QVERIFY(Clock::now() < soon);
    place.reset();
    QVERIFY(!hub.join("c", {}));
    server.start();
    place = hub.join("c", {});
    QVERIFY(place);
    server.cli({"PUBLISH", "c", "0"});
    QVERIFY(place->await(soon, {}));
}

/// Five threads one after the other into the queue; they enter in that order, each with a larger token.
void TestWaking::handoffInOrder()
{
    Hand a = hand(handoff, "u:0");
    QCOMPARE(a.acquire(60s), Acquired::Acquired);
    std::mutex mutex;
    QList<std::pair<int, qint64>> entered;
    std::vector<std::jthread> threads;
    for (int i = 1; i <= 5; ++i) {
        threads.emplace_back([&, i] {
            Hand waiter = hand(handoff, "u:" + QByteArray::number(i));
            if (!waiter.block(60s, Clock::now() + 30s))
                return;
            {
                const std::scoped_lock lock(mutex);
                entered.append({i, waiter.last.fence});
            }
            waiter.release();
        });
        QTRY_COMPARE(m_server.cli({"LLEN", "lock:handoff:queue"}), QByteArray::number(i));
    }
    qint64 fence = a.last.fence;
    a.release();
    threads.clear();
    QCOMPARE(entered.size(), 5);
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(entered[i].first, i + 1);
        QVERIFY(entered[i].second > fence);
        fence = entered[i].second;
    }
    QCOMPARE(m_server.cli({"KEYS", "*"}), "lock:handoff:fence");
}

void TestWaking::handoffOverADeadWaiter()
{
    Hand a = hand(handoff, "u:1");
    Hand c = hand(handoff, "u:3");
    QCOMPARE(a.acquire(60s), Acquired::Acquired);
    {
        Hand b = hand(handoff, "u:2");
        QCOMPARE(b.acquire(60s, Clock::now() + 60s), Acquired::Queued);
    }
    waitForSubscribers("lock:handoff:wake:u:2", 0);
    QCOMPARE(c.acquire(60s, Clock::now() + 60s), Acquired::Queued);
    a.release();
    const WakeResult awakening = c.await(Clock::now() + 30s);
    QVERIFY(awakening.grant && awakening.grant->holds());
    QVERIFY(awakening.grant->fence > a.last.fence);
    QCOMPARE(c->localHoldCount(), 1);
    QVERIFY(c.release().deleted);
}

/// A hand-over that was learnt of by an answer is not believed a second time when its message is read.
void TestWaking::handoffIgnoresOldNews()
{
    Hand a = hand(handoff, "u:1");
    Hand b = hand(handoff, "u:2");
    for (const bool byAnswer : {true, false}) {
        QCOMPARE(a.acquire(60s), Acquired::Acquired);
        QCOMPARE(b.acquire(60s, Clock::now() + 60s), Acquired::Queued);
        a.release();
        if (byAnswer)
            QCOMPARE(b.acquire(60s, Clock::now() + 60s), Acquired::Acquired);
        else
            b->setLocalHoldCount(b->storedHolds().value_or(0)); // as after a lost reply
        QCOMPARE(b->localHoldCount(), 1);
        b.release();
        QCOMPARE(a.acquire(60s), Acquired::Acquired);
        QCOMPARE(b.acquire(60s, Clock::now() + 60s), Acquired::Queued);
        QVERIFY(!b.await(Clock::now() + 50ms).grant);
        QCOMPARE(b->giveUp()->verdict, Acquired::Refused);
        a.release();
    }
}

void TestWaking::handoffRacesWithGivingUp()
{
    Hand a = hand(handoff, "u:1");
    Hand b = hand(handoff, "u:2");
    QCOMPARE(a.acquire(60s), Acquired::Acquired);
    QCOMPARE(b.acquire(60s, Clock::now() + 60s), Acquired::Queued);
    QCOMPARE(b->giveUp()->verdict, Acquired::Refused);
    QCOMPARE(m_server.cli({"EXISTS", "lock:handoff:queue", "lock:handoff:waiters"}), "0");
    const qint64 sent = b.links.commandsSent();
    QCOMPARE(b->giveUp()->verdict, Acquired::Refused);
    QCOMPARE(b.links.commandsSent(), sent);

    QCOMPARE(b.acquire(60s, Clock::now() + 60s), Acquired::Queued);
    a.release();
    const Result<AcquireResult> raced = b->giveUp();
    QVERIFY(raced && raced->holds());
    QVERIFY(raced->fence > a.last.fence);
    QVERIFY(b.release().deleted);
}

void TestWaking::handoffExtendsAShortGrant()
{
    Hand a = hand(handoff, "u:1");
    Hand b = hand(handoff, "u:2");
    QCOMPARE(a.acquire(60s), Acquired::Acquired);
    QCOMPARE(b.acquire(60s, Clock::now() + 20s), Acquired::Queued);
    a.release();
    QVERIFY(m_server.cli({"PTTL", "lock"}).toLongLong() <= 20'000);
    const WakeResult awakening = b.await(Clock::now() + 20s);
    QVERIFY(awakening.grant);
    QVERIFY(m_server.cli({"PTTL", "lock"}).toLongLong() > 20'000);
    QCOMPARE(awakening.grant->ttl, 60s);
}

/// Everybody is served, nobody twice at once, for few commands and by messages alone.
void TestWaking::handoffContention()
{
    constexpr int workers = 8;
    constexpr int visits = 25;
    std::atomic<int> inside = 0;
    std::atomic<int> overlaps = 0;
    std::atomic<int> served = 0;
    std::atomic<qint64> commands = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < workers; ++i) {
        threads.emplace_back([&, i] {
            Hand worker = hand(handoff, "u:" + QByteArray::number(i));
            for (int visit = 0; visit < visits; ++visit) {
                if (!worker.block(60s, TimePoint::max()))
                    return;
                overlaps += inside++ == 0 ? 0 : 1;
                std::this_thread::sleep_for(200us);
                --inside;
                served += worker.release().deleted ? 1 : 0;
            }
            commands += worker.links.commandsSent();
        });
    }
    threads.clear();
    QCOMPARE(overlaps, 0);
    QCOMPARE(served, workers * visits);
    QVERIFY2(commands <= 4 * workers * visits, QByteArray::number(qint64(commands)));
}

QTEST_GUILESS_MAIN(TestWaking)
#include "tst_retrypolicy.moc"
