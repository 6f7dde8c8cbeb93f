// SPDX-License-Identifier: GPL-3.0-or-later
// Error texts as servers of several versions send them: which of them prove that a script wrote nothing.
#include "core/redis/scripterror.h"

#include <QtTest>

using namespace lockscope;

class TestScriptError : public QObject
{
    Q_OBJECT

private slots:
    void provesItOrNot_data();
    void provesItOrNot();
    void whatWasNotSentDidNothing();
};

void TestScriptError::provesItOrNot_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("proves");
    const auto row = [](const char *name, const char *text, bool proves) {
        QTest::newRow(name) << QByteArray(text) << proves;
    };
    row("6.0: command", "NOPERM this user has no permissions to run the 'evalsha' command or its subcommand",
        true);
    row("7.0: command", "NOPERM this user has no permissions to run the 'evalsha' command", true);
    row("8.0: command", "NOPERM User mo has no permissions to run the 'evalsha' command", true);
    row("7.0: key", "NOPERM this user has no permissions to access one of the keys used as arguments", true);
    row("8.0: key", "NOPERM No permissions to access a key", true);
    row("login", "NOAUTH Authentication required.", true);
    row("loading", "LOADING Redis is loading the dataset in memory", true);
    row("busy", "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
        true);
    row("moved", "MOVED 3999 127.0.0.1:6381", true);
    row("ask", "ASK 3999 127.0.0.1:6381", true);
    row("try again", "TRYAGAIN Multiple keys request during rehashing of slot", true);
    row("cluster down", "CLUSTERDOWN The cluster is down", true);
    row("slots", "CROSSSLOT Keys in request don't hash to the same slot", true);
    row("unknown command", "ERR unknown command 'EVALSHA', with args beginning with: 'a' ", true);
    row("number of arguments", "ERR wrong number of arguments for 'evalsha' command", true);
    row("Garnet, without scripts", "ERR This instance has Lua scripting support disabled", true);
    row("Dragonfly, in the script",
        "ERR Error running script (call to f_1): @user_script:9: script tried accessing undeclared key",
        false);
    row("not compiled", "ERR Error compiling script (new function): user_script:1: '=' expected near 'is'",
        true);
    row("memory, at the door", "OOM command not allowed when used memory > 'maxmemory'.", true);
    row("replica", "READONLY You can't write against a read only replica.", true);
    row("replica, in the script",
        "READONLY You can't write against a read only replica. script: "
        "8b2ae6dd76cda7fc3e27f97431ae27d7b08a221d, "
        "on @user_script:1.",
        true);
    row("6.0: replica, in the script",
        "ERR Error running script (call to f_8b2ae6dd76cda7fc3e27f97431ae27d7b08a221d): @user_script:1: "
        "@user_script: 1: -READONLY You can't write against a read only replica.",
        true);
    row("disk",
        "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
        true);
    row("replicas", "NOREPLICAS Not enough good replicas to write.", true);
    row("master", "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", true);

    row("7.0: permission in the script",
        "ERR The user executing the script can't run this command or subcommand script: "
        "c93099418cededd7ea494701574acb65aeb9de1e, on @user_script:1.",
        false);
    row("8.0: permission in the script",
        "ERR ACL failure in script: User a has no permissions to run the 'publish' command script: "
        "c93099418cededd7ea494701574acb65aeb9de1e, on @user_script:1.",
        false);
    row("7.2: the same with a code",
        "NOPERM ACL failure in script: User a has no permissions to run 'publish'", false);
    row("6.0: permission in the script",
        "ERR Error running script (call to f_496368505412ccb8a568d43cf5c46b9910905b08): @user_script:1: "
        "@user_script: 1: The user executing the script can't access at least one of the keys",
        false);
    row("memory, in the script",
        "OOM command not allowed when used memory > 'maxmemory'. script: "
        "8b2ae6dd76cda7fc3e27f97431ae27d7b08a221d, on @user_script:1.",
        false);
    row("wrong type in the script",
        "WRONGTYPE Operation against a key holding the wrong kind of value script: "
        "8b2ae6dd76cda7fc3e27f97431ae27d7b08a221d, on @user_script:9.",
        false);
    row("wrong type", "WRONGTYPE Operation against a key holding the wrong kind of value", false);
    row("killed",
        "ERR Error running script (call to f_1): @user_script:1: Script killed by user with SCRIPT KILL...",
        false);
    row("another text", "ERR something went wrong", false);
    row("a proxy", "ERR upstream failure", false);
    row("not so", "NOSCRIPT No matching scripd. Please use EVAL.", false);
    row("password", "WRONGPASS invalid username-password pair", false);
    row("a word alone", "NOPERM", false);
    row("a word with more", "READONLYX no", false);
    row("transaction", "EXECABORT Transaction discarded because of previous errors.", false);
    row("no words", "", false);
    row("a piece of another reply", "4", false);
}

void TestScriptError::provesItOrNot()
{
    QFETCH(const QByteArray, text);
    QFETCH(const bool, proves);
    QCOMPARE(provesNothingWasDone(serverError(text)), proves);
}

void TestScriptError::whatWasNotSentDidNothing()
{
    for (const ErrorKind kind : {ErrorKind::NotConnected, ErrorKind::Canceled, ErrorKind::ReadOnlyMode})
        QVERIFY(provesNothingWasDone({kind, "closed"}));
    QVERIFY(!provesNothingWasDone({ErrorKind::OutcomeUnknown, "closed"}));
    QVERIFY(!provesNothingWasDone({ErrorKind::UnexpectedReply, "OK"}));
}

QTEST_GUILESS_MAIN(TestScriptError)
#include "tst_scripterror.moc"
