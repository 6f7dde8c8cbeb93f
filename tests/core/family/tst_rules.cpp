// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/rules.h"

#include "core/family/certainty.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;

class TestRules : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void appliesTheFirstThatFits_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<KeyType>("type");
        QTest::addColumn<Family>("family");
        QTest::addColumn<Family>("expected");
        const auto row = [](const char *name, const QByteArray &key, Family family, Family expected,
                            KeyType type = KeyType::String) {
            QTest::newRow(name) << key << type << family << expected;
        };
        row("none fits", "lock:a", "token"_family, "token"_family);
        row("fits", "redlock:a", "token"_family, "redlock-net"_family);
        row("the first of two", "redlock:b:1", "token"_family, "pottery"_family);
        row("a likely one is overruled", "redlock:a", "bsm-redislock"_family, "redlock-net"_family);
        row("a certain one is not", "redlock:a", "hangfire"_family, "hangfire"_family);
        row("nor what is no lock", "redlock:a", "unknown"_family, "unknown"_family);
        row("nor a hash", "redlock:a", "reentrant"_family, "reentrant"_family, KeyType::Hash);
        row("nor a sorted set", "redlock:a", "redis-semaphore"_family, "redis-semaphore"_family,
            KeyType::SortedSet);
        row("a rule that can't be", "fair:a", "token"_family, "node-redlock"_family);
        row("nobody's", "mine:a", "laravel"_family, "token"_family);
    }

    void appliesTheFirstThatFits()
    {
        QFETCH(const QByteArray, key);
        QFETCH(const KeyType, type);
        QFETCH(const Family, family);
        const QList<FamilyRule> rules{{"redlock:b:*", "pottery"_family},
                                      {"redlock:*", "redlock-net"_family},
                                      {"fair:*", "redisson-fair"_family},
                                      {"f[a-c]ir:?", "node-redlock"_family},
                                      {"mine:*", "token"_family}};
        Lock lock;
        lock.address.key = LockKey(key);
        lock.type = type;
        lock.family = family;
        lock.evidence = {Evidence::Content, Evidence::Name, Evidence::Lease};
        nameByRules({}, lock);
        QCOMPARE(lock.family, family);
        nameByRules(rules, lock);
        QTEST(lock.family, "expected");
        QCOMPARE(lock.evidence.has(Evidence::Rule), family != lock.family);
    }

    /// The user knows, and so does the value; else one of them may be wrong.
    void isCertainWhereTheValueFits()
    {
        const auto named = [](const QByteArray &value) {
            Lock lock;
            lock.address.key = LockKey("redlock:a");
            lock.type = KeyType::String;
            lock.family = "token"_family;
            lock.owners = {{OwnerId(value), {}, 1}};
            nameByRules({{"redlock:*", "pottery"_family}}, lock);
            return certaintyOf(lock);
        };
        QCOMPARE(named("2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10"), Certainty::Certain);
        QCOMPARE(named("I have it"), Certainty::Likely);
    }
};

QTEST_GUILESS_MAIN(TestRules)
#include "tst_rules.moc"
