// SPDX-License-Identifier: GPL-3.0-or-later
// What an action is said to have done, where what comes back is not what a script says.
#include "core/act/actionnames.h"
#include "core/act/lockoperations.h"
#include "core/words/messages.h"
#include "tests/support/fakepeer.h"
#include "tests/support/familyliteral.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"

#include <QJsonDocument>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

ActionRequest request(Action action, Family family, const QByteArray &key)
{
    ActionRequest request;
    request.action = action;
    request.family = family;
    request.key = LockKey(key);
    request.owner = OwnerId("t");
    request.lease = Lease::fromMilliseconds(30s);
    request.expected = {{OwnerId("t"), {}, {}}};
    return request;
}

ActionRequest force(const QByteArray &key)
{
    return request(Action::ForceExpire, "token"_family, key);
}

/// A connection, ready, with an audit log in a directory of its own.
class Desk
{
public:
    explicit Desk(const ServerAddress &address)
        : audit(directory.filePath(QStringLiteral("audit.jsonl"))),
          connection(address, {.commandDeadline = 1000ms}),
          operations(connection, audit)
    {
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        if (!ready.wait(20'000))
            qFatal("no connection");
    }

    Result<ActionResult> run(const ActionRequest &what) { return waitFor(operations.run(what)); }
    QJsonObject lastRecord() const
    {
        QFile file(audit.path());
        if (!file.open(QIODevice::ReadOnly))
            return {};
        return QJsonDocument::fromJson(file.readAll().trimmed().split('\n').last()).object();
    }

    QTemporaryDir directory;
    AuditLog audit;
    Connection connection;
    LockOperations operations;
};

/// A lock of t's that a look at any key finds.
void holdALock(FakePeer &peer)
{
    peer.on("PTTL", ":29000\r\n");
    peer.on("HSCAN", "-WRONGTYPE x\r\n");
    peer.on("GETRANGE", "$1\r\nt\r\n");
}

QByteArray named(const QByteArray &outcome, int holds = -1, int pttl = -2)
{
    return "*4\r\n$" + QByteArray::number(outcome.size()) + "\r\n" + outcome +
           "\r\n:" + QByteArray::number(holds) + "\r\n:" + QByteArray::number(pttl) + "\r\n$0\r\n\r\n";
}

} // namespace

class TestOutcomes : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyOutcomeBelongsToItsActions();
    void anAnswerThatNoScriptGives_data();
    void anAnswerThatNoScriptGives();
    void anErrorThatProvesNothing_data();
    void anErrorThatProvesNothing();
    void anErrorThatProvesIt();
    void aReplyCorruptedAtEveryByte();
    void whatFollowsSuchAnAnswerIsNotBelieved();
    void anErrorInTheScriptAfterAChange();
    void onlyTheExactNoScriptSendsTheText();
    void theLookTellsWhatItFound_data();
    void theLookTellsWhatItFound();
    void aValueThatIsNoOwner_data();
    void aValueThatIsNoOwner();
    void ofSeveralOwnersAllAreFound();
    void theLookFindsNoServer();
    void theEndOfTheProgramEndsTheLook();
};

void TestOutcomes::everyOutcomeBelongsToItsActions()
{
    for (int i = 0; i <= int(Outcome::Unknown); ++i) {
        const auto outcome = static_cast<Outcome>(i);
        int actions = 0;
        for (const Action action : {Action::Acquire, Action::Release, Action::Extend, Action::ForceExpire,
                                    Action::RemoveWaiter, Action::Wake})
            actions += canEndIn(action, outcome);
        const bool isOfNoScript =
            outcome == Outcome::Unknown || outcome == Outcome::Renewed || outcome == Outcome::EvidenceChanged;
        QVERIFY2(isOfNoScript ? actions == 0 : actions > 0, outcomeName(outcome).constData());
        if (succeeded(outcome)) // a success is one of a single action
            QCOMPARE(actions, 1);
    }
}

