// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/expiryqueue.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const LockKey a("a");
const LockKey b("b");

TimePoint at(milliseconds when)
{
    return TimePoint(1h) + when;
}

} // namespace

/// A lock is looked at one millisecond after the last moment at which it can expire.
class TestExpiryQueue : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_locks.clear();
        m_queue.clear();
    }

    void inOrder()
    {
        QVERIFY(!m_queue.next());
        read(a, at(20s));
        read(b, at(10s));
        QCOMPARE(m_queue.next(), at(10s) + 1ms);
        QVERIFY(m_queue.takeExpired(at(10s), 9).isEmpty());
        QCOMPARE(m_queue.takeExpired(at(10s) + 1ms, 9), QList<LockKey>{b});
        QCOMPARE(m_queue.next(), at(20s) + 1ms);
        QVERIFY(m_queue.takeExpired(at(19s), 9).isEmpty()); // once, until it is read again
        read(b, at(11s));
        QCOMPARE(m_queue.takeExpired(at(30s), 1), QList<LockKey>{b});
        QCOMPARE(m_queue.takeExpired(at(30s), 9), QList<LockKey>{a});
    }

    void aRenewalIsFoundOutLater()
    {
        read(a, at(10s));
        read(a, at(40s));
        QCOMPARE(m_queue.next(), at(40s) + 1ms);
        QVERIFY(m_queue.takeExpired(at(11s), 9).isEmpty());
    }

    void aShortenedLeaseAtOnce()
    {
        read(a, at(40s));
        read(a, at(10s));
        QCOMPARE(m_queue.takeExpired(at(11s), 9), QList<LockKey>{a});
        QVERIFY(!m_queue.next()); // the later entry is for nothing
    }

    void aLockThatIsGoneOrHasNoLease()
    {
        read(a, at(10s));
        read(b, at(10s));
        m_locks.erase(a);
        m_locks.find(b)->second.watched.lock.deadline = {};
        m_queue.expect(m_locks.find(b)->second);
        QVERIFY(!m_queue.next());
    }

private:
    void read(const LockKey &key, TimePoint expiresAt)
    {
        KnownLock &known = m_locks[key];
        known.watched.lock.address.key = key;
        known.watched.lock.deadline = Deadline{expiresAt, expiresAt};
        m_queue.expect(known);
    }

    KnownLocks m_locks;
    ExpiryQueue m_queue{m_locks};
};

QTEST_GUILESS_MAIN(TestExpiryQueue)
#include "tst_expiryqueue.moc"
