// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/strategyspec.h"
#include "tests/core/simulation/strategy/hand.h"
#include "tests/support/fakepeer.h"

#include <future>

using namespace lockscope;
using namespace std::chrono_literals;
using Acquired = AcquireResult::Verdict;
using Given = ReleaseResult::Verdict;

namespace {

constexpr std::array kinds{StrategyKind::Reentrant,  StrategyKind::TokenSet,     StrategyKind::TokenLua,
                           StrategyKind::TokenSetnx, StrategyKind::TokenCounted, StrategyKind::TokenFenced,
                           StrategyKind::Redisson,   StrategyKind::Handoff};
constexpr std::array forms{ReleaseMethod::Usual,
                           ReleaseMethod::CheckThenDelete,
                           ReleaseMethod::CompareAndDelete,
                           ReleaseMethod::CompareAndDeleteDone,
                           ReleaseMethod::WatchedTransaction,
                           ReleaseMethod::UncheckedDelete};

bool isToken(StrategyKind kind)
{
    return nameOf(kind).startsWith("token");
}

} // namespace

/// Every strategy with every release that fits it, on a real server.
class TestStrategies : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_hub = std::make_unique<SubscriptionHub>(m_server.socketAddress()); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_server.cli({"FLUSHALL"});
    }

    void acquiresAndReleases_data() { combinations(); }
    void acquiresAndReleases();
    void reenters_data() { combinations(); }
    void reenters();
    void lateRelease_data() { combinations(); }
    void lateRelease();
    void renews_data() { combinations(); }
    void renews();
    void unknownOutcomeIsFound_data() { combinations(); }
    void unknownOutcomeIsFound();
    void blindRetryLeaks();
    void reentryOfALostLock();
    void fewCommands();
    void interludeBeforeDelete_data();
    void interludeBeforeDelete();
    void watchedTransactionThatFails();
    void orphanAndItsRepair();
    void companionsExpire();
    void fencingTokensGrow();

private:
    static void combinations()
    {
        QTest::addColumn<StrategyKind>("kind");
        QTest::addColumn<ReleaseMethod>("form");
        for (const StrategyKind kind : kinds) {
            for (const ReleaseMethod form : forms) {
                if (releaseFits(kind, form))
                    QTest::newRow(nameOf(kind) + ' ' + nameOf(form)) << kind << form;
            }
        }
    }
    Algorithm fetched()
    {
        QFETCH(const StrategyKind, kind);
        QFETCH(const ReleaseMethod, form);
        m_form = form == ReleaseMethod::Usual ? specOf(kind).usualRelease : form;
        return {.strategy = kind, .release = form};
    }
    Hand hand(const Algorithm &algorithm, const QByteArray &owner)
    {
        return {m_server.socketAddress(), *m_hub, algorithm, owner};
    }
    qint64 pttl() const { return m_server.cli({"PTTL", "lock"}).toLongLong(); }

    RedisServer m_server;
    std::unique_ptr<SubscriptionHub> m_hub;
    ReleaseMethod m_form = ReleaseMethod::Usual; ///< as it turns out
};

void TestStrategies::acquiresAndReleases()
{
    const Algorithm algorithm = fetched();
    Hand a = hand(algorithm, "u:1");
    Hand b = hand(algorithm, "u:2");
    QCOMPARE(a.release().verdict, Given::NotHeld);
    QCOMPARE(a.links.commandsSent(), 0);
    QCOMPARE(a.acquire(20s), Acquired::Acquired);
    QVERIFY(pttl() > 10'000 && pttl() <= 20'000);
    QCOMPARE(b.acquire(), Acquired::Refused);
    if (algorithm.strategy != StrategyKind::TokenSet && algorithm.strategy != StrategyKind::TokenCounted)
        QVERIFY(b.last.ttl && *b.last.ttl > 10s && *b.last.ttl <= 20s);
    QCOMPARE(a->localHoldCount(), 1);
    QCOMPARE(a->storedHolds().value_or(-1), 1);
    QCOMPARE(b->storedHolds().value_or(-1), 0);
    const QByteArray first = isToken(algorithm.strategy) ? m_server.cli({"GET", "lock"}) : "";
    const ReleaseResult released = a.release();
    QCOMPARE(released.verdict, Given::Released);
    QVERIFY(released.deleted);
    QCOMPARE(m_server.cli({"EXISTS", "lock"}), "0");
    QCOMPARE(a->localHoldCount(), 0);
    const qint64 sent = a.links.commandsSent();
    QCOMPARE(a.release().verdict, Given::NotHeld);
    QCOMPARE(a.links.commandsSent(), sent);
    QCOMPARE(b.acquire(), Acquired::Acquired);
    QVERIFY(b.release().deleted);
    QCOMPARE(a.acquire(), Acquired::Acquired);
    if (isToken(algorithm.strategy)) // a new one each time, but for token-counted
        QCOMPARE(m_server.cli({"GET", "lock"}) == first, algorithm.strategy == StrategyKind::TokenCounted);
    a.release();
    QVERIFY(!m_server.cli({"KEYS", "lock*"}).contains("queue"));
}