void TestOutcomes::anAnswerThatNoScriptGives_data()
{
    QTest::addColumn<QByteArray>("reply");
    const auto row = [](const char *name, const QByteArray &reply) { QTest::newRow(name) << reply; };
    row("queued", "+QUEUED\r\n");
    row("OK", "+OK\r\n");
    row("nil", "$-1\r\n");
    row("nil array", "*-1\r\n");
    row("an integer", ":1\r\n");
    row("a text", "$7\r\nexpired\r\n");
    row("empty", "*0\r\n");
    row("a corrupt word", named("expirfd"));
    row("another case", named("EXPIRED"));
    row("of another action", named("released", 0));
    row("a success of another action", named("acquired", 1, 30000));
    row("unknown, by the server itself", named("unknown"));
    row("two parts", "*2\r\n$7\r\nexpired\r\n:1\r\n");
    row("six parts", "*6\r\n$7\r\nexpired\r\n:1\r\n:-2\r\n$0\r\n\r\n:1\r\n:1\r\n");
    row("a status for the word", "*3\r\n+expired\r\n:1\r\n:-2\r\n");
    row("a text for the holds", "*3\r\n$7\r\nexpired\r\n$1\r\n1\r\n:-2\r\n");
    row("nil for the time left", "*3\r\n$7\r\nexpired\r\n:1\r\n$-1\r\n");
    row("a number for the message", "*4\r\n$7\r\nexpired\r\n:1\r\n:-2\r\n:7\r\n");
    row("an error within", "*4\r\n$7\r\nexpired\r\n:1\r\n:-2\r\n-ERR x\r\n");
    row("holds out of range", named("expired", -2));
    row("a time out of range", named("expired", 1, -3));
}

void TestOutcomes::anAnswerThatNoScriptGives()
{
    QFETCH(const QByteArray, reply);
    FakePeer peer;
    holdALock(peer);
    peer.once("EVALSHA", reply);
    Desk desk(peer.address());
    const auto report = desk.run(force("k"));
    QVERIFY2(report, report ? "" : report.error().text().constData());
    QCOMPARE(report->outcome, Outcome::Unknown);
    QCOMPARE(report->cause.kind, ErrorKind::UnexpectedReply);
    QCOMPARE(report->found->state, Found::State::Held);
    QCOMPARE(peer.commands("EVALSHA").size(), 1);
    QCOMPARE(peer.commands("EVAL").size(), 0);
    const QJsonObject record = desk.lastRecord();
    QCOMPARE(record[QLatin1String("outcome")].toString(), QStringLiteral("unknown"));
    QCOMPARE(record[QLatin1String("found")][QLatin1String("state")].toString(), QStringLiteral("held"));
    QCOMPARE(record[QLatin1String("found")][QLatin1String("owners")][0][QLatin1String("owner")].toString(),
             QStringLiteral("t"));
}

void TestOutcomes::anErrorThatProvesNothing_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("another text") << QByteArray("ERR something went wrong");
    QTest::newRow("in the script") << QByteArray(
        "ERR ACL failure in script: User a has no permissions to run the 'publish' command script: "
        "c93099418cededd7ea494701574acb65aeb9de1e, on @user_script:74.");
    QTest::newRow("no words") << QByteArray("4");
    QTest::newRow("almost") << QByteArray("NOSCRIPT No matching scripd. Please use EVAL.");
}

void TestOutcomes::anErrorThatProvesNothing()
{
    QFETCH(const QByteArray, text);
    FakePeer peer;
    holdALock(peer);
    peer.once("EVALSHA", '-' + text + "\r\n");
    Desk desk(peer.address());
    const auto report = desk.run(force("k"));
    QVERIFY2(report, report ? "" : report.error().text().constData());
    QCOMPARE(report->outcome, Outcome::Unknown);
    QCOMPARE(report->message, text);
    QCOMPARE(report->found->state, Found::State::Held);
    QCOMPARE(peer.commands("EVALSHA").size(), 1);
    QCOMPARE(peer.commands("EVAL").size(), 0);
    QCOMPARE(desk.lastRecord()[QLatin1String("outcome")].toString(), QStringLiteral("unknown"));
    QCOMPARE(desk.lastRecord()[QLatin1String("message")].toString().toUtf8(), text);
}

