// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/familymessages.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;

class TestFamilyWords : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("TZ", "Asia/Shanghai"); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void everyFamilyHasItsOwnWords();
    void everyCertaintyHasItsOwnWords();
    void tellsFacts();
    void escapesFacts();
    void joinsCandidates();
};

void TestFamilyWords::everyFamilyHasItsOwnWords()
{
    QSet<QString> seen;
    for (const Family family : allFamilies())
        seen.insert(describe(family));
    QCOMPARE(seen.size(), allFamilies().size());
    QVERIFY(!seen.contains(QString()));
    QCOMPARE(describe("redisson-fair"_family), QStringLiteral("Redisson fair lock"));
    QCOMPARE(describe("bullmq"_family), QStringLiteral("BullMQ job lock"));
}

void TestFamilyWords::everyCertaintyHasItsOwnWords()
{
    Lock lock;
    QCOMPARE(certaintyInWords(lock), QStringLiteral("no family fits"));
    lock.family = "redis-py"_family;
    QVERIFY(certaintyInWords(lock).startsWith(QStringLiteral("ambiguous")));
    const Proof &proof = specOf(lock.family).proof;
    lock.evidence = *proof.likely.begin();
    QVERIFY(certaintyInWords(lock).startsWith(QStringLiteral("likely")));
    lock.evidence = *proof.certain.begin();
    QVERIFY(certaintyInWords(lock).startsWith(QStringLiteral("certain")));
}

void TestFamilyWords::tellsFacts()
{
    QVERIFY(describe(OwnerFacts()).isEmpty());
    OwnerFacts facts;
    facts.sinceMs = 1'763'756'015'123;
    facts.host = "web-1";
    facts.process = "4711";
    QCOMPARE(describe(facts),
             (QStringList{QStringLiteral("acquired at 2025-11-22 04:13:35.123 UTC+08:00 (its clock)"),
                          QStringLiteral("host web-1"), QStringLiteral("process 4711")}));
    facts = {};
    facts.sinceMs = 1'763'756'015'123;
    facts.sinceIsTry = true;
    facts.node = "0242ac120002";
    QCOMPARE(describe(facts),
             (QStringList{QStringLiteral("first tried at 2025-11-22 04:13:35.123 UTC+08:00 (its clock)"),
                          QStringLiteral("network address 02:42:ac:12:00:02")}));
    facts = {};
    facts.node = "0342ac120002";
    QVERIFY(describe(facts)[0].startsWith(QStringLiteral("node 03:42:ac:12:00:02 (")));
    facts = {};
    facts.client = facts.thread = facts.transaction = facts.job = facts.worker = facts.part = facts.metadata =
        "x";
    QCOMPARE(describe(facts).size(), 7);
}

void TestFamilyWords::escapesFacts()
{
    OwnerFacts facts;
    facts.host = "a\n%1\xff";
    QCOMPARE(describe(facts), QStringList(QStringLiteral("host a\\x0a%1\\xff")));
}

void TestFamilyWords::joinsCandidates()
{
    QCOMPARE(candidatesInWords({}), QString());
    QCOMPARE(candidatesInWords({"laravel"_family}), QStringLiteral("Laravel cache lock"));
    QCOMPARE(candidatesInWords({"redlock-net"_family, "pottery"_family}),
             QStringLiteral("RedLock.net lock or pottery lock"));
    QCOMPARE(candidatesInWords({"node-redlock"_family, "redlock-universal"_family, "lock4j"_family}),
             QStringLiteral("node-redlock lock, redlock-universal lock or Lock4j lock"));
}

QTEST_GUILESS_MAIN(TestFamilyWords)
#include "tst_familymessages.moc"
