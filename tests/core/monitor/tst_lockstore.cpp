// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockstore.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint start = TimePoint(24h);

/// A reading with bytes of its own, as each comes from the server.
Inspection reading(const char *key, const char *owner, qint64 holds = 1, milliseconds ttl = 30s,
                   TimePoint at = start)
{
    Lock lock;
    lock.address.key = LockKey(QByteArray(key));
    lock.family = Family::Reentrant;
    lock.holders = {{OwnerId(QByteArray(owner)), QByteArray::number(holds), holds}};
    lock.ttl = ttl;
    lock.deadline = Deadline::from(ttl, at, at);
    lock.readAt = at;
    return {lock.address.key, lock};
}

const char *bytesOfOwner(const WatchedLock &lock)
{
    return lock.lock.holders.first().owner.bytes.constData();
}

} // namespace

class LockStoreTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void anOwnerIsKeptOnce()
    {
        LockStore store;
        store.apply(reading("lock:a", "web-1:7"), start, true);
        store.apply(reading("lock:b", "web-1:7"), start, true);
        store.apply(reading("lock:c", "web-1:7", 3), start, true);
        store.apply(reading("lock:d", "web-2:7"), start, true);
        const char *owner = bytesOfOwner(*store.find(LockKey("lock:a")));
        QCOMPARE(static_cast<const void *>(bytesOfOwner(*store.find(LockKey("lock:b")))), owner);
        QCOMPARE(static_cast<const void *>(bytesOfOwner(*store.find(LockKey("lock:c")))), owner);
        QVERIFY(bytesOfOwner(*store.find(LockKey("lock:d"))) != owner);
        QCOMPARE(store.find(LockKey("lock:c"))->lock.holders.first().holds, 3);
        const LockDiff diff = store.takeChanges();
        for (const WatchedLock &lock : diff.changed) {
            if (lock.key().bytes != "lock:d")
                QCOMPARE(static_cast<const void *>(bytesOfOwner(lock)), owner);
        }
    }

    void readAgainItsBytesAreThoseThatWereThere()
    {
        LockStore store;
        store.apply(reading("lock:a", "web-1:7"), start, true);
        const char *key = store.find(LockKey("lock:a"))->key().bytes.constData();
        const char *owner = bytesOfOwner(*store.find(LockKey("lock:a")));
        store.apply(reading("lock:a", "web-1:7", 1, 60s, start + 1s), start + 1s, true);
        QCOMPARE(static_cast<const void *>(store.find(LockKey("lock:a"))->key().bytes.constData()), key);
        QCOMPARE(static_cast<const void *>(bytesOfOwner(*store.find(LockKey("lock:a")))), owner);
        QCOMPARE(store.find(LockKey("lock:a"))->renewals, 1);
    }
};

QTEST_APPLESS_MAIN(LockStoreTest)
#include "tst_lockstore.moc"