void TestOutcomes::anErrorThatProvesIt()
{
    FakePeer peer;
    peer.once("EVALSHA", "-LOADING Redis is loading the dataset in memory\r\n");
    Desk desk(peer.address());
    const auto report = desk.run(force("k"));
    QVERIFY(!report);
    QCOMPARE(report.error().kind, ErrorKind::Loading);
    QVERIFY(peer.commands("PTTL").isEmpty());
    QCOMPARE(desk.lastRecord()[QLatin1String("outcome")].toString(), QStringLiteral("refused"));
}

/// Whatever byte is another one on its way: the outcome is the true one, or not known.
void TestOutcomes::aReplyCorruptedAtEveryByte()
{
    const QByteArray reply = named("expired", 1);
    FakePeer peer;
    holdALock(peer);
    int known = 0;
    int notKnown = 0;
    for (qsizetype at = 0; at < reply.size(); ++at) {
        for (const char mask : {'\x01', '\x80'}) {
            QByteArray corrupted = reply;
            corrupted[at] = static_cast<char>(corrupted[at] ^ mask);
            // What a number may become is not waited for until the deadline: the peer closes.
            peer.once("EVALSHA", FakePeer::Answer(corrupted).close());
            const qsizetype sent = peer.commands("EVALSHA").size();
            Desk desk(peer.address());
            const auto report = desk.run(force("k"));
            QVERIFY2(report, corrupted.toPercentEncoding().constData());
            QVERIFY2(report->outcome == Outcome::Unknown || report->outcome == Outcome::Expired,
                     corrupted.toPercentEncoding().constData());
            known += report->outcome == Outcome::Expired;
            notKnown += report->outcome == Outcome::Unknown;
            QCOMPARE(peer.commands("EVALSHA").size(), sent + 1);
        }
    }
    qInfo("%d known, %d not", known, notKnown);
    QVERIFY(known > 0 && notKnown > 0);
}

/// ":4" for "*4" leaves the rest of the reply behind: it must not pass for what the look asks.
void TestOutcomes::whatFollowsSuchAnAnswerIsNotBelieved()
{
    FakePeer peer;
    peer.once("EVALSHA", ":4\r\n:29000\r\n-WRONGTYPE x\r\n$5\r\nother\r\n");
    peer.on("PTTL", ":-2\r\n");
    peer.on("HSCAN", "*2\r\n$1\r\n0\r\n*0\r\n");
    peer.on("GETRANGE", "$0\r\n\r\n");
    Desk desk(peer.address());
    const auto report = desk.run(force("k"));
    QVERIFY(report);
    QCOMPARE(report->outcome, Outcome::Unknown);
    QCOMPARE(report->found->state, Found::State::Absent);
    QCOMPARE(peer.accepted(), 2);
}

/// A real server, and a user who may delete but not say so: the lock is gone when the error comes.
void TestOutcomes::anErrorInTheScriptAfterAChange()
{
    const RedisServer server;
    server.cli({"SET", "lock:k", "t"});
    server.cli(
        {"ACL", "SETUSER", "mo", "on", ">p", "~*", "&*", "+@all", "-pttl"}); // asked for the answer alone
    ServerAddress address = server.socketAddress();
    address.user = "mo";
    address.password = "p";
    Desk desk(address);
    const auto report = desk.run(request(Action::ForceExpire, "python-redis-lock"_family, "lock:k"));
    QVERIFY2(report, report ? "" : report.error().text().constData());
    QCOMPARE(report->outcome, Outcome::Unknown);
    QCOMPARE(report->cause.kind, ErrorKind::NoPermission);
    QCOMPARE(report->found->state, Found::State::Unreadable); // the look asks for PTTL, too
    QCOMPARE(server.cli({"EXISTS", "lock:k"}), "0");
    QCOMPARE(desk.lastRecord()[QLatin1String("outcome")].toString(), QStringLiteral("unknown"));
    QCOMPARE(desk.lastRecord()[QLatin1String("found")][QLatin1String("state")].toString(),
             QStringLiteral("unreadable"));
    QVERIFY(desk.connection.state() == Connection::State::Ready); // a well-formed error is no reason to part
}

