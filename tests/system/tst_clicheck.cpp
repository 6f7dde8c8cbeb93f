// SPDX-License-Identifier: GPL-3.0-or-later
// `check` as alerting systems run it: rules, exit status, what it remembers between runs.
#include "tests/support/login.h"
#include "tests/support/rediscluster.h"
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QDir>

using namespace lockscope;

namespace {

const QByteArray uuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7:";
const QByteArray anna = uuid + "1";
const QByteArray bert = uuid + "2";
const QByteArray cleo = uuid + "3";

/// The lines below the summary.
QByteArrayList findingsIn(const Ran &ran)
{
    return ran.out.trimmed().split('\n').sliced(1);
}

QByteArrayList rulesIn(const Ran &ran)
{
    QByteArrayList rules;
    for (const QJsonValue &finding : jsonIn(ran.out)[QStringLiteral("findings")].toArray())
        rules.append(finding[QStringLiteral("rule")].toString().toUtf8() + ' ' +
                     finding[QStringLiteral("lock")][QStringLiteral("key")].toString().toUtf8());
    return rules;
}

} // namespace

class TestCliCheck : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_server.cli({"FLUSHALL"});
        QDir(m_state.path()).removeRecursively();
    }
    void nothingToFind();
    void problemsAreFoundByDefault();
    void noExpiryByRequest();
    void waitersAreCounted();
    void deadlocksAreConfirmed();
    void deadWaitersTakeTime();
    void heldAtEveryCheck();
    void heldSinceItsHolderStoredIt();
    void aStateFileThatMayNotBeUsed();
    void aFindingIsNotLostToWhatIsUnreadable();
    void aLostNodeIsUnknown();
    void theMonitorUserIsEnough();
    void theServerIsJudged();
    void wrongUsage();

private:
    Ran check(const QByteArrayList &words) const
    {
        return CliProgram::on(m_server, QByteArrayList{"check"} + words);
    }
    void fairLock(const QByteArray &key, const QByteArray &owner, const QByteArrayList &waiters)
    {
        m_server.cli({"HSET", key, owner, "1"});
        m_server.cli({"PEXPIRE", key, "600000"});
        m_server.cli(QByteArrayList{"RPUSH", "redisson_lock_queue:{" + key + '}'} + waiters);
    }

    CliProgram m_program;
    QTemporaryDir m_state;
    RedisServer m_server;
};

void TestCliCheck::nothingToFind()
{
    m_server.cli({"SET", "lock:a", "tok-0123456789", "PX", "600000"});
    const Ran ran = check({});
    VERIFY_EXIT(ran, 0);
    QCOMPARE(ran.out, "No findings. Checked: 1 lock.\n");
    QCOMPARE(ran.err, "");
    const Ran json = check({"--json"});
    VERIFY_EXIT(json, 0);
    const QJsonObject document = jsonIn(json.out);
    QCOMPARE(document[QStringLiteral("complete")], QJsonValue(true));
    QCOMPARE(document[QStringLiteral("locks")], QJsonValue(1));
    QCOMPARE(document[QStringLiteral("findings")], QJsonValue(QJsonArray()));

    const Ran unreached = CliProgram::run({"-s", "/nowhere.sock", "check", "--json"});
    VERIFY_EXIT(unreached, 3);
    QVERIFY2(jsonIn(unreached.out).contains(QStringLiteral("error")), unreached.out);
}

void TestCliCheck::problemsAreFoundByDefault()
{
    const QByteArray hostile = "lock:\x1b[31m\xff\n";
    m_server.cli({"HSET", hostile, anna, "none"});
    m_server.cli({"PEXPIRE", hostile, "600000"});
    m_server.cli({"SET", "lock:token", "tok-0123456789"}); // of a library that may give it none
    const Ran ran = check({});
    VERIFY_EXIT(ran, 1);
    QCOMPARE(findingsIn(ran).size(), 2);
    QVERIFY2(findingsIn(ran).last().startsWith("open-no-expiry lock:token: "), ran.out);
    QVERIFY2(findingsIn(ran).first().startsWith("bad-count lock:\\x1b[31m\\xff\\n: ") ||
                 findingsIn(ran).first().startsWith("bad-count lock:\\x1b[31m\\xff\\x0a: "),
             ran.out);
    QVERIFY2(ran.out.startsWith("Findings: 2. Checked: 2 locks. Without expiry, ambiguous: 1 lock.\n"),
             ran.out);
    const Ran json = check({"--json"});
    VERIFY_EXIT(json, 1);
    const QJsonValue finding = jsonIn(json.out)[QStringLiteral("findings")][0];
    QCOMPARE(finding[QStringLiteral("rule")], QJsonValue(QStringLiteral("bad-count")));
    QCOMPARE(finding[QStringLiteral("lock")][QStringLiteral("key_base64")],
             QJsonValue(QString::fromLatin1(hostile.toBase64())));
}

