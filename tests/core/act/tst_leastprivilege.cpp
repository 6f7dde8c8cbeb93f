// SPDX-License-Identifier: GPL-3.0-or-later
// The permissions that are computed: what they come to for patterns, and that nothing that is sent is left out.
#include "core/act/aclcheck.h"
#include "core/act/leastprivilege.h"
#include "core/base/glob.h"
#include "core/family/registry.h"
#include "core/redis/command.h"
#include "tests/support/redisserver.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>

using namespace lockscope;

namespace {

QByteArrayList keyRules(AclRole role, const QList<QByteArray> &patterns, AclServer server = AclServer::Redis7)
{
    QByteArrayList rules;
    for (const AclRights::Key &key : aclRights({role, server, patterns}).keys)
        rules.append(keyRule(key, server));
    return rules;
}

} // namespace

class TestLeastPrivilege : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void keysOfPatterns_data();
    void keysOfPatterns();
    void everyPatternIsEnough();
    void serversDiffer();
    void everyCompanionCommandIsGranted();
    void scriptsCallNothingElse();
    void everyCommandExists();
    void channels();
    void strangePatternsStayOneWord();
    void namesMatch_data();
    void namesMatch();
};

void TestLeastPrivilege::keysOfPatterns_data()
{
    QTest::addColumn<AclRole>("role");
    QTest::addColumn<QByteArrayList>("patterns");
    QTest::addColumn<QByteArrayList>("there");
    QTest::addColumn<QByteArrayList>("notThere");
    const auto row = [](const char *name, AclRole role, const QByteArrayList &patterns,
                        const QByteArrayList &there, const QByteArrayList &notThere) {
        QTest::newRow(name) << role << patterns << there << notThere;
    };
    const AclRole reads = AclRole::Monitor;
    const AclRole acts = AclRole::Operator;
    row("a prefix", reads, {"lock:*"}, {"%R~lock:*", "%R~redisson_lock_queue:*", "%R~{lock:*}:timeout"},
        {"~lock:*", "%R~*", "%R~", "%R~lock:*:handoff:queue", "%R~bull:*:*", "%R~*.writer"});
    row("a suffix", reads, {"*:lock"},
        {"%R~*:lock", "%R~*:lock:handoff:queue", "%R~bull:*:*", "%R~*{*}*:lock:timeout"}, {"%R~*", "%R~*:*"});
    row("jobs", reads, {"bull:*:lock"}, {"%R~bull:*:*"}, {"%R~bull:*:lock", "%R~*", "%R~rq:scheduler:*"});
    row("jobs of another prefix", reads, {"{jobs}:*:lock"}, {"%R~{jobs}:*:*"}, {"%R~bull:*:*", "%R~*"});
    row("readers", reads, {"*.readers"}, {"%R~*.writer"}, {"%R~bull:*:*"});
    row("readers of one name", reads, {"app.*"}, {"%R~app.*"}, {"%R~*.writer", "%R~app.*.writer"});
    row("schedulers", reads, {"rq:scheduler-lock:*"}, {"%R~rq:scheduler:*"}, {"%R~*.writer"});
    row("digests", acts, {"uniquejobs:*"}, {"~uniquejobs:*"}, {"~uniquejobs:digests"});
    row("digests alone", acts, {"uniquejobs:*:LOCKED"}, {"~uniquejobs:*"}, {"~*", "~uniquejobs:*:LOCKED"});
    row("everything", acts, {"*"}, {"~*"}, {"~lock-signal:*", "~redisson:events"});
    row("one name", acts, {"lock:a"}, {"~lock:a", "~lock-signal:a", "~{lock:a}:*:rwlock_timeout:*"},
        {"~lock:*"});
    row("braces", acts, {"{a}:*"}, {"~{a}:*", "~redisson_lock_queue:*"}, {"~*"});
    row("what is written is not also read", acts, {"lock:*"}, {"~redisson_lock_queue:*", "%R~{lock:*}"},
        {"%R~redisson_lock_queue:*", "%R~lock:*"});
}