void TestOutcomes::onlyTheExactNoScriptSendsTheText()
{
    for (const char *text :
         {"NOSCRIPT No matching script. Please use EVAL.", "NOSCRIPT No matching script."}) {
        FakePeer peer;
        peer.once("EVALSHA", '-' + QByteArray(text) + "\r\n");
        peer.once("EVAL", named("expired", 1));
        Desk desk(peer.address());
        QCOMPARE(desk.run(force("k"))->outcome, Outcome::Expired);
        QCOMPARE(peer.commands("EVAL").size(), 1);
    }
}

void TestOutcomes::theLookTellsWhatItFound_data()
{
    QTest::addColumn<QByteArrayList>("replies"); // PTTL, HSCAN, GETRANGE
    QTest::addColumn<QByteArray>("state");
    const QByteArray wrong = "-WRONGTYPE x\r\n";
    QTest::newRow("held") << QByteArrayList{":29000\r\n", wrong, "$1\r\nt\r\n"} << QByteArray("held");
    QTest::newRow("absent") << QByteArrayList{":-2\r\n", "*2\r\n$1\r\n0\r\n*0\r\n", "$0\r\n\r\n"}
                            << QByteArray("absent");
    const QByteArray refused = "-NOPERM No permissions to access a key\r\n";
    QTest::newRow("may not be read") << QByteArrayList{refused, refused, refused} << QByteArray("unreadable");
    QTest::newRow("no number") << QByteArrayList{"+x\r\n", "+x\r\n", "+x\r\n"} << QByteArray("unreadable");
}

void TestOutcomes::theLookTellsWhatItFound()
{
    QFETCH(const QByteArrayList, replies);
    QFETCH(const QByteArray, state);
    FakePeer peer;
    peer.once("EVALSHA", FakePeer::Answer().reset());
    peer.on("PTTL", replies[0]);
    peer.on("HSCAN", replies[1]);
    peer.on("GETRANGE", replies[2]);
    Desk desk(peer.address());
    const auto report = desk.run(force("k"));
    QCOMPARE(report->outcome, Outcome::Unknown);
    QCOMPARE(foundName(report->found->state), state);
    QCOMPARE(desk.lastRecord()[QLatin1String("found")][QLatin1String("state")].toString().toUtf8(), state);
}

/// Home-made locks are released by a word; but who names an owner says that it is one.
void TestOutcomes::aValueThatIsNoOwner_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<bool>("isHeld");
    for (const QByteArray value : {"unlocked", "0", "free", "{\"state\":\"open\"}"}) {
        QTest::newRow(value.constData()) << value << QByteArray("worker-7") << false;
        QTest::newRow(("named: " + value).constData()) << value << value << true;
    }
}

void TestOutcomes::aValueThatIsNoOwner()
{
    QFETCH(const QByteArray, value);
    QFETCH(const QByteArray, owner);
    QFETCH(const bool, isHeld);
    FakePeer peer;
    peer.once("EVALSHA", FakePeer::Answer().reset());
    peer.on("PTTL", ":-1\r\n");
    peer.on("HSCAN", "-WRONGTYPE x\r\n");
    peer.on("GETRANGE", '$' + QByteArray::number(value.size()) + "\r\n" + value + "\r\n");
    Desk desk(peer.address());
    ActionRequest asked = force("k");
    asked.owner = {};
    asked.expected = {LockOwner{OwnerId(owner), {}, {}}};
    const auto report = desk.run(asked);
    QCOMPARE(report->outcome, Outcome::Unknown);
    QCOMPARE(report->found->state, isHeld ? Found::State::Held : Found::State::Unreadable);
    QCOMPARE(report->found->looksLikeNoLock, !isHeld);
    const QString told = describe(*report);
    QCOMPARE(told.contains(QLatin1String("probably not a lock")), !isHeld);
    QCOMPARE(told.contains(QLatin1String("owner ")), isHeld);
    const QJsonValue found = desk.lastRecord()[QLatin1String("found")];
    QCOMPARE(found[QLatin1String("owners")].toArray().size(), isHeld ? 1 : 0);
    QCOMPARE(found[QLatin1String("looks_like_lock")],
             isHeld ? QJsonValue(QJsonValue::Undefined) : QJsonValue(false));
}

