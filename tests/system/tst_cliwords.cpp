// SPDX-License-Identifier: GPL-3.0-or-later
// What the terminal program says of locks that do not tell whose they are, and where it looks for locks.
#include "tests/system/cliprogram.h"

#include <QRegularExpression>

using namespace lockscope;

namespace {

const QByteArray uuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

QStringList keysIn(const QJsonArray &locks)
{
    QStringList keys;
    for (const QJsonValue &lock : locks)
        keys.append(lock[QStringLiteral("key")].toString());
    return keys;
}

QStringList patternsIn(const QJsonArray &patterns)
{
    QStringList list;
    for (const QJsonValue &pattern : patterns)
        list.append(pattern[QStringLiteral("pattern")].toString());
    return list;
}

} // namespace

class TestCliWords : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_server.cli({"FLUSHALL"});
    }

    /// Real libraries contradict whatever would be said of all of them.
    void anAmbiguousTokenPromisesNothing()
    {
        for (const QByteArray value : {"1", "f3o8Wq0zP1-client"}) {
            m_server.cli({"SET", "lock:a", value, "PX", "600000"});
            const Ran ran = on({"get", "lock:a", "--explain"});
            VERIFY_EXIT(ran, 0);
            for (const char *claim :
                 {"will fail", "by default", "Waiters: unknown. Polling", "No waiter is notified"})
                QVERIFY2(!ran.out.contains(claim), ran.out);
            QVERIFY2(ran.out.contains("Renewals by this library: unknown."), ran.out);
            QVERIFY2(ran.out.contains("or delete the next owner's lock"), ran.out);
            QVERIFY2(ran.out.contains("hold count at least 1"), ran.out);
        }
    }

    void aWeakTokenIsSaidToBeOne()
    {
        m_server.cli({"MSET", "lock:a", "true", "lock:b", "f3o8Wq0zP1-client"});
        const Ran ran = on({"get", "lock:a", "--explain"});
        QVERIFY2(ran.out.contains("Weak token: all holders write the same text"), ran.out);
        QVERIFY2(ran.out.contains("The time left is compared too"), ran.out);
        QVERIFY(!on({"get", "lock:b", "--explain"}).out.contains("Weak token"));
        QCOMPARE(jsonIn(on({"get", "lock:a", "--json"}).out)[QStringLiteral("weak_token")].toBool(), true);
        QVERIFY(!jsonIn(on({"get", "lock:b", "--json"}).out).contains(QStringLiteral("weak_token")));
    }

    /// Bull overwrites this key: whoever held it would hold nothing.
    void aJobsLockIsNotAcquired()
    {
        for (const QByteArray key : {"bull:mail:17:lock", "{bull}:mail:17:lock"}) {
            const Ran ran = on({"acquire", key, "--owner", "me", "--lease", "5", "--family", "token"});
            QVERIFY2(ran.exitCode == 2 && ran.err.contains("Bull overwrites this key"), reported(ran));
            QCOMPARE(m_server.cli({"EXISTS", key}), "0");
        }
        VERIFY_EXIT(on({"acquire", "bull:lock", "--owner", "me", "--lease", "5", "--family", "token"}), 0);
    }

    /// One thing, not two.
    void whatIsNoLockIsNeitherTakenNorEnded()
    {
        m_server.cli({"RPUSH", "lock:list", "x"});
        const Ran acquired = on({"acquire", "lock:list", "--owner", "me", "--lease", "5"});
        VERIFY_EXIT(acquired, 1);
        const Ran ended = on({"force-expire", "lock:list", "--expect-owner", "x"});
        VERIFY_EXIT(ended, 1);
        const Ran explained = on({"get", "lock:list", "--explain"});
        for (const QByteArray &out : {acquired.out, ended.out, explained.out})
            QVERIFY2(!out.contains("can be ended here"), out);
        QVERIFY2(acquired.out.contains("Not a recognized lock: no action is possible"), acquired.out);
        QVERIFY2(explained.out.contains("None: not a recognized lock"), explained.out);
    }

    /// A record of an unknown family is expired if all its fields are as they were read; no more is done to it.
    void aRecordIsEndedByItsBytesAlone()
    {
        m_server.cli({"HSET", "lock:rec", "owner", "web-1", "since", "1795319763000"});
        m_server.cli({"EXPIRE", "lock:rec", "60"});
        const QJsonObject listed = jsonIn(on({"get", "lock:rec", "--json"}).out);
        const QJsonObject owner = listed[QStringLiteral("owners")][0].toObject();
        QCOMPARE(owner[QStringLiteral("id")].toString(), QStringLiteral("web-1"));
        QVERIFY(!owner.contains(QStringLiteral("holds")));
        QVERIFY(!on({"get", "lock:rec"}).out.contains("holds"));
        const auto outcomeOf = [this](const QByteArrayList &words) {
            const Ran ran = on(words + QByteArrayList{"--json"});
            return jsonIn(ran.out)[QStringLiteral("outcome")].toString();
        };
        for (const QByteArrayList &words :
             {QByteArrayList{"release", "lock:rec", "--owner", "web-1"},
              QByteArrayList{"extend", "lock:rec", "--owner", "web-1", "--lease", "30"}})
            QCOMPARE(outcomeOf(words), QStringLiteral("wrong-type"));
        const QByteArrayList expire{"force-expire", "lock:rec", "--expect-owner"};
        QCOMPARE(outcomeOf(expire + QByteArrayList{"web-2"}), QStringLiteral("owner-changed"));
        QCOMPARE(m_server.cli({"HLEN", "lock:rec"}), "2");
        QCOMPARE(outcomeOf(expire + QByteArrayList{"web-1"}), QStringLiteral("expired"));
        QCOMPARE(m_server.cli({"EXISTS", "lock:rec"}), "0");
        // A field's name is no owner, and a document with an owner no lock.
        m_server.cli({"HSET", "lock:rec", "owner", "web-1"});
        QCOMPARE(outcomeOf(expire + QByteArrayList{"owner"}), QStringLiteral("owner-changed"));
        m_server.cli({"HSET", "doc:1", "owner", "bob", "body", "text"});
        QCOMPARE(outcomeOf({"force-expire", "doc:1", "--expect-owner", "bob"}), QStringLiteral("wrong-type"));
        QCOMPARE(m_server.cli({"EXISTS", "lock:rec", "doc:1"}), "2");
    }

    void aPossibleValueIsEndedByItsBytesAlone()
    {
        const QByteArray document = R"({"name":"web-1","port":80})";
        m_server.cli({"SET", "lock:c5", "5"}); // with a lease it may be a process
        m_server.cli({"SET", "lock:doc", document});
        for (const auto &[key, value] :
             {std::pair<QByteArray, QByteArray>{"lock:c5", "5"}, {"lock:doc", document}}) {
            QVERIFY(on({"get", key, "--explain"}).out.contains("if its content is unchanged"));
            const Ran other = on({"force-expire", key, "--expect-owner", value + "x", "--json"});
            VERIFY_EXIT(other, 1);
            QCOMPARE(jsonIn(other.out)[QStringLiteral("outcome")].toString(),
                     QStringLiteral("owner-changed"));
            QCOMPARE(m_server.cli({"GET", key}), value);
            const Ran ran = on({"force-expire", key, "--expect-owner", value, "--json"});
            VERIFY_EXIT(ran, 0);
            QCOMPARE(m_server.cli({"EXISTS", key}), "0");
            m_server.cli({"SET", key, value});
        }
        // Whoever took it here under such an id gives it back: the script compares all of it.
        VERIFY_EXIT(on({"release", "lock:c5", "--owner", "5"}), 0);
        QCOMPARE(m_server.cli({"EXISTS", "lock:c5"}), "0");
    }

    /// Unless patterns are given, families' usual names nominate, too.
    void listHasUsualNames()
    {
        m_server.cli({"SET", "rq:scheduler-lock:default", QByteArray(32, 'a'), "PX", "60000"});
        m_server.cli({"SET", "xlock", "worker-7", "PX", "60000"});
        const auto keysOf = [this](const QByteArrayList &arguments) {
            QStringList keys;
            for (const QJsonValue &lock : jsonIn(on(arguments).out)[QStringLiteral("locks")].toArray())
                keys << lock[QStringLiteral("key")].toString();
            return keys;
        };
        QCOMPARE(keysOf({"list", "--json"}), QStringList{QStringLiteral("rq:scheduler-lock:default")});
        QCOMPARE(keysOf({"list", "--json", "--pattern", "x*"}), QStringList{QStringLiteral("xlock")});
        const Ran text = on({"list", "--pattern", "y*"});
        QVERIFY2(text.err.contains("Patterns: y*."), text.err);
    }

    void listSaysWhereItLooked()
    {
        const Ran nothing = on({"list"});
        QVERIFY2(nothing.err.contains("Patterns: lock:* lock_* *:lock, lock-like names") &&
                     nothing.err.contains("search"),
                 nothing.err);
        m_server.cli({"MSET", "l:a", "x1", "l:b", "x2", "sess_1", "x3", "default:x", "x4", "lock:a", "x5",
                      "clock", "5", "orders", "6"});
        const QJsonObject outside = jsonIn(on({"list", "--json"}).out)[QStringLiteral("outside")].toObject();
        QCOMPARE(outside[QStringLiteral("names")].toInt(), 4);
        QCOMPARE(patternsIn(outside[QStringLiteral("patterns")].toArray()),
                 (QStringList{QStringLiteral("l:*"), QStringLiteral("default:*"), QStringLiteral("sess_*")}));
        const Ran text = on({"list"});
        QVERIFY2(
            text.err.contains("Read them with: --pattern 'l:*' --pattern 'default:*' --pattern 'sess_*'"),
            text.err);
        const QJsonObject search = jsonIn(on({"search", "--json"}).out);
        QCOMPARE(search[QStringLiteral("outside")].toObject(), outside);
        QVERIFY(!jsonIn(on({"search", "--json", "--pattern", "*"}).out).contains(QStringLiteral("outside")));
        const Ran found = on({"search"});
        QVERIFY2(found.err.contains("--pattern 'sess_*'"), found.err);
        const Ran check = on({"check"});
        QVERIFY2(check.out.contains("4 other keys may be locks"), check.out);
        // One anchored pattern costs the server next to nothing: no others are looked for then.
        QVERIFY(
            !jsonIn(on({"list", "--json", "--pattern", "lock:*"}).out).contains(QStringLiteral("outside")));
    }

    /// What get calls certain is found as such; what may be other data stands apart.
    void searchAndGetAgree()
    {
        const QByteArray now = m_server.cli({"TIME"}).split('\n').first() + "000";
        for (const QByteArray id : {"7", "8"}) {
            m_server.cli({"SET", "mail:jobs:" + id + ":lock", uuid, "PX", "600000"});
            m_server.cli({"HSET", "mail:jobs:" + id, "timestamp", now, "processedOn", now, "data", "{}",
                          "opts", "{}"});
        }
        m_server.cli({"HSET", "order:1", uuid + ":1", "1"});
        m_server.cli({"PEXPIRE", "order:1", "600000"});
        m_server.cli({"SET", "orders", "7"});
        const QJsonObject found = jsonIn(on({"search", "--json"}).out);
        const QJsonArray certain = found[QStringLiteral("locks")].toArray();
        const QJsonArray likely = found[QStringLiteral("likely")].toArray();
        QCOMPARE(keysIn(certain),
                 (QStringList{QStringLiteral("mail:jobs:7:lock"), QStringLiteral("mail:jobs:8:lock")}));
        QCOMPARE(keysIn(likely), QStringList{QStringLiteral("order:1")});
        for (const QJsonArray &group : {certain, likely}) {
            for (const QJsonValue &each : group) {
                const QByteArray key = each[QStringLiteral("key")].toString().toUtf8();
                const QJsonObject got = jsonIn(on({"get", key, "--json"}).out);
                QCOMPARE(got[QStringLiteral("certainty")], each[QStringLiteral("certainty")]);
                QCOMPARE(got[QStringLiteral("family")], each[QStringLiteral("family")]);
            }
        }
        const Ran text = on({"search"});
        QVERIFY2(text.out.indexOf("mail:jobs:8:lock") < text.out.indexOf("Likely locks:") &&
                     text.out.indexOf("Likely locks:") < text.out.indexOf("order:1"),
                 text.out);
        const QJsonObject some = jsonIn(on({"search", "--json", "--pattern", "order:*"}).out);
        QCOMPARE(some[QStringLiteral("locks")].toArray().size(), 0);
        QCOMPARE(keysIn(some[QStringLiteral("likely")].toArray()), QStringList{QStringLiteral("order:1")});
    }

    void searchProposesOnePattern()
    {
        for (const QByteArray key : {"myLock", "myLock2", "myLock10"}) {
            m_server.cli({"HSET", key, uuid + ":1", "1"});
            m_server.cli({"PEXPIRE", key, "600000"});
        }
        const QJsonObject found = jsonIn(on({"search", "--json"}).out);
        QCOMPARE(patternsIn(found[QStringLiteral("patterns")].toArray()),
                 QStringList{QStringLiteral("myLock*")});
    }

    /// In a list all of them, where one is no text.
    void bytesThatAreNoTextComeExactly()
    {
        const QByteArray key = "lock:\xff";
        const QByteArrayList waiters{uuid + ":2", "\xfe"};
        m_server.cli({"HSET", key, uuid + ":1", "1"});
        m_server.cli({"PEXPIRE", key, "600000"});
        m_server.cli(QByteArrayList{"RPUSH", "redisson_lock_queue:{" + key + "}"} + waiters);
        m_server.cli({"SET", "lock:b\xfe", "\xfd-token"});
        const auto exact = [](const QJsonValue &list) {
            QByteArrayList bytes;
            for (const QJsonValue &each : list.toArray())
                bytes.append(QByteArray::fromBase64(each.toString().toLatin1()));
            return bytes;
        };
        const QJsonObject lock = jsonIn(on({"get", key, "--explain", "--json"}).out);
        QCOMPARE(exact(QJsonArray{lock[QStringLiteral("key_base64")]}), QByteArrayList{key});
        QCOMPARE(exact(lock[QStringLiteral("waiters")][QStringLiteral("ids_base64")]), waiters);

        const QByteArray file = QFile::encodeName(m_directory.filePath(QStringLiteral("recording")));
        for (const QByteArrayList &words : {QByteArrayList{"list"},
                                            {"search"},
                                            {"check", "--no-expiry", "--max-waiters", "1"},
                                            {"get", "none\xff"},
                                            {"watch", "--duration", "1", "--pattern", key},
                                            {"record", file, "--duration", "1"},
                                            {"replay", file},
                                            {"alert", "--duration", "1", "--max-waiters", "1"},
                                            {"who", key, "--duration", "0.1"},
                                            {"acl", "check", "--pattern", "\xff*"},
                                            {"force-expire", "lock:b\xfe", "--expect-owner", "\xfd-token"}}) {
            const Ran ran = on(words + QByteArrayList{"--json"});
            QVERIFY2(ran.exitCode <= 1 && ran.out.startsWith('{'), words.join(' ') + reported(ran));
        }
    }

    void notesOfAnActionAreItsMessage()
    {
        const QByteArray document = R"({"a":[1,2,3]})";
        m_server.cli({"SET", "lock:a", document});
        const Ran ran = on({"force-expire", "lock:a", "--expect-owner", document, "--json"});
        VERIFY_EXIT(ran, 0);
        QVERIFY2(jsonIn(ran.out)[QStringLiteral("message")].toString().contains(
                     QStringLiteral("Whether this was a lock")),
                 ran.out);
    }

    /// Of alerts and events as of locks: a client may count for itself.
    void holdCountsAreLowerBoundsEverywhere()
    {
        m_server.cli({"SET", "lock:a", "f3o8Wq0zP1-client"});
        const QByteArrayList lines = on({"alert", "--duration", "1", "--json"}).out.split('\n');
        const QJsonValue owner = jsonIn(lines.value(1))[QStringLiteral("owners")][0];
        QCOMPARE(owner[QStringLiteral("holds_at_least")], QJsonValue(true));
    }

    void familiesAsJson()
    {
        const QJsonArray families =
            jsonIn(on({"family", "list", "--json"}).out)[QStringLiteral("families")].toArray();
        QVERIFY(families.size() > 100);
        const QString name = families[0][QStringLiteral("name")].toString();
        QCOMPARE(QJsonValue(jsonIn(on({"family", "show", name.toUtf8(), "--json"}).out)), families[0]);
    }

    void exportSaysWhere()
    {
        QProcess program;
        program.start(CliProgram::path(),
                      {QStringLiteral("-s"), m_server.socketPath(), QStringLiteral("export"),
                       QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0"), QStringLiteral("--json")});
        QTRY_VERIFY_WITH_TIMEOUT(program.canReadLine(), 20'000);
        const QJsonObject line = jsonIn(keptJson("export", program.readLine()));
        QVERIFY(line[QStringLiteral("url")].toString().startsWith(QStringLiteral("http://127.0.0.1:")));
        program.terminate();
        QVERIFY(program.waitForFinished());
    }

private:
    Ran on(const QList<QByteArray> &arguments) const { return CliProgram::on(m_server, arguments); }

    const RedisServer m_server;
    const CliProgram m_program;
    const QTemporaryDir m_directory;
};

QTEST_GUILESS_MAIN(TestCliWords)
#include "tst_cliwords.moc"