void TestLeastPrivilege::keysOfPatterns()
{
    QFETCH(const AclRole, role);
    QFETCH(const QByteArrayList, patterns);
    QFETCH(const QByteArrayList, there);
    QFETCH(const QByteArrayList, notThere);
    const QByteArrayList rules = keyRules(role, patterns);
    for (const QByteArray &rule : there)
        QVERIFY2(rules.contains(rule), rule + " is not in " + rules.join(' '));
    for (const QByteArray &rule : notThere)
        QVERIFY2(!rules.contains(rule), rule + " is in " + rules.join(' '));
}

/// Whatever the patterns: those of the role that acts include those of the one that reads.
void TestLeastPrivilege::everyPatternIsEnough()
{
    for (const QByteArray pattern :
         {"lock:*", "*:lock", "*", "?a[bc]*", "a*b*c", "\\*x*", "{t}*", "rq:*", ""}) {
        const QList<AclRights::Key> writes =
            aclRights({AclRole::Operator, AclServer::Redis7, {pattern}}).keys;
        for (const AclRights::Key &read : aclRights({AclRole::Monitor, AclServer::Redis7, {pattern}}).keys) {
            const QByteArray name = nameMatching(read.pattern, "some:name");
            const bool isCovered = std::ranges::any_of(
                writes, [&](const AclRights::Key &key) { return globMatches(key.pattern, name); });
            QVERIFY2(isCovered, pattern + ": " + read.pattern);
        }
    }
}

void TestLeastPrivilege::serversDiffer()
{
    const auto line = [](AclServer server, bool isCluster = false) {
        const AclRequest request{AclRole::Operator, server, {"lock:*"}, isCluster};
        return ' ' + aclRules(aclRights(request), request).join(' ') + ' ';
    };
    const QByteArray six = line(AclServer::Redis6, true);
    for (const char *unknown :
         {"%R~", " &", "resetchannels", "spublish", "shardnumsub", "hpttl", "cluster|shards"})
        QVERIFY2(!six.contains(unknown), unknown);
    QVERIFY(line(AclServer::Redis8).contains(" +hpttl "));
    QVERIFY(!line(AclServer::Redis7).contains("hpttl"));
    QCOMPARE(line(AclServer::Valkey), line(AclServer::Redis7));
    QVERIFY(!line(AclServer::Redis7).contains("cluster|"));
    QVERIFY(line(AclServer::Redis7, true).contains(" +cluster|slots "));
    QCOMPARE(aclServerOf("redis", 6, 2), AclServer::Redis6);
    QCOMPARE(aclServerOf("redis", 7, 0), AclServer::Redis7);
    QCOMPARE(aclServerOf("redis", 7, 4), AclServer::Redis8);
    QCOMPARE(aclServerOf("redis", 8, 0), AclServer::Redis8);
    QCOMPARE(aclServerOf("valkey", 7, 2), AclServer::Valkey);
}

void TestLeastPrivilege::everyCompanionCommandIsGranted()
{
    const QList<QByteArray> granted = aclRights({AclRole::Monitor, AclServer::Redis8, {"lock:*"}}).commands;
    for (const Family family : familiesWithCompanions()) {
        const Companions &companions = specOf(family).companions;
        for (const auto &queries : {companions.queries, companions.later}) {
            for (const CompanionQuery *query : queries) {
                for (const QByteArrayView command : query->commands)
                    QVERIFY2(granted.contains(command.toByteArray()), command.data());
            }
        }
    }
}