void TestCliCheck::noExpiryByRequest()
{
    m_server.cli({"SET", "lock:token", "tok-0123456789"});
    m_server.cli({"HSET", "lock:bad", anna, "none"});
    m_server.cli({"PEXPIRE", "lock:bad", "600000"});
    const Ran ran = check({"--no-expiry", "--json"});
    VERIFY_EXIT(ran, 1);
    QCOMPARE(rulesIn(ran), QByteArrayList{"no-expiry lock:token"});
    const Ran both = check({"--no-expiry", "--problems", "--json"});
    QCOMPARE(rulesIn(both), (QByteArrayList{"bad-count lock:bad", "no-expiry lock:token"}));
}

void TestCliCheck::waitersAreCounted()
{
    fairLock("lock:fair", anna, {bert, cleo});
    m_server.cli({"SET", "lock:token", "tok-0123456789", "PX", "600000"});
    Ran ran = check({"--max-waiters", "1"});
    VERIFY_EXIT(ran, 1);
    QCOMPARE(findingsIn(ran), QByteArrayList{"max-waiters lock:fair: waiters: 2, limit 1"});
    QVERIFY2(ran.out.contains("Waiters unknown: 1 lock."), ran.out);
    ran = check({"--max-waiters", "2", "--json"});
    VERIFY_EXIT(ran, 0);
    QCOMPARE(jsonIn(ran.out)[QStringLiteral("waiters_unknown")], QJsonValue(1));
}

void TestCliCheck::deadlocksAreConfirmed()
{
    fairLock("lock:a", anna, {bert});
    fairLock("lock:b", bert, {anna});
    fairLock("lock:c", cleo, {anna});
    const Ran ran = check({"--problems", "--json"});
    VERIFY_EXIT(ran, 1);
    const QByteArrayList rules = rulesIn(ran);
    QVERIFY2(rules.contains("deadlock lock:a") && rules.contains("deadlock lock:b") &&
                 !rules.contains("deadlock lock:c"),
             rules.join(", "));
}

