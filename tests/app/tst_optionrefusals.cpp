// SPDX-License-Identifier: GPL-3.0-or-later
// What is not taken, and that it is said why.
#include "tests/app/givenwords.h"

#include <QtTest>

using namespace lockscope;

class TestOptionRefusals : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        qunsetenv("REDISCLI_AUTH");
    }

    void refuses_data();
    void refuses();
};

void TestOptionRefusals::refuses_data()
{
    QTest::addColumn<Words>("words");
    QTest::addColumn<QByteArray>("reason");

    const auto row = [](const Words &words, const char *reason) {
        QTest::newRow(words.join(' ').constData()) << words << QByteArray(reason);
    };
    row({"help", "lits"}, "Unknown verb 'lits'. Did you mean 'list'?");
    row({}, "verb is missing");
    row({""}, "Unknown verb ''");
    row({"lst"}, "Unknown verb 'lst'. Did you mean 'list'?");
    row({"ab"}, "Unknown verb 'ab'. See --help.");
    row({"audit"}, "Unknown verb 'audit'");
    row({"audit", "show"}, "Unknown verb 'audit show'");
    row({"redis://:" + canary + "@h", "list"}, "with -u");
    row({"ann:" + canary + "@h"}, "with -u");
    row({"list", "k"}, "Too many arguments for list");
    row({"get"}, "get needs KEY.");
    row({"get", ""}, "KEY must not be empty");
    row({"get", "a", "--probe", "ask {pid}"}, "A probe is a program");
    row({"get", "a", "b"}, "Too many arguments for get.");
    row({"family", "try", "a", "b"}, "Too many arguments for family try.");
    row({"family", "check"}, "family check needs FILE.");
    row({"list", "--what=" + canary}, "Unknown option '--what'");
    row({"list", "-x" + canary}, "Unknown option '-x'");
    row({"list", "--", "--json"}, "Too many arguments");
    row({"list", "---"}, "Unknown option");
    row({"list", "--="}, "Unknown option");
    // Not in this version.
    row({"recorder"}, "Unknown verb 'recorder'. Did you mean 'record'?");
    row({"list", "--max-held", "3"}, "list does not take '--max-held'. See --help.");
    row({"list", "--max-bytes", "3"}, "Unknown option '--max-bytes'. See --help.");
    for (const char *map :
         {"", "=", "a=", "=b", "a", "a:1=b", "a=b:1", "a:0=b:1", "a:1=b:99999", "a=b=c", "a b=c"})
        row({"--node-address", map, "list"}, "--node-address takes A=B");
    row({"-u", "redis-sentinel://h:1", "list"}, "as in redis-sentinel://host1,host2/name");
    row({"--tls", "--pin", "abc", "list"}, "--pin takes");
    row({"--pin", QByteArray(64, 'a'), "list"}, "needs --tls");
    row({"--cacertdir", "/etc", "list"}, "needs --tls");
    row({"--tls", "--pin", QByteArray(64, 'a'), "--insecure", "list"}, "Give either --pin or --insecure");
    row({"--tls", "--cacert", "a", "--cacertdir", "b", "list"}, "Give either --cacert");
    row({"--tls", "--key-askpass", "list"}, "--key-askpass needs --key");
    for (const char *host : {"", "-oProxyCommand=x", "a@-oProxyCommand=x", "a b", "a;b", "ops@", "@bastion",
                             "$(x)", "h:", ":22", "h\nx"})
        row({"--ssh", host, "list"}, "--ssh takes");
    row({"-u", "redis://h?ssh=-x", "list"}, "After ssh= write");
    row({"--redlock", "a", "list"}, "at least two");
    row({"--redlock", "a,b", "-p", "1", "list"}, "either --redlock or -p");
    row({"--redlock", "a,b", "-u", "unix:///s", "list"}, "either --redlock or unix://");
    row({"--redlock", "a,b", "--sentinel", "h", "--master", "m", "list"}, "either --redlock or --sentinel");
    row({"--redlock", "a,b", "simulate", "--strategy", "token-set"}, "either simulate or --redlock");
    row({"--demo", "--redlock", "a,b", "list"}, "either --demo or --redlock");
    row({"--sentinel", "h", "list"}, "needs --master NAME");
    row({"--sentinel", "h:0", "--master", "m", "list"}, "--sentinel takes");
    row({"--sentinel", "", "--master", "m", "list"}, "--sentinel takes");
    row({"--sentinel", "h", "--master", "", "list"}, "--master takes");
    row({"--sentinel", "h", "--master", "m", "-p", "1", "list"}, "either --sentinel or -p");
    row({"--sentinel", "h", "--master", "m", "-s", "/s", "list"}, "either --sentinel or -s");
    row({"-u", "redis-sentinel://h/m", "-h", "db", "list"}, "either --sentinel or -h");
    row({"--sentinel", "h", "--master", "m", "-u", "unix:///s", "list"}, "either --sentinel or unix://");
    row({"--sentinel", "h", "--master", "m", "--sentinel-user", "u", "list"}, "--sentinel-askpass");
    for (const char *option : {"--replica", "--sentinel-askpass"})
        row({option, "list"}, "needs --sentinel");
    row({"--master", "m", "list"}, "needs --sentinel");
    row({"--sentinel-user", "u", "list"}, "needs --sentinel");
    row({"--demo", "--sentinel", "h", "--master", "m", "list"}, "either --demo or --sentinel");
    // The server.
    row({"-h", "", "list"}, "-h takes");
    row({"-h", "h:1", "list"}, "-h takes");
    row({"-h", "/s", "list"}, "-h takes");
    row({"-h", "redis://h", "list"}, "-h takes");
    row({"-h", "a b", "list"}, "blank");
    row({"-h"}, "-h needs HOST.");
    row({"-hlocalhost", "list"}, "two words");
    row({"-a" + canary, "list"}, "two words");
    row({"-p", "0", "list"}, "1 to 65535");
    row({"-p", "99999", "list"}, "1 to 65535");
    row({"-p", "x", "list"}, "1 to 65535");
    row({"-p", "-1", "list"}, "1 to 65535");
    row({"-p", "", "list"}, "1 to 65535");
    row({"-n", "-1", "list"}, "-n takes");
    row({"-n", "abc", "list"}, "-n takes");
    row({"-n", "99999999999", "list"}, "-n takes");
    row({"-s", "", "list"}, "-s must not be empty");
    row({"-s", "/s", "-h", "h", "list"}, "either -s or -h");
    row({"-s", "/s", "--tls", "list"}, "either -s or --tls");
    row({"-u", "http://h", "list"}, "must start with");
    row({"-u", "redis://:" + canary + "%@h", "list"}, "%25");
    row({"-u", "redis://\xff", "list"}, "UTF-8");
    row({"--user", "", "list"}, "--user must not be empty");
    row({"--user", "ann", "list"}, "needs a password");
    row({"-u", "redis://ann:@h", "list"}, "needs a password");
    row({"--insecure", "list"}, "needs --tls");
    row({"--cacert", "f", "list"}, "needs --tls");
    row({"--tls", "--cert", "f", "list"}, "--cert needs --key");
    row({"--tls", "--cacert", "", "list"}, "must not be empty");
    row({"--tls=1", "list"}, "takes no value");
    row({"--demo", "-h", "h", "list"}, "either --demo or -h");
    row({"--demo", "--tls", "list"}, "either --demo or --tls");
    row({"--pattern", "", "list"}, "--pattern must not be empty");
    // The verbs' own.
    row({"list", "--owner", "me"}, "does not take");
    row({"get", "k", "--lease", "1"}, "does not take");
    row({"release", "k", "--expect-owner", "me"}, "does not take");
    row({"list", "--base64"}, "does not take");
    row({"acquire", "k"}, "needs --owner ID.");
    row({"top", "--at", "03:12"}, "--at needs --replay");
    row({"top", "--demo", "--replay", "f"}, "--replay needs no server");
    row({"top", "--json"}, "top does not take '--json'");
    row({"acquire", "k", "--owner", ""}, "--owner must not be empty");
    row({"acquire", "k", "--owner", "me"}, "needs --lease SECONDS.");
    row({"extend", "k", "--owner", "me"}, "needs --lease SECONDS.");
    row({"release", "k"}, "needs --owner ID.");
    row({"force-expire", "k"}, "needs --expect-owner ID.");
    for (const char *lease : {"0", "0.0", "-1", "abc", "nan", "inf", "", "1e3", "0x10", " 1", "0.0001",
                              "0.0005", "0.0009999", "1,5", "9e99"})
        row({"acquire", "k", "--owner", "me", "--lease", lease}, "--lease takes");
    for (const char *wait : {"-1", "abc", "nan", "", ".", "0.0.0", "0.0005"})
        row({"acquire", "k", "--owner", "me", "--lease", "1", "--wait", wait}, "0, or at least 0.001");
    for (const char *family : {"unknown", "Token", ""})
        row({"acquire", "k", "--owner", "me", "--lease", "1", "--family", family}, "--family takes");
    row({"force-expire", "k", "--expect-holds", "1"}, "must follow");
    row({"force-expire", "k", "--expect-owner", "a", "--expect-holds", "1", "--expect-holds", "2"},
        "must follow");
    for (const char *holds : {"0", "-1", "abc", "1.0", "", "9223372036854775807", "1000000000000000"})
        row({"force-expire", "k", "--expect-owner", "a", "--expect-holds", holds},
            "from 1 to 999999999999999");
    // The last one would win, and nobody would be told.
    row({"acquire", "k", "--owner", "x", "--owner", "y", "--lease", "1"}, "'--owner' is given twice");
    row({"acquire", "k", "--owner", "x", "--lease", "1", "--lease=1"}, "'--lease' is given twice");
    row({"-h", "a", "-h", "b", "list"}, "'-h' is given twice");
    row({"-a", canary, "list", "-a", canary}, "'-a' is given twice");
    row({"-u", "redis://a", "-u", "redis://b", "list"}, "'-u' is given twice");
    row({"simulate", "--scenario", "herd", "--seed", "1", "--seed", "2"}, "'--seed' is given twice");
    row({"simulate"}, "simulate needs --scenario NAME | --strategy NAME");
    row({"simulate", "--demo", "--scenario", "herd"}, "either simulate or --demo");
    row({"simulate", "herd"}, "Too many arguments");
    row({"simulate", "--scenario", "frob"}, "--scenario takes one-winner, sequence");
    row({"simulate", "--strategy", "frob"}, "--strategy takes reentrant, token-set");
    const Words simulate{"simulate", "--strategy", "token-set"};
    row(simulate + Words{"--release", "del"}, "--release takes");
    row(simulate + Words{"--wake", "up"}, "--wake takes");
    row(simulate + Words{"--mode", "wait"}, "--mode takes");
    row(simulate + Words{"--hold", "1s"}, "--hold takes");
    row(simulate + Words{"--server-fault", "fire"}, "--server-fault takes");
    row(simulate + Words{"--workers", "many"}, "whole number");
    row(simulate + Words{"--workers", "-1"}, "whole number");
    row(simulate + Words{"--workers", "0"}, "Workers: choose 1 to 256.");
    row(simulate + Words{"--processes", "9"}, "1 to 8 processes");
    row(simulate + Words{"--timeout", "0.5"}, "whole number from 0 to 86400000");
    row(simulate + Words{"--poll", "x"}, "whole number from 0 to 86400000");
    row(simulate + Words{"--crash-rate", "x"}, "--crash-rate takes P");
    row(simulate + Words{"--crash-rate", "1.1"}, "from 0 to 1");
    row(simulate + Words{"--seed", "4294967296"}, "--seed takes");
    row(simulate + Words{"--reentry", "2"}, "can't be re-entered");
    row(simulate + Words{"--rounds", "3", "--duration", "1"}, "either --rounds or --duration");
    row(simulate + Words{"--timeout", "5", "--mode", "block"}, "needs --mode=timeout");
    row(simulate + Words{"--poll", "5", "--wake", "backoff"}, "needs --wake=poll");
    row(simulate + Words{"--pause", "5"}, "needs --pause-rate");
    row(simulate + Words{"--owner", "me"}, "does not take");
    row(simulate + Words{"--pattern", "lock:*"}, "does not take '--pattern'");
    row(simulate + Words{"--rounds", "3", "--server-fault", "pause"}, "need a duration instead of rounds");
    row(simulate + Words{"--server-fault", "restart", "--pause", "5"}, "needs --pause-rate");
    row({"simulate", "--strategy", "handoff", "--poll", "5"}, "does not support");
    row({"simulate", "--strategy", "token-setnx", "--lease", "0.5"}, "whole seconds");
    row({"simulate", "--scenario", "herd", "--lease", "1"}, "herd sets --lease itself");
    row({"simulate", "--scenario", "herd", "--hold", "1"}, "sets --hold itself");
    row({"simulate", "--scenario", "herd", "--rounds", "3"}, "sets --rounds itself");
    row({"simulate", "--scenario", "herd", "--strategy", "handoff"}, "sets --strategy itself");
    row({"simulate", "--scenario", "sequence", "--workers", "3"}, "sets --workers itself");
    row({"simulate", "--scenario", "one-winner", "--duration", "3"}, "sets --duration itself");
    row({"simulate", "--scenario", "one-winner", "--poll", "3"}, "--poll needs --strategy");
    row({"simulate", "--scenario", "sequence", "--strategy", "token-lua"}, "sets --strategy itself");
    row({"simulate", "--scenario", "foreign-release", "--release", "unchecked-delete"},
        "sets --release itself");
    row({"simulate", "--scenario", "convoy", "--release", "check-then-delete"}, "does not support");
    row({"simulate", "--scenario", "one-winner", "--workers", "257"}, "Workers: choose 1 to 256.");
    row({"list", "--workers", "3"}, "does not take");
    row({"get", "!", "--base64"}, "base64");
    row({"get", "YQ", "--base64", "--base64=1"}, "takes no value");
    row({"release", "YQ==", "--owner", "b*d", "--base64"}, "base64");
    row({"get", "bG9jazp", "--base64"}, "base64"); // cut off
    row({"who", "k", "--duration", "31"}, "30");
}

void TestOptionRefusals::refuses()
{
    QFETCH(Words, words);
    QFETCH(QByteArray, reason);
    const Result<Options> options = Arguments(words).parse();
    QVERIFY2(!options, "accepted");
    QCOMPARE(options.error().kind, ErrorKind::InvalidArgument);
    QVERIFY2(options.error().text().contains(reason), options.error().text().constData());
    QVERIFY2(!options.error().text().contains(canary), options.error().text().constData());
}

QTEST_GUILESS_MAIN(TestOptionRefusals)
#include "tst_optionrefusals.moc"