/// Any word in capitals that a script names is a command that was found in it, or one of few options.
void TestLeastPrivilege::scriptsCallNothingElse()
{
    const QSet<QByteArray> options{"PX", "NX", "MAXLEN", "FIELDS", "NUMSUB", "SHARDNUMSUB"};
    const QList<QByteArray> granted = aclRights({AclRole::Operator, AclServer::Redis8, {"lock:*"}}).commands;
    QDirIterator scripts(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lua"), {QStringLiteral("*.lua")}, QDir::Files,
                         QDirIterator::Subdirectories);
    static const QRegularExpression word(QStringLiteral("'([A-Z]{2,})'"));
    int found = 0;
    while (scripts.hasNext()) {
        QFile file(scripts.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto words = word.globalMatch(QString::fromUtf8(file.readAll()));
        while (words.hasNext()) {
            const QByteArray name = words.next().captured(1).toLatin1();
            const bool isContainer = std::ranges::any_of(
                granted, [&](const QByteArray &command) { return command.startsWith(name.toLower() + '|'); });
            QVERIFY2(options.contains(name) || isContainer || granted.contains(name.toLower()),
                     name + " in " + file.fileName().toUtf8());
            ++found;
        }
    }
    QVERIFY(found > 100);
    QCOMPARE(commandsOfScript("-- call('DEL')\nredis.pcall(a and 'ZADD' or 'SADD', 'XX')\ntry('GET', 'SET')"),
             (QList<QByteArray>{"zadd", "sadd", "get"}));
}

/// A server refuses the whole line for one that it does not know.
void TestLeastPrivilege::everyCommandExists()
{
    const RedisServer server;
    const ServerInfo known = serverInfoFrom(server.cli({"INFO", "server"}), {});
    for (const AclRole role : {AclRole::Monitor, AclRole::Operator}) {
        const AclRequest request{
            role, aclServerOf(known.name, known.major, known.minor), {"lock:*"}, true, true};
        QCOMPARE(server.cli(QByteArrayList{"ACL", "SETUSER", "one"} + aclRules(aclRights(request), request)),
                 "OK");
    }
}

void TestLeastPrivilege::channels()
{
    const AclRights rights = aclRights({AclRole::Operator, AclServer::Redis7, {"lock:*"}});
    QCOMPARE(rights.heard, QList<QByteArray>{"__redis__:invalidate"});
    for (const char *channel : {"redisson_lock__channel:{lock:a}", "redisson_lock__channel:lock:{a}",
                                "redisson_lock__channel:{lock:a}:u:1", "redisson_rwlock:{lock:a}",
                                "lock:a:handoff:wake:u:1", "lock-channel:lock:a"}) {
        QVERIFY2(globMatchesAny(rights.told, channel), channel);
    }
    QVERIFY(!globMatchesAny(rights.told, "news"));
    QCOMPARE(aclRights({AclRole::Monitor, AclServer::Redis7, {"lock:*"}}).told, QList<QByteArray>());
}

void TestLeastPrivilege::strangePatternsStayOneWord()
{
    const AclRequest request{AclRole::Operator, AclServer::Redis7, {"my lock\n*", "\"a'\xff*"}};
    for (const QByteArray &rule : aclRules(aclRights(request), request)) {
        QVERIFY2(
            std::ranges::all_of(rule, [](char c) { return c > ' ' && c <= '~' && c != '"' && c != '\''; }),
            rule.constData());
    }
    QVERIFY(keyRules(AclRole::Operator, request.patterns).contains("~my?lock?*"));
}

void TestLeastPrivilege::namesMatch_data()
{
    QTest::addColumn<QByteArray>("glob");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("open") << QByteArray("a*b") << QByteArray("aXYb");
    QTest::newRow("one") << QByteArray("a?b") << QByteArray("axb");
    QTest::newRow("a set") << QByteArray("a[c-e]*") << QByteArray("acXY");
    QTest::newRow("escaped") << QByteArray("a\\*\\[") << QByteArray("a*[");
    QTest::newRow("nothing") << QByteArray("") << QByteArray("");
}

void TestLeastPrivilege::namesMatch()
{
    QFETCH(const QByteArray, glob);
    QTEST(nameMatching(glob, "XY"), "name");
}

QTEST_GUILESS_MAIN(TestLeastPrivilege)
#include "tst_leastprivilege.moc"
