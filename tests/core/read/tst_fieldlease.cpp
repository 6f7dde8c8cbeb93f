// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/fieldlease.h"

#include "core/read/inspector.h"
#include "core/state/lockstate.h"

#include "tests/support/futures.h"
#include "tests/support/redisserver.h"

#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;
using inspector::Target;

namespace {

Reply number(qint64 value)
{
    return {Reply::Type::Integer, value, {}, {}};
}
Reply text(const QByteArray &value)
{
    return {Reply::Type::Text, 0, value, {}};
}
Reply error(const QByteArray &value)
{
    return {Reply::Type::Error, 0, value, {}};
}
Reply array(const std::vector<Reply> &elements)
{
    return {Reply::Type::Array, 0, {}, elements};
}

/// HSCAN's answer.
Reply hash(const QByteArrayList &flat)
{
    std::vector<Reply> fields;
    for (const QByteArray &each : flat)
        fields.push_back(text(each));
    return array({text("0"), array(fields)});
}

const QByteArrayList one{"worker:1", "1"};

Reading read(const Target &target, const std::vector<Reply> &replies)
{
    const TimePoint now = Clock::now();
    const auto reading = inspector::interpret(target, 0, replies, now, now);
    return reading ? *reading : Reading();
}

Target asking(FieldLeases leases, const QByteArrayList &fields = {})
{
    return {LockKey("lock:a"), KeyType::Hash, false, leases, fields};
}

} // namespace

