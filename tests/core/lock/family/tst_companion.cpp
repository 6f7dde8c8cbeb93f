// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/family/companion.h"

#include <QtTest>

using namespace lockscope;

class TestCompanion : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void knowsACompanion_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<bool>("companion");
        for (const QByteArray key :
             {"lock:a:handoff:queue", "lock:a:handoff:waiters", "lock:a:handoff:fence", "\xff:handoff:queue"})
            QTest::newRow(key.toPercentEncoding()) << key << true;
        for (const QByteArray key : {"", "lock:a", "lock:handoff", ":handoff:queue", "lock:handoff:queue:1",
                                     "lock:handoff:queues", "lock:a:HANDOFF:queue", "lock:handoff-queue"})
            QTest::newRow(key.toPercentEncoding()) << key << false;
    }

    void knowsACompanion()
    {
        QFETCH(const QByteArray, key);
        QTEST(isCompanion(key), "companion");
    }

    void namesThem()
    {
        const LockKey lock(QByteArray("a\0b", 3));
        const HandoffKeys keys(lock);
        QCOMPARE(keys.queue, QByteArray("a\0b:handoff:queue", 17));
        QCOMPARE(keys.waiters, QByteArray("a\0b:handoff:waiters", 19));
        QCOMPARE(keys.fence, QByteArray("a\0b:handoff:fence", 17));
        for (const QByteArray &key : {keys.queue, keys.waiters, keys.fence})
            QVERIFY(isCompanion(key));
        QVERIFY(!isCompanion(lock.bytes));
        QCOMPARE(handoffChannel(LockKey("k"), OwnerId("o")), "k:handoff:wake:o");
    }
};

QTEST_GUILESS_MAIN(TestCompanion)
#include "tst_companion.moc"
