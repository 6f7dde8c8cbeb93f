// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/deadwaiterdetector.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint start = TimePoint(24h);
const LockKey key("lock");

/// "anna+ bert- cleo? dora!": listens, does not, not known, not heard here.
Waiters queueOf(const QByteArray &text)
{
    Waiters waiters;
    for (const QByteArray &word : text.split(' ')) {
        const char sign = word.back();
        waiters.queue.append(Waiter{OwnerId(word.chopped(1)),
                                    {},
                                    sign == '+'   ? SubscriptionState::Yes
                                    : sign == '-' ? SubscriptionState::No
                                    : sign == '!' ? SubscriptionState::NotHeard
                                                  : SubscriptionState::Unknown,
                                    false});
    }
    return waiters;
}

/// Who is dead after this look.
QByteArray deadAfter(DeadWaiterDetector &dead, const QByteArray &text, std::chrono::milliseconds at)
{
    Waiters waiters = queueOf(text);
    dead.judge(key, waiters, start + at);
    QByteArrayList ids;
    for (const Waiter &waiter : waiters.queue) {
        if (waiter.isDead)
            ids.append(waiter.id.bytes);
    }
    return ids.join(' ');
}

} // namespace

class TestDeadWaiters : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void silentForLong()
    {
        DeadWaiterDetector dead;
        QCOMPARE(deadAfter(dead, "anna- bert+", 0s), QByteArray());
        QCOMPARE(deadAfter(dead, "anna- bert+", 4s), QByteArray());
        QCOMPARE(deadAfter(dead, "anna- bert+", 7900ms), QByteArray()); // a subscription may take that long
        QCOMPARE(deadAfter(dead, "anna- bert+", 8s), QByteArray("anna"));
        QCOMPARE(deadAfter(dead, "anna+ bert-", 9s), QByteArray()); // it was slow, that is all
        QCOMPARE(deadAfter(dead, "anna- bert-", 10s), QByteArray());
        QCOMPARE(deadAfter(dead, "anna- bert-", 18s), QByteArray("bert"));
    }
    /// Two looks may lie far apart: who had entered the queue just before each was not silent in between.
    void fewLooks()
    {
        DeadWaiterDetector dead;
        QCOMPARE(deadAfter(dead, "anna-", 0s), QByteArray());
        QCOMPARE(deadAfter(dead, "anna-", 60s), QByteArray());
        QCOMPARE(deadAfter(dead, "anna-", 120s), QByteArray("anna"));
    }
    void leftAndCameAgain()
    {
        DeadWaiterDetector dead;
        QCOMPARE(deadAfter(dead, "anna- bert-", 0s), QByteArray());
        QCOMPARE(deadAfter(dead, "bert-", 5s), QByteArray());
        QCOMPARE(deadAfter(dead, "bert- anna-", 10s), QByteArray("bert"));
    }
    void notKnown()
    {
        DeadWaiterDetector dead;
        for (int i = 0; i < 10; ++i)
            QCOMPARE(deadAfter(dead, "anna?", i * 5s), QByteArray());
        dead.forget(key);
        QCOMPARE(deadAfter(dead, "bert-", 0s), QByteArray());
        QCOMPARE(deadAfter(dead, "bert-", 4s), QByteArray());
        QCOMPARE(deadAfter(dead, "bert-", 8s), QByteArray("bert"));
        QCOMPARE(deadAfter(dead, "bert?", 9s), QByteArray("bert")); // nothing says that it lives
    }
    /// A replica came: from then on it may listen there, whatever was thought before.
    void notHeardHere()
    {
        DeadWaiterDetector dead;
        for (int i = 0; i < 10; ++i)
            QCOMPARE(deadAfter(dead, "anna!", i * 5s), QByteArray());
        for (int i = 10; i < 13; ++i)
            deadAfter(dead, "anna-", i * 5s);
        QCOMPARE(deadAfter(dead, "anna-", 70s), QByteArray("anna"));
        QCOMPARE(deadAfter(dead, "anna!", 71s), QByteArray());
        QCOMPARE(deadAfter(dead, "anna-", 72s), QByteArray());
    }
    void heldUp_data()
    {
        QTest::addColumn<QByteArray>("alive"); // + alive, - dead
        QTest::addColumn<bool>("held");
        QTest::newRow("nobody") << QByteArray() << false;
        QTest::newRow("all alive") << QByteArray("+++") << false;
        QTest::newRow("the first") << QByteArray("-") << true;
        QTest::newRow("in between") << QByteArray("+-+") << true;
        QTest::newRow("the last") << QByteArray("++-") << false;
    }
    void heldUp()
    {
        QFETCH(QByteArray, alive);
        QFETCH(bool, held);
        Waiters waiters;
        for (const char sign : alive)
            waiters.queue.append(Waiter{OwnerId("x"), {}, SubscriptionState::Unknown, sign == '-'});
        QCOMPARE(hasBlockedWaiters(waiters), held);
    }
};

QTEST_APPLESS_MAIN(TestDeadWaiters)
#include "tst_deadwaiterdetector.moc"