class TestFieldLease : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void askedWhereTheServerHasThem()
    {
        // The key ends, and its fields may end sooner.
        const Reading ends = read(asking(FieldLeases::Told), {number(5000), hash(one)});
        QCOMPARE(ends.fields, QByteArrayList{"worker:1"});
        QVERIFY(ends.inspection->lock->ttl); // at the latest
        // The server has none: nothing more is asked.
        const Reading none = read(asking(FieldLeases::NotThere), {number(5000), hash(one)});
        QVERIFY(none.inspection && none.fields.isEmpty());
        const Reading old = read(asking(FieldLeases::NotThere), {number(-1), hash(one)});
        QVERIFY(old.inspection && lacksExpiry(*old.inspection->lock));
        const Reading endless = read(asking(FieldLeases::Told), {number(-1), hash(one)});
        QCOMPARE(endless.fields, QByteArrayList{"worker:1"});
        QCOMPARE(inspector::commandCount(asking(FieldLeases::Told, endless.fields)), 3);
    }

    void theFieldsEndTheLock()
    {
        const Reading reading =
            read(asking(FieldLeases::Told, {"worker:1"}), {number(-1), hash(one), array({number(3000)})});
        QVERIFY(reading.inspection && reading.inspection->lock);
        const Lock &lock = *reading.inspection->lock;
        QCOMPARE(lock.ttl->count(), 3000);
        QVERIFY(lock.deadline && lock.leaseOf == LeaseOf::Fields);
        QVERIFY(!(lock.problems & Problem::NoExpiry));
        QCOMPARE(fieldlease::fieldsOf(lock), QByteArrayList{"worker:1"}); // asked again the next time
    }

    /// Key and fields: what comes first ends it.
    void theSoonerEndCounts()
    {
        const auto left = [](qint64 key, const Reply &fields) {
            return *read(asking(FieldLeases::Told, {"worker:1"}), {number(key), hash(one), fields})
                        .inspection->lock;
        };
        const Lock sooner = left(60'000, array({number(3000)}));
        QCOMPARE(sooner.ttl->count(), 3000);
        QCOMPARE(sooner.leaseOf, LeaseOf::Fields);
        for (const Reply &later : {array({number(90'000)}), array({number(-1)}), array({number(-2)}),
                                   error("NOPERM User x has no permissions to run the 'hpttl' command")}) {
            const Lock byKey = left(60'000, later);
            QCOMPARE(byKey.ttl->count(), 60'000);
            QCOMPARE(byKey.leaseOf, LeaseOf::Key);
        }
        const Reading forbidden = read(asking(FieldLeases::Forbidden), {number(60'000), hash(one)});
        QCOMPARE(forbidden.inspection->lock->leaseOf, LeaseOf::Key);
    }

    void theLastOfSeveralEndsIt()
    {
        const QByteArrayList two{"worker:1", "1", "worker:2", "1"};
        const auto left = [&](qint64 first, qint64 second) {
            return *read(asking(FieldLeases::Told, {"worker:1", "worker:2"}),
                         {number(-1), hash(two), array({number(first), number(second)})})
                        .inspection->lock;
        };
        QCOMPARE(left(3000, 5000).ttl->count(), 5000);
        QVERIFY(!left(3000, -1).ttl);
        QVERIFY(lacksExpiry(left(3000, -1)));
    }

    void anotherFieldIsAskedForAnew()
    {
        const Reading reading =
            read(asking(FieldLeases::Told, {"worker:7"}), {number(-1), hash(one), array({number(-2)})});
        QCOMPARE(reading.fields, QByteArrayList{"worker:1"});
        QCOMPARE(reading.inspection->lock->leaseOf, LeaseOf::Unknown); // for whoever asks no more
    }

    void whatIsForbiddenIsNotKnown()
    {
        const Reading refused = read(
            asking(FieldLeases::Told, {"worker:1"}),
            {number(-1), hash(one), error("NOPERM User x has no permissions to run the 'hpttl' command")});
        QVERIFY(refused.inspection);
        QCOMPARE(refused.fieldLeases, FieldLeases::Forbidden);
        QCOMPARE(refused.inspection->lock->leaseOf, LeaseOf::Unknown);
        QVERIFY(!(refused.inspection->lock->problems & Problem::NoExpiry));
        const Reading later = read(asking(FieldLeases::Forbidden), {number(-1), hash(one)});
        QCOMPARE(later.inspection->lock->leaseOf, LeaseOf::Unknown);
        const Reading old = read(asking(FieldLeases::Told, {"worker:1"}),
                                 {number(-1), hash(one), error("ERR unknown command 'HPTTL'")});
        QCOMPARE(old.fieldLeases, FieldLeases::NotThere);
        QCOMPARE(old.inspection->lock->leaseOf, LeaseOf::Key);
        QVERIFY(lacksExpiry(*old.inspection->lock));
    }

    void theServerSaysWhetherItHasThem()
    {
        QCOMPARE(fieldlease::answerIn(array({array({text("hpttl")})})), FieldLeases::Told);
        QCOMPARE(fieldlease::answerIn(array({Reply()})), FieldLeases::NotThere);
        QCOMPARE(fieldlease::answerIn(error("NOPERM")), FieldLeases::Told); // it shows when it is used
        const auto expected = [](const QByteArray &name, int major, int minor) {
            ServerInfo server;
            server.name = name;
            server.major = major;
            server.minor = minor;
            return fieldlease::answerExpectedOf(server);
        };
        QCOMPARE(expected("redis", 7, 2), FieldLeases::NotThere);
        QCOMPARE(expected("redis", 7, 4), FieldLeases::Unknown);
        QCOMPARE(expected("redis", 8, 0), FieldLeases::Unknown);
        QCOMPARE(expected("valkey", 7, 2), FieldLeases::Unknown); // of its own 9
        QCOMPARE(expected({}, 0, 0), FieldLeases::Unknown);
        CommandBatch batch;
        fieldlease::appendQuestion(batch);
        fieldlease::append(batch, LockKey("lock:a"), {"worker:1"});
        QVERIFY(batch.isReadOnly());
    }

    /// With whatever server there is.
    void aServerThatHasThemEndsTheLock()
    {
        const RedisServer server;
        Connection connection(server.socketAddress());
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        QVERIFY(ready.wait());
        server.cli({"HSET", "lock:a", "worker:1", "1"});
        const QByteArray set = server.cli({"HPEXPIRE", "lock:a", "60000", "FIELDS", "1", "worker:1"});
        const auto read = waitFor(inspector::inspect(connection, LockKey("lock:a")));
        QVERIFY(read && read->lock);
        QCOMPARE(read->lock->ttl.has_value(), set == "1");
        QCOMPARE(lacksExpiry(*read->lock), set != "1");
        server.cli({"PEXPIRE", "lock:a", "3600000"});
        const auto both = waitFor(inspector::inspect(connection, LockKey("lock:a")));
        QVERIFY(both && both->lock && both->lock->ttl);
        QCOMPARE(both->lock->ttl->count() <= 60'000, set == "1");
    }
};

QTEST_GUILESS_MAIN(TestFieldLease)
#include "tst_fieldlease.moc"
