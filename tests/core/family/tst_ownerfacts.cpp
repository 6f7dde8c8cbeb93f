// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/ownerfacts.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;

namespace {

/// "name=value …" of what is told.
QByteArray picture(const OwnerFacts &facts)
{
    QByteArrayList parts;
    if (facts.sinceMs)
        parts += (facts.sinceIsTry ? "tries=" : "since=") + QByteArray::number(*facts.sinceMs);
    const std::pair<const char *, QByteArray> named[] = {
        {"client", facts.client},   {"thread", facts.thread},     {"host", facts.host},
        {"process", facts.process}, {"node", facts.node},         {"job", facts.job},
        {"worker", facts.worker},   {"metadata", facts.metadata}, {"transaction", facts.transaction},
        {"part", facts.part},       {"permit", facts.permit},     {"class", facts.jobClass},
        {"queue", facts.queue},
    };
    for (const auto &[name, value] : named) {
        if (!value.isEmpty())
            parts += name + ('=' + value);
    }
    return parts.join(' ');
}

constexpr const char *u = "2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10";
constexpr const char *hex = "0123456789abcdef0123456789abcdef";

} // namespace

class TestOwnerFacts : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void tellsWhatAnOwnerTells_data()
    {
        QTest::addColumn<Family>("family");
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("owner");
        QTest::addColumn<QByteArray>("expected");
        QTest::addColumn<QByteArray>("identity");
        const QByteArray id = u;
        const auto row = [](const char *name, Family family, const QByteArray &key, const QByteArray &owner,
                            const QByteArray &expected, const QByteArray &identity = {}) {
            QTest::newRow(name) << family << key << owner << expected << identity;
        };
        row("redisson", "redisson"_family, "k", id + ":53", "client=" + id + " thread=53", id + ":53");
        row("redisson, negative thread", "redisson-fair"_family, "k", id + ":-53",
            "client=" + id + " thread=-53", id + ":-53");
        row("redisson, transaction", "redisson-read-write"_family, "k", id + ":53:" + hex,
            "client=" + id + " thread=53 transaction=" + hex, id + ":53");
        row("redisson, a writer in the queue", "redisson-read-write"_family, "k", id + ":53:write",
            "client=" + id + " thread=53", id + ":53");
        row("redisson multi", "redisson-multi"_family, "k", "Aq3+/4567890123456789w:" + id + ":7",
            "client=" + id + " thread=7 part=Aq3+/4567890123456789w", id + ":7");
        row("reentrant", "reentrant"_family, "k", "host-1:2", "", "host-1:2");
        row("handoff", "handoff"_family, "k", "host-1:2", "", "host-1:2");
        row("handoff, named as Redisson does", "handoff"_family, "k", id + ":2", "client=" + id + " thread=2",
            id + ":2");
        // uuid.uuid1() at a known moment, by Python.
        row("redis-py", "redis-py"_family, "k", "8f060b02c71611f09d410242ac120002",
            "tries=1763756015123 node=0242ac120002");
        row("redis-py, token of its own", "redis-py"_family, "k", "mine", "");
        row("redis-py, version 4", "redis-py"_family, "k", "0123456789ab4def8123456789abcdef", "");
        row("shedlock", "shedlock"_family, "job-lock:default:a", "ADDED:2025-11-21T20:13:35.123Z@web-1",
            "since=1763756015123 host=web-1");
        row("shedlock, full second, UUID", "shedlock"_family, "k",
            "ADDED:2025-11-21T20:13:35.000Z@web-1:" + id, "since=1763756015000 host=web-1");
        row("shedlock, IPv6", "shedlock"_family, "k", "ADDED:2025-11-21T20:13:35.120Z@fe80::1:" + id,
            "since=1763756015120 host=fe80::1");
        row("shedlock, no such day", "shedlock"_family, "k", "ADDED:2025-02-30T20:13:35.000Z@h", "");
        row("bullmq", "bullmq"_family, "bull:mail:42:lock", id + ":7", "client=" + id + " job=42 worker=7");
        row("bullmq, repeats", "bullmq"_family, "{my:app}:mail:repeat:5f:1700000000000:lock", id + ":7",
            "client=" + id + " job=repeat:5f:1700000000000 worker=7");
        row("bull", "bull"_family, "bull:mail:a:b:lock", id, "client=" + id + " job=a:b");
        row("sidekiq", "sidekiq-unique-jobs"_family, "k", "b4a577edbccf1d805744efa9",
            "job=b4a577edbccf1d805744efa9", "b4a577edbccf1d805744efa9");
        row("a permit", "redisson-semaphore"_family, "k",
            QByteArray::fromHex("ff03a1c9e7205b4d8f1122b3c4d5e600"),
            "permit=ff03a1c9e7205b4d8f1122b3c4d5e600");
        row("what is free", "redisson-semaphore"_family, "k", "3", "");
        row("madelson", "madelson"_family, "k", "WEB_01_4711_0123456789ab4def8123456789abcdef",
            "host=WEB_01 process=4711");
        row("madelson, waits", "madelson"_family, "k",
            "web_4711_0123456789ab4def8123456789abcdef_WRITERWAITING", "host=web process=4711");
        row("bsm", "bsm-redislock"_family, "k", "pWLr3bq0Jx-A_9fK2mZ5cQ{\"pod\":1}", "metadata={\"pod\":1}");
        row("redlock-universal", "redlock-universal"_family, "k", "api-1:1763756015123:0123456789abcdef",
            "tries=1763756015123 host=api-1");
        row("hangfire", "hangfire"_family, "{hangfire}:k", id, "client=" + id);
        row("spring", "spring-integration"_family, "r:k", id, "client=" + id);
        row("redis-semaphore", "redis-semaphore"_family, "mutex:k", id + "-web1", "metadata=web1");
        row("quartz", "quartz"_family, "trigger_lock:g:n", "node-1", "client=node-1");
        row("node-redlock", "node-redlock"_family, "k", hex, "");
        row("short", "redisson-multi"_family, "k", "x", "");
        row("weak", "reentrant"_family, "k", "1", "");
        row("strong", "reentrant"_family, "k", "web-1:7", "", "web-1:7");
    }

    void tellsWhatAnOwnerTells()
    {
        QFETCH(const Family, family);
        QFETCH(const QByteArray, key);
        QFETCH(const QByteArray, owner);
        QTEST(picture(ownerFacts(family, LockKey(key), OwnerId(owner))), "expected");
        QTEST(threadIdentity(family, OwnerId(owner)), "identity");
    }

    void tellsWhatStandsBesideAnOwner()
    {
        Lock lock;
        lock.address.key = LockKey("uniquejobs:x:LOCKED");
        lock.family = "sidekiq-unique-jobs"_family;
        OwnerFacts recorded;
        recorded.sinceMs = 1'763'756'015'120;
        recorded.job = "another";
        LockOwner holder{
            OwnerId("b4a577edbccf1d805744efa9"), {}, 1, HoldMode::Exclusive, SharedValue(recorded)};
        CompanionState companions;
        OwnerFacts info;
        info.jobClass = "ReportJob";
        info.queue = "low";
        info.sinceMs = 1'700'000'000'000;
        companions.facts = SharedValue(info);
        lock.companions = CompanionStatePtr(companions);
        // What is nearer to the owner counts.
        QCOMPARE(picture(ownerFacts(lock, holder)),
                 QByteArray("since=1763756015120 job=b4a577edbccf1d805744efa9 class=ReportJob queue=low"));
        companions.startedMs = 1'763'756'016'000; // the job's own
        lock.companions = CompanionStatePtr(companions);
        QCOMPARE(ownerFacts(lock, holder).sinceMs, CompactOptional<qint64>(1'763'756'016'000));
    }

    void anAcquisitionCountsMoreThanATry()
    {
        OwnerFacts tried;
        tried.sinceMs = 1;
        tried.sinceIsTry = true;
        OwnerFacts since;
        since.sinceMs = 2;
        OwnerFacts facts = tried;
        addFacts(facts, since);
        QCOMPARE(picture(facts), QByteArray("since=2"));
        addFacts(facts, tried);
        QCOMPARE(picture(facts), QByteArray("since=2"));
    }

    void survivesAnyOwner()
    {
        for (const Family family : allFamilies()) {
            for (const QByteArray owner :
                 {"", "ADDED:", "ADDED:2025-11-21T@h", "ADDED:0000-00-00T@", "_", ":", "a_1_"})
                ownerFacts(family, LockKey(""), OwnerId(owner));
        }
    }
};

QTEST_GUILESS_MAIN(TestOwnerFacts)
#include "tst_ownerfacts.moc"
