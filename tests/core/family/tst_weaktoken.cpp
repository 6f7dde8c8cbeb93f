// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/weaktoken.h"

#include "core/act/scriptcall.h"
#include "tests/support/familyliteral.h"

#include <QRegularExpression>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

Lock tokenLock(const QByteArray &value)
{
    Lock lock;
    lock.address.key = LockKey("lock:orders");
    lock.type = KeyType::String;
    lock.family = "token"_family;
    lock.owners = {{OwnerId(value), {}, 1}};
    return lock;
}

/// What the script is to compare besides the token.
QByteArray guardOf(const Lock &seen)
{
    ActionRequest request;
    request.action = Action::ForceExpire;
    request.family = seen.family;
    request.key = seen.key();
    request.expected = seen.owners;
    request.seen = seen;
    for (const QByteArray &argument : scriptCall(request, {}).arguments) {
        if (argument.startsWith("pttl<="))
            return argument.mid(6);
    }
    return {};
}

} // namespace

class TestWeakToken : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void tokens_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<int>("weak");
        const auto row = [](const char *value, WeakToken weak) {
            QTest::newRow(value) << QByteArray(value) << int(weak);
        };
        for (const char *value : {"1", "true", "TRUE", "mutex", "locked", "Lock", "lock:orders"})
            row(value, WeakToken::Constant);
        // What something that is held, or has states, is called: each of them may be somebody's lock.
        for (const char *value :
             {"yes",        "y",           "t",      "lock",    "held",     "taken",   "acquired", "busy",
              "running",    "processing",  "active", "pending", "started",  "working", "ok",       "on",
              "Processing", "in_progress", "done",   "enabled", "disabled", "free",    "online",   "new",
              "red",        "idle",        "set",    "value",   "x",        "b:1;",    "0",        "exists"})
            row(value, WeakToken::Constant);
        // As codecs write them
        for (const char *value : {R"("true")", R"("locked")", "s:4:\"true\";", R"("1")", R"("lock:orders")"})
            row(value, WeakToken::Constant);
        for (const char *value :
             {R"({"locked":true})", R"({"status":"processing","v":1})", R"({ "held": 1 })"})
            row(value, WeakToken::Constant);
        for (const char *value : {"2", "4711", "4194304", R"("4711")"})
            row(value, WeakToken::Number);
        for (const char *value : {"1795319763", "1795319763.25", "1795316104178"})
            row(value, WeakToken::Time);
        for (const char *value :
             {"", "web-1:4711", "0.6491170210265926", "7c9e6679-7425-40de-944b-e07fc1f90ae7",
              "123456789012345", "yj7MiGl2Ucw7Y5cC", "client-7", R"("client-7")",
              R"({"owner":"web-1","locked":true})", R"({"locked":true,"at":1795319763})", "s:9:\"true\";"})
            row(value, WeakToken::No);
    }
    void tokens()
    {
        QFETCH(const QByteArray, value);
        QFETCH(const int, weak);
        QCOMPARE(int(weakTokenOf(tokenLock(value))), weak);
    }

    void binaryCodecs()
    {
        const QByteArray java("\xac\xed\0\5t\0\4true", 11);
        const QByteArray python("\x80\4\x95\x0a\0\0\0\0\0\0\0\x8c\6locked\x94.", 21);
        const QByteArray number("\x80\2X\4\0\0\0004711q\0.", 14);
        QCOMPARE(weakTokenOf(tokenLock(java)), WeakToken::Constant);
        QCOMPARE(weakTokenOf(tokenLock(python)), WeakToken::Constant);
        QCOMPARE(weakTokenOf(tokenLock(number)), WeakToken::Number);
        QCOMPARE(weakTokenOf(tokenLock("\xa6locked")), WeakToken::Constant);
        QCOMPARE(weakTokenOf(tokenLock("\xa8worker-1")), WeakToken::No);
    }

    /// A field that every holder writes tells no more than a value that they do.
    void hashes()
    {
        Lock lock = tokenLock("locked");
        lock.type = KeyType::Hash;
        lock.family = "reentrant"_family;
        lock.owners[0].rawHoldCount = "1";
        QCOMPARE(weakTokenOf(lock), WeakToken::Constant);
        QCOMPARE(guardOf(lock), "-1");
        lock.owners[0].owner = OwnerId("4711");
        QCOMPARE(weakTokenOf(lock), WeakToken::Number);
        QCOMPARE(guardOf(lock), "-1");
        lock.leaseOf = LeaseOf::Fields; // the script asks for the fields' end as well
        lock.ttl = milliseconds(30s);
        lock.deadline = Deadline{Clock::now() + 30s, Clock::now() + 30s};
        QVERIFY2(guardOf(lock).toLongLong() > 20'000, guardOf(lock));
        lock.owners[0].owner = OwnerId("worker-1");
        QCOMPARE(weakTokenOf(lock), WeakToken::No);
        QCOMPARE(guardOf(lock), QByteArray());
    }

    /// What looks like no lock is shown without its value as an owner; who names it ends a lock by it all the same.
    void whatIsHiddenIsGuarded()
    {
        Lock seen = tokenLock("ok");
        seen.family = "unknown"_family;
        seen.owners.clear();
        ActionRequest request;
        request.action = Action::ForceExpire;
        request.family = "token"_family;
        request.key = seen.key();
        request.expected = {{OwnerId("ok"), {}, {}}};
        request.seen = seen;
        QVERIFY(scriptCall(request, {}).arguments.contains("pttl<=-1"));
        request.expected = {{OwnerId("client-7"), {}, {}}};
        QVERIFY(!scriptCall(request, {}).arguments.contains("pttl<=-1"));
    }

    /// Counters have no owners, and hashes have fields.
    void others()
    {
        Lock lock = tokenLock("3");
        lock.family = "redisson-semaphore"_family;
        QCOMPARE(weakTokenOf(lock), WeakToken::No);
        lock = tokenLock("1");
        lock.type = KeyType::Hash;
        QCOMPARE(weakTokenOf(lock), WeakToken::No);
    }

    /// A constant is compared with the time left, which a new holder would have raised.
    void guards()
    {
        Lock lock = tokenLock("1");
        QCOMPARE(guardOf(lock), "-1");
        const TimePoint now = Clock::now();
        lock.ttl = milliseconds(30s);
        lock.deadline = Deadline{now + 30s, now + 30s};
        const qint64 most = guardOf(lock).toLongLong();
        QVERIFY2(most > 20'000 && most <= 30'200, QByteArray::number(most));
        lock.deadline = Deadline{now - 5s, now - 5s};
        QCOMPARE(guardOf(lock), "200");
        for (const char *value : {"1795319763", "client-7"})
            QCOMPARE(guardOf(tokenLock(value)), QByteArray());
    }
};

QTEST_APPLESS_MAIN(TestWeakToken)
#include "tst_weaktoken.moc"