/// Nobody is subscribed for the waiter. Of one that left meanwhile nothing is said.
void TestCliCheck::deadWaitersTakeTime()
{
    fairLock("lock:a", anna, {bert, cleo});
    fairLock("lock:b", anna, {cleo});
    QProcess run;
    run.start(CliProgram::path(), {QStringLiteral("-s"), m_server.socketPath(), QStringLiteral("check"),
                                   QStringLiteral("--json")});
    QTRY_VERIFY(m_server.cli({"CLIENT", "LIST"}).contains("name=lockscope-cli"));
    QTRY_VERIFY(m_server.cli({"INFO", "commandstats"}).contains("cmdstat_pubsub"));
    m_server.cli({"DEL", "redisson_lock_queue:{lock:b}"});
    QVERIFY(run.waitForFinished(60'000));
    const Ran ran{run.exitCode(), keptJson("check", run.readAllStandardOutput()), run.readAllStandardError()};
    VERIFY_EXIT(ran, 1);
    QCOMPARE(rulesIn(ran), QByteArrayList{"dead-waiter lock:a"});
}

void TestCliCheck::heldAtEveryCheck()
{
    const QByteArray state = QFile::encodeName(m_state.filePath(QStringLiteral("made/state.json")));
    m_server.cli({"SET", "lock:a", "tok-0123456789", "PX", "600000"});
    const auto run = [&](const QByteArray &most) { return check({"--max-held", most, "--state", state}); };
    const Ran first = run("0");
    VERIFY_EXIT(first, 0);
    QVERIFY2(first.err.contains("not known yet"), first.err);
    QVERIFY2(first.out.contains("Time held: unknown"), first.out);

    m_server.cli({"SET", "lock:b", "another-0123456789", "PX", "600000"});
    const Ran second = run("0");
    VERIFY_EXIT(second, 1);
    QCOMPARE(second.err, "");
    const QRegularExpression line(QStringLiteral(
        "^max-held lock:a: held by tok-0123456789 at every check since [-\\d]+ [:\\d]+ \\(checks: 2, "
        ".*\\), limit 0 ms$"));
    QCOMPARE(findingsIn(second).size(), 1);
    QVERIFY2(line.match(QString::fromUtf8(findingsIn(second).first())).hasMatch(), second.out);
    VERIFY_EXIT(run("3600"), 0);

    const Ran json = check({"--max-held", "0", "--json", "--state", state});
    VERIFY_EXIT(json, 1);
    QCOMPARE(rulesIn(json), (QByteArrayList{"max-held lock:a", "max-held lock:b"}));
    const QJsonValue finding = jsonIn(json.out)[QStringLiteral("findings")][0];
    QCOMPARE(finding[QStringLiteral("checks")], QJsonValue(4));
    QVERIFY(finding[QStringLiteral("since")].toInteger() + finding[QStringLiteral("held_ms")].toInteger() ==
            jsonIn(json.out)[QStringLiteral("at")].toInteger());
    // Another owner has not held it since then.
    m_server.cli({"SET", "lock:a", "third-0123456789", "PX", "600000"});
    QCOMPARE(rulesIn(check({"--max-held", "0", "--json", "--state", state})),
             QByteArrayList{"max-held lock:b"});

    // Where nothing is said of a file, each server and each set of patterns has its own.
    const QString own = QFileInfo(m_program.auditPath()).path();
    VERIFY_EXIT(check({"--max-held", "5"}), 0);
    VERIFY_EXIT(check({"--max-held", "5", "--pattern", "lock:*"}), 0);
    QCOMPARE(QDir(own).entryList({QStringLiteral("check-*.json")}).size(), 2);
}

void TestCliCheck::heldSinceItsHolderStoredIt()
{
    const QByteArray state = QFile::encodeName(m_state.filePath(QStringLiteral("stored.json")));
    const auto at = [](qint64 ago) {
        return QDateTime::currentDateTimeUtc().addSecs(-ago).toString(Qt::ISODateWithMs).toLatin1();
    };
    m_server.cli({"SET", "job-lock:old", "ADDED:" + at(600) + "@web-1", "PX", "600000"});
    m_server.cli({"SET", "job-lock:ahead", "ADDED:" + at(-600) + "@web-1", "PX", "600000"});
    const Ran first = check({"--max-held", "60", "--state", state});
    VERIFY_EXIT(first, 1);
    QCOMPARE(findingsIn(first).size(), 1);
    const QRegularExpression line(
        QStringLiteral("^max-held job-lock:old: held by ADDED:\\S+ since [-\\d]+ [:\\d]+ by "
                       "its own clock \\(10 min .*\\), limit 1 min 0 s$"));
    QVERIFY2(line.match(QString::fromUtf8(findingsIn(first).first())).hasMatch(), first.out);
    const Ran json = check({"--max-held", "60", "--json", "--state", state});
    QCOMPARE(rulesIn(json), QByteArrayList{"max-held job-lock:old"});
    const QJsonObject finding = jsonIn(json.out)[QStringLiteral("findings")][0].toObject();
    QVERIFY(finding[QStringLiteral("held_ms")].toInteger() >= 600'000);
    QVERIFY(!finding.contains(QStringLiteral("checks")));
}

void TestCliCheck::aStateFileThatMayNotBeUsed()
{
    QVERIFY(QDir().mkpath(m_state.path()));
    const QString path = m_state.filePath(QStringLiteral("state.json"));
    const auto write = [&](const QByteArray &content) {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner))
            qFatal("can't write %s", qPrintable(path));
        file.write(content);
    };
    m_server.cli({"SET", "lock:a", "tok-0123456789"});
    write(R"({"at":1700000000000,"holds":{"Fx5)");
    const Ran torn = check({"--max-held", "1", "--state", QFile::encodeName(path)});
    VERIFY_EXIT(torn, 0);
    QVERIFY2(torn.err.contains("was damaged"), torn.err);
    const QByteArray notes = "to do: all\n";
    write(notes);
    const Ran foreign = check({"--max-held", "1", "--state", QFile::encodeName(path)});
    VERIFY_EXIT(foreign, 3);
    QVERIFY2(foreign.err.contains("not a file of checks") && !foreign.err.contains("replaced"), foreign.err);
    QFile left(path);
    QVERIFY(left.open(QIODevice::ReadOnly));
    QCOMPARE(left.readAll(), notes);
    const QByteArray later = R"({"version":2})";
    write(later);
    const Ran newer = check({"--max-held", "1", "--json", "--state", QFile::encodeName(path)});
    VERIFY_EXIT(newer, 3);
    QVERIFY2(newer.err.contains("newer Lockscope"), newer.err);
    QCOMPARE(jsonIn(newer.out)[QStringLiteral("held_known")], QJsonValue(false));
    // What other rules find is found.
    VERIFY_EXIT(check({"--max-held", "1", "--no-expiry", "--state", QFile::encodeName(path)}), 1);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), later);
}

