// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/rules.h"

#include "core/family/certainty.h"

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
        row("none fits", "lock:a", Family::Token, Family::Token);
        row("fits", "redlock:a", Family::Token, Family::RedLockNet);
        row("the first of two", "redlock:b:1", Family::Token, Family::Pottery);
        row("a likely one is overruled", "redlock:a", Family::BsmRedislock, Family::RedLockNet);
        row("a certain one is not", "redlock:a", Family::Hangfire, Family::Hangfire);
        row("nor what is no lock", "redlock:a", Family::Unknown, Family::Unknown);
        row("nor a hash", "redlock:a", Family::Reentrant, Family::Reentrant, KeyType::Hash);
        row("nor a sorted set", "redlock:a", Family::RedisSemaphore, Family::RedisSemaphore,
            KeyType::SortedSet);
        row("a rule that can't be", "fair:a", Family::Token, Family::NodeRedlock);
        row("nobody's", "mine:a", Family::Laravel, Family::Token);
    }

    void appliesTheFirstThatFits()
    {
        QFETCH(const QByteArray, key);
        QFETCH(const KeyType, type);
        QFETCH(const Family, family);
        const QList<FamilyRule> rules{{"redlock:b:*", Family::Pottery},
                                      {"redlock:*", Family::RedLockNet},
                                      {"fair:*", Family::RedissonFair},
                                      {"f[a-c]ir:?", Family::NodeRedlock},
                                      {"mine:*", Family::Token}};
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
            lock.family = Family::Token;
            lock.owners = {{OwnerId(value), {}, 1}};
            nameByRules({{"redlock:*", Family::Pottery}}, lock);
            return certaintyOf(lock);
        };
        QCOMPARE(named("2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10"), Certainty::Certain);
        QCOMPARE(named("I have it"), Certainty::Likely);
    }
};

QTEST_GUILESS_MAIN(TestRules)
#include "tst_rules.moc"