void TestStrategies::reenters()
{
    const Algorithm algorithm = fetched();
    Hand a = hand(algorithm, "u:1");
    QCOMPARE(a.acquire(), Acquired::Acquired);
    if (!specOf(algorithm.strategy).isReentrant) {
        QCOMPARE(a.acquire(), Acquired::Refused);
        QCOMPARE(a->localHoldCount(), 1);
        QVERIFY(a.release().deleted); // by the token of the first
        return;
    }
    QCOMPARE(a.acquire(10s), Acquired::Reentered);
    QCOMPARE(a->localHoldCount(), 2);
    QCOMPARE(a->storedHolds().value_or(-1), 2);
    const ReleaseResult unwound = a.release();
    QCOMPARE(unwound.verdict, Given::Unwound);
    QVERIFY(!unwound.deleted);
    QVERIFY(pttl() > 0);
    QCOMPARE(a->localHoldCount(), 1);
    QVERIFY(a.release().deleted);
    QCOMPARE(m_server.cli({"EXISTS", "lock"}), "0");
}

/// After the lease has ended: nobody's lock, then another's.
void TestStrategies::lateRelease()
{
    const Algorithm algorithm = fetched();
    const bool isUnchecked = m_form == ReleaseMethod::UncheckedDelete;
    Hand a = hand(algorithm, "u:1");
    Hand b = hand(algorithm, "u:2");
    QCOMPARE(a.acquire(), Acquired::Acquired);
    m_server.cli({"DEL", "lock"});
    const ReleaseResult gone = a.release();
    QCOMPARE(gone.verdict,
             isUnchecked || m_form == ReleaseMethod::CompareAndDeleteDone ? Given::Released : Given::NotHeld);
    QVERIFY(!gone.deleted);
    QCOMPARE(a->localHoldCount(), 0);

    QCOMPARE(a.acquire(), Acquired::Acquired);
    m_server.cli({"DEL", "lock"});
    QCOMPARE(b.acquire(), Acquired::Acquired);
    const ReleaseResult foreign = a.release();
    QCOMPARE(foreign.verdict, isUnchecked ? Given::Released : Given::NotHeld);
    QCOMPARE(foreign.deleted, isUnchecked);
    QCOMPARE(m_server.cli({"EXISTS", "lock"}), isUnchecked ? "0" : "1");
    QCOMPARE(b->storedHolds().value_or(-1), isUnchecked ? 0 : 1);
    // A watch that was left behind would fail this one.
    b.release();
    QCOMPARE(a.acquire(), Acquired::Acquired);
    QVERIFY(a.release().deleted);
}