void TestCliCheck::aFindingIsNotLostToWhatIsUnreadable()
{
    m_server.cli({"HSET", "lock:h", anna, "none"});
    m_server.cli({"PEXPIRE", "lock:h", "600000"});
    m_server.cli({"SET", "secret:lock", "tok-0123456789", "PX", "600000"});
    Login login(m_server, {"~lock:*", "~redisson_lock_*"});
    Ran ran = CliProgram::on(m_server, login.options() + QByteArrayList{"check", "--json"});
    VERIFY_EXIT(ran, 1);
    QCOMPARE(jsonIn(ran.out)[QStringLiteral("complete")], QJsonValue(false));
    QCOMPARE(jsonIn(ran.out)[QStringLiteral("unreadable")], QJsonValue(1));
    QVERIFY2(ran.err.contains("1 key cannot be read"), ran.err);
    m_server.cli({"DEL", "lock:h"});
    ran = CliProgram::on(m_server, login.options() + QByteArrayList{"check"});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.out.startsWith("Checked: 0 locks. Incomplete"),
             ran.out); // what was not read may be anything
}

void TestCliCheck::aLostNodeIsUnknown()
{
    RedisCluster cluster(3, false, RedisCluster::Coverage::Partial);
    for (int i = 0; i < 3; ++i)
        cluster.node(i).cli({"SET", cluster.keyOn(cluster.node(i), "lock:%1"), "tok-0123456789"});
    Ran ran = CliProgram::on(cluster.node(0), {"check", "--no-expiry", "--json"});
    VERIFY_EXIT(ran, 1);
    QCOMPARE(rulesIn(ran).size(), 3);
    cluster.node(1).kill();
    ran = CliProgram::on(cluster.node(0), {"check", "--no-expiry", "--json"});
    VERIFY_EXIT(ran, 1);
    QCOMPARE(rulesIn(ran).size(), 2);
    QCOMPARE(jsonIn(ran.out)[QStringLiteral("complete")], QJsonValue(false));
    VERIFY_EXIT(CliProgram::on(cluster.node(0), {"check"}), 1);
    VERIFY_EXIT(CliProgram::on(cluster.node(0), {"check", "--allow-open-no-expiry"}), 3);
}

void TestCliCheck::theMonitorUserIsEnough()
{
    const Ran line = CliProgram::run({"acl", "monitor"});
    VERIFY_EXIT(line, 0);
    QCOMPARE(m_server.cli(line.out.trimmed().split(' ')), "OK");
    fairLock("lock:a", anna, {bert});
    fairLock("lock:b", bert, {anna});
    m_server.cli({"ACL", "LOG", "RESET"});
    const Ran ran = CliProgram::on(m_server, {"--user", "monitor", "-a", "choose-a-password", "check",
                                              "--json", "--problems", "--max-held", "1", "--state",
                                              QFile::encodeName(m_state.filePath(QStringLiteral("s")))});
    VERIFY_EXIT(ran, 1);
    QVERIFY2(rulesIn(ran).contains("deadlock lock:a"), ran.out);
    QCOMPARE(m_server.cli({"ACL", "LOG"}), "");
}

void TestCliCheck::theServerIsJudged()
{
    RedisServer server({QStringLiteral("--maxmemory"), QStringLiteral("100mb"),
                        QStringLiteral("--maxmemory-policy"), QStringLiteral("allkeys-lru")});
    const Ran json = CliProgram::on(server, {"check", "--server", "--json"});
    VERIFY_EXIT(json, 1);
    const QJsonObject worst =
        jsonIn(json.out)[QStringLiteral("nodes")][0][QStringLiteral("checks")][0].toObject();
    QCOMPARE(worst[QStringLiteral("check")].toString(), QStringLiteral("eviction"));
    QCOMPARE(worst[QStringLiteral("level")].toString(), QStringLiteral("risk"));
    const Ran text = CliProgram::on(server, {"check", "--server"});
    VERIFY_EXIT(text, 1);
    QVERIFY2(text.out.contains("\nrisk     eviction     A full server evicts any key (allkeys-lru)."),
             text.out);
    VERIFY_EXIT(CliProgram::on(server, {"check", "--server", "--max-held", "5"}), 2);
    Login login(server, {"-info"});
    VERIFY_EXIT(CliProgram::on(server, login.options() + QByteArrayList{"check", "--server"}), 3);
}

void TestCliCheck::wrongUsage()
{
    for (const QByteArrayList &words :
         {QByteArrayList{"--max-held", "soon"}, {"--max-waiters", "-1"}, {"--state", "f"}, {"--all"}, {"k"}})
        VERIFY_EXIT(check(words), 2);
}

QTEST_GUILESS_MAIN(TestCliCheck)
#include "tst_clicheck.moc"
