// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/readmethods.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;

namespace {

const LockKey key("lock:a");

WatchedLock known(KeyType type, Family family)
{
    WatchedLock watched;
    watched.lock.address.key = key;
    watched.lock.type = type;
    watched.lock.family = family;
    return watched;
}

} // namespace

class TestReadMethods : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aNewNameIsReadAsEverything()
    {
        const ReadMethods methods;
        const inspector::Target target = methods.targetOf(key, true, nullptr);
        QCOMPARE(target.key, key);
        QVERIFY(target.type == KeyType::Unknown && target.announced && target.fields.isEmpty());
    }

    void aKnownLockByItsType()
    {
        const ReadMethods methods;
        const WatchedLock hash = known(KeyType::Hash, "reentrant"_family);
        QVERIFY(methods.targetOf(key, false, &hash).type == KeyType::Hash);
        const WatchedLock empty = known(KeyType::String, Family()); // GETRANGE would not tell it from none
        QVERIFY(methods.targetOf(key, false, &empty).type == KeyType::Unknown);
    }

    /// A reply that says how the key is to be read outweighs what was known of it.
    void aReplyHasShownItsType()
    {
        ReadMethods methods;
        const WatchedLock hash = known(KeyType::Hash, "reentrant"_family);
        methods.setType(key, KeyType::SortedSet);
        QVERIFY(methods.targetOf(key, false, &hash).type == KeyType::SortedSet);
        methods.readingDone(key, false);
        QVERIFY(methods.targetOf(key, false, &hash).type == KeyType::Hash);
        methods.setType(key, KeyType::Set);
        methods.forgetType(key);
        QVERIFY(methods.targetOf(key, false, &hash).type == KeyType::Hash);
        methods.setType(key, KeyType::Set);
        methods.connectionBegan(); // perhaps to another server
        QVERIFY(methods.targetOf(key, false, &hash).type == KeyType::Hash);
    }

    void fieldsOnce()
    {
        ReadMethods methods;
        methods.setFieldLeases(FieldLeases::Told);
        QVERIFY(methods.addFields(key, {"u:1"}));
        QVERIFY(!methods.addFields(key, {"u:2"})); // else there would be no end
        const inspector::Target target = methods.targetOf(key, false, nullptr);
        QVERIFY(target.type == KeyType::Hash && target.fieldLeases == FieldLeases::Told);
        QCOMPARE(target.fields, QByteArrayList{"u:1"});
        methods.setType(key, KeyType::String); // it is a hash no more
        QVERIFY(methods.targetOf(key, false, nullptr).fields.isEmpty());
        QVERIFY(methods.addFields(key, {"u:3"}));
        methods.readingDone(key, false);
        QVERIFY(methods.addFields(key, {"u:4"}));
    }

    void suspects()
    {
        ReadMethods methods;
        QVERIFY(!methods.hasSuspects());
        methods.addSuspect(key);
        QVERIFY(methods.hasSuspects() && methods.isSuspect(key));
        QCOMPARE(methods.firstSuspect(), key);
        methods.connectionBegan(); // which it broke
        QVERIFY(methods.isSuspect(key));
        methods.clearSuspect(key);
        methods.setTooBig(key);
        QVERIFY(!methods.hasSuspects() && methods.isTooBig(key));
        methods.readingDone(key, false); // it is smaller now
        QVERIFY(!methods.isTooBig(key));
    }

    /// The server's table of announced names must not grow without end.
    void absentNamesAreBounded()
    {
        ReadMethods methods;
        for (int i = 0; i < 10'000; ++i)
            methods.readingDone(LockKey(QByteArray::number(i)), true);
        QVERIFY(!methods.canAnnounce(false) && methods.canAnnounce(true));
        methods.announced(LockKey("7"));
        QVERIFY(methods.canAnnounce(false));
        methods.readingDone(key, true);
        QVERIFY(!methods.canAnnounce(false));
        methods.forgetAnnounced();
        QVERIFY(methods.canAnnounce(false));
    }
};

QTEST_GUILESS_MAIN(TestReadMethods)
#include "tst_readmethods.moc"