/// One of two readers was to be ended: that the key is there says nothing of it.
void TestOutcomes::ofSeveralOwnersAllAreFound()
{
    const QByteArray a = "8743c9c0-0795-4907-87fd-6c719a6b4586:1";
    const QByteArray b = "8743c9c0-0795-4907-87fd-6c719a6b4586:2";
    for (const bool isThere : {true, false}) {
        FakePeer peer;
        peer.once("EVALSHA", FakePeer::Answer().reset());
        peer.on("PTTL", ":29000\r\n");
        QByteArrayList fields{"mode", "read", a, "1"};
        if (isThere)
            fields += {b, "1"};
        QByteArray scanned = "*2\r\n$1\r\n0\r\n*" + QByteArray::number(fields.size()) + "\r\n";
        for (const QByteArray &field : fields)
            scanned += '$' + QByteArray::number(field.size()) + "\r\n" + field + "\r\n";
        peer.on("HSCAN", scanned);
        peer.on("GETRANGE", "-WRONGTYPE x\r\n");
        Desk desk(peer.address());
        ActionRequest asked = request(Action::ForceExpire, "redisson-read-write"_family, "k");
        asked.expected = {LockOwner{OwnerId(b), "1", 1, HoldMode::Read}};
        asked.onlyExpected = true;
        const auto report = desk.run(asked);
        QVERIFY2(report, report ? "" : report.error().text().constData());
        QCOMPARE(report->outcome, Outcome::Unknown);
        QCOMPARE(report->found->lock->owners.size(), isThere ? 2 : 1);
        const QString told = describe(*report);
        QVERIFY2(told.contains(QString::fromLatin1(isThere ? "still holding the lock: " + b
                                                           : QByteArray("No expected owner"))),
                 qPrintable(told));
        QCOMPARE(desk.lastRecord()[QLatin1String("found")][QLatin1String("owners")].toArray().size(),
                 isThere ? 2 : 1);
    }
}

void TestOutcomes::theLookFindsNoServer()
{
    FakePeer peer;
    peer.once("EVALSHA", FakePeer::Answer().hold());
    Desk desk(peer.address());
    auto future = desk.operations.run(force("k"));
    QTRY_COMPARE(peer.commands("EVALSHA").size(), 1);
    peer.stop();
    const auto report = waitFor(future);
    QCOMPARE(report->outcome, Outcome::Unknown);
    QCOMPARE(report->found->state, Found::State::Unreachable);
    const QJsonValue found = desk.lastRecord()[QLatin1String("found")];
    QCOMPARE(found[QLatin1String("state")].toString(), QStringLiteral("unreachable"));
    QVERIFY(!found[QLatin1String("why")].toString().isEmpty());
}

/// Whoever closes the program does not wait for a server that is away, and has a record all the same.
void TestOutcomes::theEndOfTheProgramEndsTheLook()
{
    FakePeer peer;
    peer.once("EVALSHA", FakePeer::Answer().hold());
    Desk desk(peer.address());
    auto future = desk.operations.run(force("k"));
    QTRY_COMPARE(peer.commands("EVALSHA").size(), 1);
    peer.stop();
    QTRY_VERIFY(desk.connection.state() != Connection::State::Ready);
    QVERIFY(!future.isFinished()); // the look waits for a server
    desk.connection.close();
    QVERIFY(future.isFinished());
    QCOMPARE(future.result()->outcome, Outcome::Unknown);
    QCOMPARE(future.result()->found->state, Found::State::Unreachable);
    QCOMPARE(desk.lastRecord()[QLatin1String("outcome")].toString(), QStringLiteral("unknown"));
}

QTEST_GUILESS_MAIN(TestOutcomes)
#include "tst_outcomes.moc"