void TestStrategies::renews()
{
    const Algorithm algorithm = fetched();
    Hand a = hand(algorithm, "u:1");
    Hand b = hand(algorithm, "u:2");
    QCOMPARE(a.acquire(5s), Acquired::Acquired);
    QVERIFY(a->renew(60s).value_or(false));
    QVERIFY(pttl() > 50'000);
    m_server.cli({"DEL", "lock"});
    QCOMPARE(b.acquire(5s), Acquired::Acquired);
    QCOMPARE(a->renew(60s).value_or(true), false);
    QCOMPARE(a->localHoldCount(), 0);
    QVERIFY(pttl() > 0 && pttl() <= 5'000); // the other's
}

/// The server acquired, or released, and the answer never came.
void TestStrategies::unknownOutcomeIsFound()
{
    const Algorithm algorithm = fetched();
    Hand a = hand(algorithm, "u:1");
    a.links.commands().dropNextReply();
    const Result<AcquireResult> unknown = a->acquire({30s, std::nullopt});
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().kind, ErrorKind::OutcomeUnknown);
    QCOMPARE(a->localHoldCount(), 0);
    QVERIFY(a.links.open().has_value());
    QCOMPARE(a->storedHolds().value_or(-1), 1);
    QVERIFY2(pttl() > 15'000 && pttl() <= 30'000, "an end too, where the answer to SETNX was the lost one");
    a->setLocalHoldCount(1);
    QVERIFY(a.release().deleted);

    QCOMPARE(a.acquire(), Acquired::Acquired);
    a.links.commands().dropNextReply();
    const Result<ReleaseResult> lost = a->release();
    QVERIFY(!lost);
    QCOMPARE(a->localHoldCount(), 1);
    QVERIFY(a.links.open().has_value());
    // The lost reply was of a release's only command, or of its first.
    const bool wasOnlyRead =
        m_form == ReleaseMethod::CheckThenDelete || m_form == ReleaseMethod::WatchedTransaction;
    QCOMPARE(a->storedHolds().value_or(-1), wasOnlyRead ? 1 : 0);
}

/// The same again, without looking, counts twice; the hand-off lock knows which level is asked for.
void TestStrategies::blindRetryLeaks()
{
    for (const StrategyKind kind : {StrategyKind::Reentrant, StrategyKind::Redisson, StrategyKind::Handoff}) {
        Hand a = hand({.strategy = kind}, "u:1");
        a.links.commands().dropNextReply();
        QVERIFY(!a->acquire({30s, std::nullopt}));
        QVERIFY(a.links.open().has_value());
        QCOMPARE(a.acquire(), Acquired::Acquired);
        QCOMPARE(a->localHoldCount(), 1);
        a.release();
        QCOMPARE(a->storedHolds().value_or(-1), kind == StrategyKind::Handoff ? 0 : 1);
        m_server.cli({"DEL", "lock"});
    }
    Hand a = hand({.strategy = StrategyKind::TokenSet}, "u:1");
    a.links.commands().dropNextReply();
    QVERIFY(!a->acquire({30s, std::nullopt}));
    QVERIFY(a.links.open().has_value());
    QCOMPARE(a.acquire(), Acquired::Refused); // by itself
    QCOMPARE(a->storedHolds().value_or(-1), 1);
    m_server.cli({"DEL", "lock"});

    Hand counted = hand({.strategy = StrategyKind::TokenCounted}, "u:2"); // finds its own id there
    counted.links.commands().dropNextReply();
    QVERIFY(!counted->acquire({30s, std::nullopt}));
    QVERIFY(counted.links.open().has_value());
    QCOMPARE(counted.acquire(), Acquired::Acquired);
    QCOMPARE(counted->localHoldCount(), 1);
    QVERIFY(counted.release().deleted);
}

void TestStrategies::reentryOfALostLock()
{
    for (const StrategyKind kind : {StrategyKind::Reentrant, StrategyKind::Handoff}) {
        Hand a = hand({.strategy = kind}, "u:1");
        Hand b = hand({.strategy = kind}, "u:2");
        for (const bool another : {false, true}) {
            QCOMPARE(a.acquire(), Acquired::Acquired);
            m_server.cli({"DEL", "lock"});
            if (another)
                QCOMPARE(b.acquire(), Acquired::Acquired);
            QCOMPARE(a.acquire(), Acquired::Lost);
            QCOMPARE(a->localHoldCount(), 0);
            QCOMPARE(a->storedHolds().value_or(-1), 0);
            QCOMPARE(b->storedHolds().value_or(-1), another ? 1 : 0);
        }
        b.release();
    }
    // It counts by itself, and does not notice.
    Hand a = hand({.strategy = StrategyKind::TokenCounted}, "u:1");
    QCOMPARE(a.acquire(), Acquired::Acquired);
    m_server.cli({"DEL", "lock"});
    QCOMPARE(a.acquire(), Acquired::Reentered);
}

void TestStrategies::fewCommands()
{
    for (const StrategyKind kind : kinds) {
        Hand a = hand({.strategy = kind}, "u:1");
        a.acquire();
        a.release();
        const qint64 sent = a.links.commandsSent();
        for (int i = 0; i < 10; ++i) {
            QCOMPARE(a.acquire(30s, Clock::now() + 10s), Acquired::Acquired);
            a.release();
        }
        QCOMPARE(a.links.commandsSent() - sent, kind == StrategyKind::TokenSetnx ? 30 : 20);
    }
}

void TestStrategies::interludeBeforeDelete_data()
{
    QTest::addColumn<ReleaseMethod>("form");
    QTest::addColumn<bool>("dies");
    for (const ReleaseMethod form : {ReleaseMethod::CheckThenDelete, ReleaseMethod::WatchedTransaction}) {
        QTest::newRow(nameOf(form) + ", the lock ends and is taken") << form << false;
        QTest::newRow(nameOf(form) + ", the client dies") << form << true;
    }
}

void TestStrategies::interludeBeforeDelete()
{
    QFETCH(const ReleaseMethod, form);
    QFETCH(const bool, dies);
    const bool isWatched = form == ReleaseMethod::WatchedTransaction;
    const Algorithm algorithm{.strategy = StrategyKind::TokenSet, .release = form};
    Hand a = hand(algorithm, "u:1");
    Hand b = hand(algorithm, "u:2");
    QCOMPARE(a.acquire(50ms), Acquired::Acquired);
    bool taken = false;
    a.faultHook = [&](FaultHook::Moment moment) {
        taken = moment == FaultHook::Moment::BeforeDelete && b.block(30s, Clock::now() + 10s);
        return !dies;
    };
    const ReleaseResult released = a.release();
    QVERIFY(taken);
    QCOMPARE(released.verdict, dies ? Given::Died : isWatched ? Given::NotHeld : Given::Released);
    QCOMPARE(released.deleted, !dies && !isWatched);
    QCOMPARE(released.execRefused, !dies && isWatched);
    QCOMPARE(b->storedHolds().value_or(-1), dies || isWatched ? 1 : 0);
}

/// What changed between the look and the transaction: nothing is deleted, and nothing more is sent.
void TestStrategies::watchedTransactionThatFails()
{
    FakePeer peer;
    peer.on("SET", "+OK\r\n");
    peer.on("WATCH", "+OK\r\n");
    peer.on("MULTI", "+OK\r\n");
    peer.on("DEL", "+QUEUED\r\n");
    peer.on("EXEC", "*-1\r\n");
    // It plays back the token that it was given.
    connect(&peer, &FakePeer::received, this, [&peer](const QByteArrayList &command) {
        if (command[0] == "SET")
            peer.on("GET", '$' + QByteArray::number(command[2].size()) + "\r\n" + command[2] + "\r\n");
    });
    auto returned = std::async(std::launch::async, [&] {
        SubscriptionHub hub(peer.address());
        Hand a(peer.address(), hub,
               {.strategy = StrategyKind::TokenSet, .release = ReleaseMethod::WatchedTransaction}, "u:1");
        a.acquire();
        return a.release();
    });
    QTRY_VERIFY(returned.wait_for(0s) == std::future_status::ready);
    const ReleaseResult released = returned.get();
    QCOMPARE(released.verdict, Given::NotHeld);
    QVERIFY(!released.deleted);
    QVERIFY(released.execRefused);
    QCOMPARE(peer.commands().last()[0], "EXEC");
}

void TestStrategies::orphanAndItsRepair()
{
    const Algorithm algorithm{.strategy = StrategyKind::TokenSetnx};
    Hand a = hand(algorithm, "u:1");
    Hand b = hand(algorithm, "u:2");
    a.faultHook = [](FaultHook::Moment moment) { return moment != FaultHook::Moment::BeforeExpire; };
    QCOMPARE(a.acquire(1s), Acquired::Died);
    QCOMPARE(pttl(), -1);
    QCOMPARE(b.acquire(1s), Acquired::Refused);
    QVERIFY(pttl() > 0 && pttl() <= 1000);
    QVERIFY(b.block(1s, Clock::now() + 10s));
    // Leases are whole seconds, rounded up.
    QVERIFY(b.release().deleted);
    QCOMPARE(b.acquire(1100ms), Acquired::Acquired);
    QVERIFY(pttl() > 1100);
}

void TestStrategies::companionsExpire()
{
    for (const StrategyKind kind : kinds) {
        const QList<QByteArray> keys = keysOf(kind, LockKey("lock"));
        QCOMPARE(keys.first(), "lock");
        QCOMPARE(keys.size(), kind == StrategyKind::Handoff ? 4 : kind == StrategyKind::TokenFenced ? 2 : 1);
        Hand a = hand({.strategy = kind}, "u:1");
        Hand b = hand({.strategy = kind}, "u:2");
        a.acquire();
        b.acquire(30s, Clock::now() + 30s);
        for (const QByteArray &key : m_server.cli({"KEYS", "*"}).split('\n')) {
            QVERIFY2(keys.contains(key), key);
            QVERIFY2(m_server.cli({"PTTL", key}).toLongLong() > 0, key);
        }
        m_server.cli({"FLUSHALL"});
    }
}

/// Over a release, the end of a lease, and the loss of all data.
void TestStrategies::fencingTokensGrow()
{
    for (const StrategyKind kind : {StrategyKind::TokenFenced, StrategyKind::Handoff}) {
        qint64 last = 0;
        for (const char *between : {"DBSIZE", "DBSIZE", "DEL", "FLUSHALL"}) {
            m_server.cli(between == QByteArrayView("DEL") ? QByteArrayList{"DEL", "lock"}
                                                          : QByteArrayList{between});
            Hand a = hand({.strategy = kind}, "u:1");
            QCOMPARE(a.acquire(), Acquired::Acquired);
            QVERIFY(a.last.fence > last);
            last = a.last.fence;
            Hand b = hand({.strategy = kind}, "u:2");
            QCOMPARE(b.acquire(), Acquired::Refused);
            QCOMPARE(b.last.fence, -1);
            if (between == QByteArrayView("DBSIZE"))
                a.release();
        }
        m_server.cli({"FLUSHALL"});
    }
}

QTEST_GUILESS_MAIN(TestStrategies)
#include "tst_strategies.moc"
