// SPDX-License-Identifier: GPL-3.0-or-later
// Every family, from keys as its libraries write them, and from what almost looks so.
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

#include <map>

using namespace lockscope;

namespace {

using Fields = QList<std::pair<QByteArray, QByteArray>>;
using Scores = QList<std::pair<QByteArray, double>>;

constexpr qint64 now = 1'763'756'015'123; // 2025-11-21T20:13:35.123Z
const QByteArray u = "2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10";
const QByteArray v = "77b0c1de-0a64-4f7b-9c1d-5e21c7b0aa42";
const QByteArray hex1 = "8f060b02c71611f09d410242ac120002"; // version 1, drawn at `now`
const QByteArray hex4 = "0123456789ab4def8123456789abcdef";
const QByteArray hex40 = "0123456789abcdef0123456789abcdef01234567";
const QByteArray transaction = "00112233445566778899aabbccddeeff";
const QByteArray base64of16 = "rL0Y20zC+Fzt72VPzMSk2A==";
const QByteArray url16 = "rL0Y20zC-Fzt72VPzMSk2A";
const QByteArray base64of18 = "pZ8Xq1vT+3sWm0KcR7yBdEfG";
const QByteArray symfony1 = "A6ZJqKJvJ0c3hHk0m8sYcQ2a5oZ1xV9wB7uT4rP3nLk=";
const QByteArray symfony2 = "B6ZJqKJvJ0c3hHk0m8sYcQ2a5oZ1xV9wB7uT4rP3nLk=";
const QByteArray machine1 = "web-1_4711_" + hex4;
const QByteArray machine2 = "web-2_815_" + hex4;

HashContent hash(const Fields &fields)
{
    return {fields};
}

QByteArray picture(const Recognition &r)
{
    QByteArray text = specOf(r.family).name;
    for (const LockOwner &holder : r.family == "unknown"_family ? QList<LockOwner>() : r.owners) {
        text +=
            ' ' + holder.owner.bytes + 'x' + (holder.holdCount ? QByteArray::number(*holder.holdCount) : "?");
        if (holder.mode != HoldMode::Exclusive)
            text += holder.mode == HoldMode::Read ? "r" : "w";
    }
    const std::pair<Problem, const char *> problems[] = {{Problem::BadCount, " bad-count"},
                                                         {Problem::SeveralOwners, " several-owners"},
                                                         {Problem::WrongType, " wrong-type"},
                                                         {Problem::TooBig, " too-big"}};
    for (const auto &[problem, name] : problems) {
        if (r.problems & problem)
            text += name;
    }
    return r.attachedTo.isEmpty() ? text : text + " -> " + r.attachedTo.bytes;
}

Lock lockOf(const QByteArray &key, const KeyContent &content)
{
    const Recognition found = recognize(LockKey(key), content, milliseconds(30'000), now);
    Lock lock;
    lock.address.key = LockKey(key);
    lock.family = found.family;
    lock.owners = found.owners;
    lock.type = std::holds_alternative<HashContent>(content) ? KeyType::Hash : KeyType::String;
    lock.evidence = found.evidence;
    lock.ttl = milliseconds(30'000);
    return lock;
}

QByteArray names(const QList<Family> &families)
{
    QByteArrayList list;
    for (const Family family : families)
        list += specOf(family).name;
    return list.join(' ');
}

} // namespace

class TestFamilies : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void hashes_data();
    void hashes() { compare(); }
    void strings_data();
    void strings();
    void sets_data();
    void sets() { compare(); }
    void partsOfBigOnes();
    void besides_data();
    void besides();
    void candidates_data();
    void candidates();
    void candidatesByClient();
    void storedFields();
    void tables();

private:
    void compare()
    {
        QFETCH(const QByteArray, key);
        QFETCH(const KeyContent, content);
        QTEST(picture(recognize(LockKey(key), content, milliseconds(30'000), now)), "expected");
    }
};

void TestFamilies::hashes_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<KeyContent>("content");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const QByteArray &key, const Fields &fields,
                        const QByteArray &expected) {
        QTest::newRow(name) << key << KeyContent(hash(fields)) << expected;
    };
    const QByteArray a = u + ":53";
    const QByteArray b = v + ":-7";
    row("redisson", "k", {{a, "2"}}, "redisson " + a + "x2");
    row("node-redisson", "k", {{u + ':' + v, "2"}}, "node-redisson " + u + ':' + v + "x2");
    row("redisson, count corrupt", "k", {{a, "abc"}}, "redisson " + a + "x? bad-count");
    row("redisson, count empty", "k", {{a, ""}}, "redisson " + a + "x? bad-count");
    row("redisson, two", "k", {{b, "1"}, {a, "1"}}, "redisson " + a + "x1 " + b + "x1 several-owners");
    row("redisson, transaction", "k", {{a + ':' + transaction, "1"}},
        "redisson " + a + ':' + transaction + "x1");
    row("a crowd of such", "k",
        {{a + '1', "1"}, {a + '2', "1"}, {a + '3', "1"}, {a + '4', "1"}, {a + '5', "x"}}, "unknown");
    row("no thread", "k", {{u + ":", "1"}}, "reentrant " + u + ":x1");
    row("thread no number", "k", {{u + ":main", "1"}}, "reentrant " + u + ":mainx1");
    row("thread only a sign", "k", {{u + ":-", "1"}}, "reentrant " + u + ":-x1");
    row("capitals", "k", {{a.toUpper(), "1"}}, "reentrant " + a.toUpper() + "x1");
    row("a writer without a mode", "k", {{a + ":write", "1"}}, "reentrant " + a + ":writex1");
    row("something else after it", "k", {{a + ":x", "1"}}, "reentrant " + a + ":xx1");
    row("one of another kind", "k", {{a, "1"}, {"x", "1"}}, "unknown");

    row("read", "k", {{"mode", "read"}, {a, "2"}, {b, "1"}}, "redisson-read-write " + a + "x2r " + b + "x1r");
    row("write", "k", {{a + ":write", "1"}, {"mode", "write"}}, "redisson-read-write " + a + "x1w");
    row("a writer that reads", "k", {{"mode", "write"}, {a + ":write", "1"}, {a, "1"}},
        "redisson-read-write " + a + "x1r " + a + "x1w");
    row("write, transaction", "k", {{"mode", "write"}, {a + ":write:" + transaction, "1"}},
        "redisson-read-write " + a + ':' + transaction + "x1w");
    row("two in write mode", "k", {{"mode", "write"}, {a + ":write", "1"}, {b, "1"}},
        "redisson-read-write " + a + "x1w " + b + "x1r several-owners");
    row("read, count corrupt", "k", {{"mode", "read"}, {a, "0"}},
        "redisson-read-write " + a + "x?r bad-count");
    row("a mode alone", "k", {{"mode", "read"}}, "unknown");
    row("another mode", "k", {{"mode", "dark"}, {a, "1"}}, "unknown");

    const QByteArray h = "Aq3+/4567890123456789w";
    const QByteArray g = "Bq3+/4567890123456789A";
    const Fields triple{
        {h, a}, {h + ':' + a + ":expire_time", "1763756045123"}, {h + ':' + a + ":lock_count", "2"}};
    row("multi", "k", triple, "redisson-multi " + h + ':' + a + "x2");
    row("multi, two values", "k",
        triple + Fields{{g + ':' + b + ":lock_count", "1"}, {g, b}, {g + ':' + b + ":expire_time", "1"}},
        "redisson-multi " + h + ':' + a + "x2 " + g + ':' + b + "x1");
    row("multi, count corrupt", "k", {{h, a}, {h + ':' + a + ":lock_count", "?"}},
        "redisson-multi " + h + ':' + a + "x? bad-count");
    row("multi, another's field", "k", triple + Fields{{"x", "y"}}, "unknown");
    row("multi, no count", "k", {{h, a}}, "unknown");

    const QByteArray digest = "uniquejobs:0123456789abcdef0123456789abcdef";
    const QByteArray jid = "b4a577edbccf1d805744efa9";
    row("sidekiq 8", digest + ":LOCKED", {{jid, "1763756015.12"}}, "sidekiq-unique-jobs " + jid + "x1");
    row("sidekiq 9", "app:" + digest + ":RUN:LOCKED", {{jid, "{\"worker\":\"A\"}"}},
        "sidekiq-unique-jobs " + jid + "x1");
    row("sidekiq, several", digest + ":LOCKED", {{jid, "1"}, {"a" + jid.mid(1), "2"}},
        "sidekiq-unique-jobs a" + jid.mid(1) + "x1 " + jid + "x1");
    row("accounts that are locked", "accounts:LOCKED", {{jid, "1763756015"}},
        "reentrant " + jid + "x1763756015");
}

void TestFamilies::strings_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("ttl");
    QTest::addColumn<QByteArray>("expected"); // the family, and more
    const auto row = [](const char *name, const QByteArray &key, const QByteArray &value,
                        const QByteArray &expected,
                        qint64 ttl = 30'000) { QTest::newRow(name) << key << value << ttl << expected; };
    row("redis-py", "lock:order", hex1, "redis-py");
    row("redis-py, endless", "lock:order", hex1, "redis-py", -1);
    row("redis-py, a month ago", "lock", "8f060b02c71611ef9d410242ac120002", "token");
    row("hex of version 4", "lock:order", hex4, "token");
    row("hex with another variant", "lock:order", "8f060b02c71611f0cd410242ac120002", "token");
    row("redbeat", "redbeat::lock", hex1, "redbeat");
    row("redbeat, prefixed, running for a year", "app:redbeat::lock", "8f060b02c71611ef9d410242ac120002",
        "redbeat");
    row("celery-once", "qo_tasks.add_a-1", hex1, "celery-once");
    row("django", ":1:report", hex1, "django-redis");
    row("not django's", "lock:order:42:items", hex1, "redis-py");
    row("python-redis-lock", "lock:order", base64of18, "python-redis-lock", -1);
    row("python-redis-lock without a digit", "lock:order", "pZ/XqTvT+sWmaKcRbyBdEfGh", "python-redis-lock",
        -1);
    row("python-redis-lock, letters alone", "lock:order", "pZnXqTvTmsWmaKcRbyBdEfGh", "python-redis-lock",
        -1);
    row("python-redis-lock, words of as many letters", "lock:order", "OrderServiceWorkerOnHost", "token", -1);
    row("python-redis-lock's shape elsewhere", "order", base64of18, "token");
    row("an ObjectId", "lock:order", "b4a577edbccf1d805744efa9", "token");
    row("bullmq", "bull:mail:42:lock", u + ":7", "bullmq");
    row("bullmq, braces", "{bull}:mail:42:lock", u + ":7", "bullmq");
    row("bullmq's shape, other prefix", "orders:42:7:lock", u + ":7", "token");
    row("not a job's name", "bull:lock", u + ":7", "token");
    row("bull before a look at its job", "bull:mail:42:lock", u, "token");
    row("shedlock", "job-lock:default:report", "ADDED:2025-11-21T20:13:35.123Z@web-1:" + v, "shedlock");
    row("shedlock, old", "k", "ADDED:2025-11-21T20:13:35.123Z@web-1", "shedlock");
    row("shedlock's, not to the millisecond", "k", "ADDED:2025-11-21T20:13:35Z@web-1", "token");
    row("no host", "k", "ADDED:2025-11-21T20:13:35Z@", "token");
    row("no day", "k", "ADDED:yesterday@web-1", "token");
    row("hangfire", "{hangfire}:lock:job", u, "hangfire");
    row("redis-semaphore", "mutex:order", u, "redis-semaphore");
    row("redis-semaphore, named", "mutex:order", u + "-web1", "redis-semaphore");
    row("redlock", "redlock:order", u, "token");
    row("lock4j", "lock4j:a.B#7", hex4, "lock4j");
    row("lock4j, no UUID", "lock4j:a.B#7", "0123456789abcdef0123456789abcdef", "token");
    row("quartz", "lock", u, "quartz");
    row("quartz trigger", "trigger_lock:g:n", "node-1", "quartz");
    row("quartz trigger, a scheduler's own name for itself", "trigger_lock:g:n", "HOST_12_" + u, "quartz");
    row("quartz trigger, in hex", "trigger_lock:g:n", "c232ab00b4d611e0b8b2acde48001122", "quartz");
    row("quartz trigger, a document", "trigger_lock:g:n", "{}", "unknown");
    row("laravel unique job", "app-database-app-cache-laravel_unique_job:App\\Jobs\\A:1", "aB3dE6gH9jK2mN5p",
        "laravel");
    row("laravel, letters alone", "shop_database_shop_cache:orders", "aBcDeFgHjKmNpQrS", "laravel");
    row("laravel, serialized letters", "shop_database_shop_cache:orders", "s:16:\"aBxDeFgHjKmZpQrS\";",
        "laravel");
    row("laravel schedule", "framework/schedule-0123", "s:16:\"aB3dE6gH9jK2mN5p\";", "laravel");
    row("laravel, packed", "laravel-queue-overlap:A:1", "\x1f\x8b\x01", "laravel");
    row("laravel, igbinary", "laravel-queue-overlap:A:1",
        QByteArray("\0\0\0\2\x11\x10", 6) + "aB3dE6gH9jK2mN5p", "laravel");
    for (const QByteArray &value :
         {QByteArray("\0\0\0\2\x11\x10", 6) + "aB3dE6gH9jK2mN5p", QByteArray("\"aB3dE6gH9jK2mN5p\""),
          QByteArray("s:16:\"aB3dE6gH9jK2mN5p\";")})
        row(("laravel, a codec's " + value.toPercentEncoding()).constData(),
            "laravel_database_laravel_cache:order", value, "laravel");
    row("a codec's under another name", "lock:order", "s:16:\"aB3dE6gH9jK2mN5p\";", "token");
    row("a line", "lock:order", "web-1:1234\n", "token");
    row("a Windows line", "order", "web-1:1234\r\n", "token");
    row("an endless line", "lock:order", "web-1:1234\n", "unknown", -1);
    row("a process of one digit", "lock:job", "7", "token");
    row("a counter of one digit", "jobs", "7", "unknown");
    row("an endless counter", "lock:job", "7", "unknown", -1);
    row("nought", "lock:job", "0", "unknown");
    row("laravel, cache lock", "laravel_database_laravel_cache:order", "aB3dE6gH9jK2mN5p", "laravel", -1);
    row("16 letters", "lock:order", "aB3dE6gH9jK2mN5p", "token");
    row("redsync", "order-lock", base64of16, "redsync");
    row("a digest", "block:order", base64of16, "token");
    row("bsm", "lock:order", url16, "token");
    row("bsm, metadata", "orderLock", url16 + "{\"pod\":1}", "token");
    row("bsm, endless", "lock:order", url16, "token", -1);
    row("bsm, clock", "clock:order", url16, "token");
    row("bsm, longer", "lock:order", url16 + "web1", "token");
    row("madelson", "order", machine1, "madelson");
    row("madelson, endless", "lock:order", machine1, "token", -1);
    row("madelson, a word", "lock:order", "web_4711_" + hex4, "madelson");
    row("a user's session", "lock:order", "user_4711_" + hex4, "token", 1'800'000);
    row("a user's session elsewhere", "block:order", "user_4711_" + hex4, "token");
    row("madelson, no machine", "lock:order", "a b_1_" + hex4, "token");
    row("madelson, not version 4", "lock:order", "web_1_" + transaction, "token");
    row("madelson writer", "order.writer", machine1, "madelson w");
    row("the writer of a novel", "lock:novel.writer", "author_12_" + hex4, "token", -1);
    row("redlock4j", "order", hex40, "token");
    row("redlock4j writer", "order:write", hex40, "redlock4j w");
    row("redlock4j reader", "order:readers:" + hex40, hex40, "redlock4j r");
    row("symfony, old", "order", symfony1, "token");
    row("home-made", "lock:order", "1", "token");
    row("a document", "lock:order", "{\"a\":1}", "unknown");
}

void TestFamilies::strings()
{
    QFETCH(const QByteArray, key);
    QFETCH(const QByteArray, value);
    QFETCH(const qint64, ttl);
    const Recognition found =
        recognize(LockKey(key), StringContent{value},
                  ttl < 0 ? CompactOptional<milliseconds>() : CompactOptional(milliseconds(ttl)), now);
    QCOMPARE(found.owners.size(), 1);
    QCOMPARE(found.owners[0].owner.bytes, value);
    QCOMPARE(*found.owners[0].holdCount, 1);
    QVERIFY(found.attachedTo.isEmpty() && !found.problems);
    QByteArray text = specOf(found.family).name;
    if (found.owners[0].mode != HoldMode::Exclusive)
        text += found.owners[0].mode == HoldMode::Read ? " r" : " w";
    QTEST(text, "expected");
}

void TestFamilies::sets_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<KeyContent>("content");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const QByteArray &key, const KeyContent &content,
                        const QByteArray &expected) { QTest::newRow(name) << key << content << expected; };
    const auto scores = [](const Scores &members) { return KeyContent(SortedSetContent{members}); };
    constexpr double end = now + 30'000;
    row("symfony, write", "k", scores({{symfony1, end}, {"__write__", end}}), "symfony " + symfony1 + "x1w");
    row("symfony, two write", "k", scores({{symfony1, end}, {symfony2, end}, {"__write__", end}}),
        "symfony " + symfony1 + "x1w " + symfony2 + "x1w several-owners");
    row("symfony, read", "k", scores({{symfony2, end - 9}, {symfony1, end}}),
        "symfony " + symfony1 + "x1r " + symfony2 + "x1r");
    row("digests", "k", scores({{symfony1, 1}, {symfony2, 2}}), "unknown wrong-type");
    row("madelson", "k", scores({{machine2, end}, {machine1, end}}),
        "madelson " + machine1 + "x1 " + machine2 + "x1");
    row("madelson's owners, no times", "k", scores({{machine1, 5}}), "unknown wrong-type");
    row("redis-semaphore", "semaphore:k", scores({{v + "_1", now - 5}, {u, now - 1}}),
        "redis-semaphore " + u + "x1 " + v + "_1x1");
    row("redis-semaphore, no times", "semaphore:k", scores({{u, 5}}), "unknown"); // possible
    row("UUIDs", "k", scores({{u, now}}), "unknown wrong-type");
    row("leaders", "block:leaders", scores({{"ann", 5}, {"bob", 7}}), "unknown wrong-type");
    row("permits", "{k}:timeout",
        scores({{QByteArray("\0\1\2\3\4\5\6\7\x8\x9\xa\xb\xc\xd\xe\xff", 16), end}}), "unknown -> k");
    row("permits, a brace", "a{k}:timeout", scores({{QByteArray(16, '\1'), 922337203685477}}),
        "unknown -> a{k}");
    row("no permits", "k:timeout", scores({{QByteArray(16, '\1'), end}}), "unknown wrong-type");
    row("redlock4j's queue", "k:queue", scores({{hex40, now}}), "unknown -> k");
    row("another queue", "k:queue", scores({{"job", now}}), "unknown wrong-type");
    row("none", "k", scores({}), "unknown wrong-type");
    row("madelson, readers", "k.readers", SetContent{{machine2, machine1}},
        "madelson " + machine1 + "x1r " + machine2 + "x1r");
    row("other readers", "k.readers", SetContent{{"ann"}}, "unknown wrong-type");
    row("a set", "lock:k", SetContent{{machine1}}, "unknown");
    row("no set", "k.readers", SetContent{}, "unknown wrong-type");
    row("madelson, a waiting writer", "k.writer", StringContent{machine1 + "_WRITERWAITING"},
        "unknown -> k.readers");
    row("a job's digest", "uniquejobs:0123456789abcdef0123456789abcdef",
        StringContent{"b4a577edbccf1d805744efa9"},
        "unknown -> uniquejobs:0123456789abcdef0123456789abcdef:LOCKED");
    row("nothing of these", "k", OtherContent{}, "unknown wrong-type");
}

void TestFamilies::partsOfBigOnes()
{
    const auto look = [](const KeyContent &content) {
        return picture(recognize(LockKey("k"), content, milliseconds(30'000), now));
    };
    QCOMPARE(look(HashContent{{{"mode", "read"}, {u + ":1", "1"}}, false}),
             "redisson-read-write " + u + ":1x1r too-big");
    QCOMPARE(look(HashContent{{{u + ":1", "1"}, {u + ":2", "1"}}, false}), "unknown");
    const QByteArray a = "Aq3+/4567890123456789w";
    const QByteArray b = "Bq3+/4567890123456789A";
    const QByteArray id = u + ":1";
    QCOMPARE(look(HashContent{{{a, id}, {b, id}, {a + ':' + id + ":lock_count", "1"}}, false}),
             "redisson-multi " + a + ':' + id + "x1 too-big");
    QCOMPARE(look(SortedSetContent{{{machine1, now}}, false}), "madelson " + machine1 + "x1 too-big");
}

void TestFamilies::besides_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<KeyContent>("content");
    QTest::addColumn<QByteArray>("stands");
    QTest::addColumn<QByteArray>("expected");
    const KeyContent redisson = hash({{u + ":1", "1"}});
    const KeyContent counted = hash({{"me", "1"}});
    const auto row = [](const QByteArray &key, const KeyContent &content, const QByteArray &stands,
                        const QByteArray &expected) {
        QTest::addRow("%s beside %s", stands.constData(), expected.constData())
            << key << content << stands << expected;
    };
    row("k", redisson, "nothing", "redisson");
    row("k", redisson, "queue", "redisson-fair");
    row("k", redisson, "fence", "redisson-fenced");
    row("k", redisson, "handoff", "handoff");
    row("k", redisson, "parent", "redisson");
    row("k", counted, "queue", "reentrant");
    row("k", counted, "handoff", "handoff");
    row("a:b:c:lock", StringContent{u}, "nothing", "token");
    row("a:b:c:lock", StringContent{u}, "parent", "bull");
    row("a:b:c:lock", StringContent{u + ":7"}, "parent", "bullmq");
    row("a:b:c:lock", StringContent{"1"}, "parent", "token");
    row("a:lock", StringContent{u}, "parent", "token");
    row("k", StringContent{"3"}, "semaphore", "redisson-semaphore");
    row("k", StringContent{"3"}, "latch", "redisson-latch");
    row("k", StringContent{u}, "latch", "token");
    row("k", StringContent{hex1}, "semaphore", "token");
}

void TestFamilies::besides()
{
    QFETCH(const QByteArray, key);
    QFETCH(const KeyContent, content);
    QFETCH(const QByteArray, stands);
    Lock lock = lockOf(key, content);
    CompanionState companions;
    const std::map<QByteArray, QList<Family>> implied{{"queue", {"redisson-fair"_family}},
                                                      {"fence", {"redisson-fenced"_family}},
                                                      {"handoff", {"handoff"_family}},
                                                      {"parent", {"bull"_family, "bullmq"_family}},
                                                      {"semaphore", {"redisson-semaphore"_family}},
                                                      {"latch", {"redisson-latch"_family}}};
    if (const auto families = implied.find(stands); families != implied.end()) {
        for (const Family family : families->second)
            companions.implied.insert(family);
    }
    lock.companions = CompanionStatePtr(companions);
    nameByEvidence(lock, now);
    QTEST(QByteArray(specOf(lock.family).name), "expected");
    const Family family = lock.family;
    nameByEvidence(lock, now);
    QCOMPARE(lock.family, family);
}

void TestFamilies::candidates_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const QByteArray &key, const QByteArray &value,
                        const QByteArray &expected) { QTest::newRow(name) << key << value << expected; };
    row("known", "lock", hex1, "");
    row("redlock", "redlock:a", u, "redlock-net pottery");
    row("uuid", "lock:a", u,
        "spring-integration aioredlock redlock-rb microfleet-ioredis-lock murlock upstash-lock");
    row("uuid, no colon", "order", u, "aioredlock redlock-rb microfleet-ioredis-lock murlock upstash-lock");
    row("job", "a:b:c:lock", u,
        "bull spring-integration quartz aioredlock redlock-rb microfleet-ioredis-lock murlock upstash-lock");
    row("job, counted", "a:b:c:lock", u + ":1", "bullmq");
    row("braces", "{app}:a", u,
        "spring-integration hangfire aioredlock redlock-rb microfleet-ioredis-lock murlock upstash-lock");
    row("hex", "a", transaction, "node-redlock redlock-universal");
    row("hex 4", "a", hex4, "node-redlock redlock-universal lock4j");
    row("hex 1, old", "a", "8f060b02c71611ef9d410242ac120002", "redis-py node-redlock redlock-universal");
    row("hex 1, old, django", ":1:a", "8f060b02c71611ef9d410242ac120002",
        "django-redis node-redlock redlock-universal");
    row("40", "a", hex40, "redlock4j");
    row("16", "a", "aB3dE6gH9jK2mN5p", "laravel");
    row("16, no digit", "a", "PxLIhzIYZLleJojo", "laravel go-zero");
    row("16, words", "a", "PaymentProcessed", "");
    row("20", "a", "aB3dE6gH9jK2mN5paB3d", "laravel redis-plus-plus");
    row("16 bytes", "a", base64of16, "redsync");
    row("18 bytes", "a", base64of18, "python-redis-lock");
    row("32 bytes", "a", symfony1, "symfony");
    row("url", "a", url16 + "web", "bsm-redislock");
    row("node", "a", "api-1:1763756015123:0123456789abcdef", "redlock-universal");
    row("home-made", "lock:a", "1", "");
    row("words", "lock:a", "I have it", "");
}

void TestFamilies::candidates()
{
    QFETCH(const QByteArray, key);
    QFETCH(const QByteArray, value);
    QTEST(names(candidatesOf(lockOf(key, StringContent{value}))), "expected");
}

void TestFamilies::candidatesByClient()
{
    const Lock lock = lockOf("lock:a", StringContent{u});
    QCOMPARE(names(candidatesOf(lock, "Lettuce")), "spring-integration");
    QCOMPARE(names(candidatesOf(lock, "ioredis 5.4.1")), "microfleet-ioredis-lock");
    QCOMPARE(names(candidatesOf(lockOf("a", StringContent{base64of16}), "go-redis(,go1.22.3)")), "redsync");
    for (const char *none : {"redis-py", "hiredis", "Lett", ""})
        QCOMPARE(names(candidatesOf(lock, none)), "");
}

void TestFamilies::storedFields()
{
    const QByteArray id = u + ":-5";
    const auto field = [](const QByteArray &owner, HoldMode mode) {
        return storedField({OwnerId(owner), "1", 1, mode}, "redisson-read-write"_family);
    };
    QCOMPARE(field(id, HoldMode::Exclusive), id);
    QCOMPARE(field(id, HoldMode::Read), id);
    QCOMPARE(field(id, HoldMode::Write), id + ":write");
    QCOMPARE(field(id + ':' + transaction, HoldMode::Read), id + ':' + transaction);
    QCOMPARE(field(id + ':' + transaction, HoldMode::Write), id + ":write:" + transaction);
    QCOMPARE(field(symfony1, HoldMode::Write), symfony1);
    for (const QByteArray &suffix :
         {QByteArray(), QByteArray(":write"), ':' + transaction, ":write:" + transaction}) {
        const Recognition found =
            recognize(LockKey("k"), hash({{id + suffix, "1"}, {"mode", "write"}}), {}, now);
        QCOMPARE(storedField(found.owners[0], found.family), id + suffix);
    }
}

/// What a library does by default decides whether a missing expiry is a fault.
void TestFamilies::tables()
{
    QVERIFY(needsExpiry("redisson"_family) && needsExpiry("token"_family) && needsExpiry("shedlock"_family));
    QVERIFY(!needsExpiry("redis-py"_family) && !needsExpiry("sidekiq-unique-jobs"_family) &&
            !needsExpiry("unknown"_family) && !needsExpiry("redisson-semaphore"_family));
    for (const Family family : allFamilies())
        QCOMPARE(familyOf(specOf(family)), family);
}

QTEST_GUILESS_MAIN(TestFamilies)
#include "tst_families.moc"
