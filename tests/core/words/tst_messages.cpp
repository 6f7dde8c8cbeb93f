// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/actionnames.h"
#include "core/base/printable.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/words/messages.h"
#include "tests/support/familyliteral.h"
#include "tests/support/machineclock.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestWords : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void namesAreThoseOfTheContract();
    void everyErrorHasItsOwnWords();
    void errorNamesCauseAndTextOfServer();
    void errorsDetailIsEscaped();
    void everyOutcomeHasItsOwnWords();
    void nothingIsSaidOfNoHolds();
    void unknownOutcomeTellsWhatWasFound();
    void ofSeveralOwnersAllAreTold();
    void everyProblemHasItsOwnWords();
    void printableBytes_data();
    void printableBytes();
    void printableCutsFirst();
    void losslessBytes_data();
    void losslessBytes();
};

void TestWords::namesAreThoseOfTheContract()
{
    QCOMPARE(familyName("reentrant"_family), "reentrant");
    QCOMPARE(familyName("token"_family), "token");
    QCOMPARE(familyName("unknown"_family), "unknown");
    QCOMPARE(familyFromName("token"), "token"_family);
    QVERIFY(!familyFromName("Token"));
    QVERIFY(!familyFromName(""));
    QByteArrayList names;
    for (const Family family : allFamilies()) {
        names.append(familyName(family));
        QCOMPARE(familyFromName(names.last()), family);
    }
    const QByteArrayList contract =
        QByteArray(
            "reentrant token unknown redisson redisson-fair redisson-fenced redisson-read-write "
            "redisson-multi "
            "redisson-semaphore redisson-latch redis-py redbeat celery-once django-redis python-redis-lock "
            "bullmq "
            "bull shedlock spring-integration laravel symfony sidekiq-unique-jobs redsync bsm-redislock "
            "redlock-net "
            "pottery node-redlock redlock-universal redis-semaphore madelson hangfire lock4j redlock4j "
            "quartz "
            "handoff")
            .split(' ');
    for (const QByteArray &name : contract)
        QVERIFY2(names.contains(name), name.constData());

    const QList<QByteArray> outcomes{
        "acquired",  "reentered", "held-by-other",    "released",      "unwound",       "not-held",
        "extended",  "expired",   "already-gone",     "owner-changed", "holds-changed", "wrong-type",
        "bad-count", "removed",   "not-waiting",      "still-listens", "lease-changed", "not-heard",
        "woken",     "renewed",   "evidence-changed", "unknown"};
    for (int i = 0; i < outcomes.size(); ++i) {
        QCOMPARE(outcomeName(static_cast<Outcome>(i)), outcomes[i]);
        QCOMPARE(outcomeName.valueOf(outcomes[i]), static_cast<Outcome>(i));
    }
    QVERIFY(!outcomeName.valueOf("done"));

    const QList<QByteArray> events{"found",         "acquired",    "reentered", "unwound",
                                   "renewed",       "shortened",   "released",  "expired",
                                   "owner-changed", "expiry-lost", "vanished",  "forced"};
    for (int i = 0; i < events.size(); ++i)
        QCOMPARE(eventName(static_cast<EventKind>(i)), events[i]);

    const QList<QByteArray> actions{"acquire", "release", "extend", "force-expire", "remove-waiter", "wake"};
    for (int i = 0; i < actions.size(); ++i)
        QCOMPARE(actionName(static_cast<Action>(i)), actions[i]);

    QList<QByteArray> problems;
    for (const Problem problem : problemList(Problems(0xffff)))
        problems.append(problemName(problem));
    QCOMPARE(problems, QList<QByteArray>({"no-expiry", "bad-count", "several-owners", "wrong-type", "too-big",
                                          "dead-waiter", "orphaned", "came-back", "deadlock", "no-quorum",
                                          "owners-differ", "holder-dead", "unreadable"}));
    QVERIFY(problemList({}).isEmpty());
}

void TestWords::everyErrorHasItsOwnWords()
{
    QSet<QString> seen;
    const int kinds = static_cast<int>(ErrorKind::InvalidArgument) + 1;
    for (int kind = 0; kind < kinds; ++kind) {
        const QString text =
            describe(Error{static_cast<ErrorKind>(kind), {}}, QStringLiteral("db.example:6379"));
        QVERIFY2(text.contains(QLatin1String("db.example:6379")), qPrintable(text));
        QVERIFY2(text.endsWith(u'.') || text.endsWith(u'?'), qPrintable(text));
        seen.insert(text);
    }
    QCOMPARE(seen.size(), kinds);
}

void TestWords::errorNamesCauseAndTextOfServer()
{
    QCOMPARE(
        describe(Error{ErrorKind::ConnectionRefused, "Connection refused"}, QStringLiteral("localhost:6379")),
        QStringLiteral("localhost:6379 refused the connection. Check the address and the server."));
    QVERIFY(describe(Error{ErrorKind::NoPermission, "NOPERM no 'scan'"}, QStringLiteral("h"))
                .contains(QLatin1String("NOPERM no 'scan'")));
    QCOMPARE(
        describe(Error{ErrorKind::InvalidArgument, "The lease must be at least 1 ms."}, QStringLiteral("h")),
        QStringLiteral("The lease must be at least 1 ms."));
    QVERIFY(describe(Error{ErrorKind::AuthRequired, {}}, {}).startsWith(QLatin1String("the server")));
}

void TestWords::errorsDetailIsEscaped()
{
    const QString text = describe(Error{ErrorKind::ServerError, "ERR \x1b[31m\xe2\x80\xae %1 %2\r\n\xff"},
                                  QStringLiteral("%2"));
    QVERIFY2(text.contains(QLatin1String("ERR \\x1b[31m\\u{202e} %1 %2\\x0d\\x0a\\xff")), qPrintable(text));
    QVERIFY(text.startsWith(QLatin1String("%2 answered")));
    QVERIFY(describe(Error{ErrorKind::ServerError, QByteArray(1024, 'x')}, QStringLiteral("h")).size() < 400);
}

void TestWords::everyOutcomeHasItsOwnWords()
{
    QSet<QString> seen;
    const int outcomes = static_cast<int>(Outcome::Unknown) + 1;
    for (int outcome = 0; outcome < outcomes; ++outcome) {
        ActionResult report;
        report.outcome = static_cast<Outcome>(outcome);
        QVERIFY(!describe(report).isEmpty());
        seen.insert(describe(report));
    }
    QCOMPARE(seen.size(), outcomes);

    ActionResult report;
    report.outcome = Outcome::Unwound;
    report.holdCount = 2;
    report.ttl = 30s;
    report.message = "waiters not woken: \x1b";
    QCOMPARE(describe(report),
             QStringLiteral("One hold was released; the lock is still held. Hold count: 2. Expires "
                            "in 30 s. Note: waiters not woken: \\x1b"));
}

void TestWords::nothingIsSaidOfNoHolds()
{
    ActionResult report;
    report.outcome = Outcome::Released;
    report.holdCount = 0;
    QCOMPARE(describe(report), QStringLiteral("The lock was released."));
}

void TestWords::unknownOutcomeTellsWhatWasFound()
{
    ActionResult report;
    report.outcome = Outcome::Unknown;
    QVERIFY(describe(report).contains(QLatin1String("Recheck failed.")));
    report.found = Found{Found::State::Unreadable, {}, Error(ErrorKind::NoPermission, "NOPERM")};
    QVERIFY(describe(report).contains(QLatin1String("failed: NOPERM")));
    report.found = Found{Found::State::Unreadable, {}, {}, LockKey("lock:x")};
    QVERIFY(describe(report).contains(QLatin1String("belongs to the lock lock:x")));
    report.found = Found{Found::State::Unreadable, Lock(), {}, {}, true};
    QVERIFY(describe(report).contains(QLatin1String("probably not a lock")));
    report.found = Found{Found::State::Absent, {}, {}};
    QVERIFY(describe(report).contains(QLatin1String("does not exist")));
    report.found = Found{Found::State::Unreadable, Lock(), {}};
    QVERIFY(describe(report).contains(QLatin1String("owner cannot be read")));
    report.found = Found{Found::State::Held, Lock(), {}};
    report.found->lock->owners = {LockOwner{OwnerId("web\n1"), "3", 3}};
    QVERIFY(describe(report).contains(QLatin1String("owner web\\x0a1, hold count 3")));
}

/// A key that others hold as well says by being there nothing of the one that was to be ended.
void TestWords::ofSeveralOwnersAllAreTold()
{
    const auto holder = [](const QByteArray &owner) { return LockOwner{OwnerId(owner), "1", 1}; };
    const auto reported = [](const QList<LockOwner> &there, const QList<LockOwner> &expected,
                             Problems problems = {}) {
        ActionResult report;
        report.action = Action::ForceExpire;
        report.outcome = Outcome::Unknown;
        report.found = Found{Found::State::Held, Lock(), {}};
        report.found->lock->owners = there;
        report.found->lock->problems = problems;
        report.found->expected = expected;
        return describe(report);
    };
    const LockOwner a = holder("A"), b = holder("B"), c = holder("C");
    const QString both = reported({a, b}, {b});
    QVERIFY2(both.contains(QLatin1String(
                 "owner A, hold count 1; owner B, hold count 1. Expected owners still holding the lock: B.")),
             qPrintable(both));
    const QString gone = reported({a}, {b});
    QVERIFY2(gone.contains(QLatin1String("owner A, hold count 1. No expected owner holds the lock.")),
             qPrintable(gone));
    QVERIFY(reported({a, c}, {a, b}).contains(QLatin1String("still holding the lock: A.")));
    const QString part = reported({a}, {b}, Problem::TooBig);
    QVERIFY2(part.contains(QLatin1String("No expected owner in the part that was read.")), qPrintable(part));
    LockOwner writer = b;
    writer.mode = HoldMode::Write;
    QVERIFY(reported({a, writer}, {b}).contains(QLatin1String("No expected owner")));
    QList<LockOwner> many;
    for (int i = 0; i < 1300; ++i)
        many.append(holder("w" + QByteArray::number(i)));
    const QString bounded = reported(many, {many.last()});
    QVERIFY2(bounded.contains(QLatin1String(
                 "w4, hold count 1; and 1,295 more. Expected owners still holding the lock: w1299.")),
             qPrintable(bounded));
    QCOMPARE(reported({a}, {a}).count(u'A'), reported({a}, {}).count(u'A'));
}

void TestWords::everyProblemHasItsOwnWords()
{
    QSet<QString> seen;
    for (const Problem problem : problemList(Problems(0xffff)))
        seen.insert(describe(problem));
    QCOMPARE(seen.size(), 13);
    QVERIFY(!seen.contains(QString()));
}

void TestWords::printableBytes_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");

    const auto row = [](const char *name, const QByteArray &bytes, const char *text) {
        QTest::newRow(name) << bytes << QString::fromUtf8(text);
    };
    row("empty", "", "");
    row("plain", "lock:order:77", "lock:order:77");
    row("letters", "lock:ключ:锁:\xf0\x9f\x94\x92", "lock:ключ:锁:\xf0\x9f\x94\x92");
    row("markup is text", "<b>&lt;</b>%1", "<b>&lt;</b>%1");
    row("backslash", "a\\x", "a\\\\x");
    row("NUL", QByteArray("a\0b", 3), "a\\x00b");
    row("line ends", "a\r\n\tb", "a\\x0d\\x0a\\x09b");
    row("terminal codes", "\x1b[2J\x7f", "\\x1b[2J\\x7f");
    row("C1 control", "\xc2\x9b", "\\u{9b}");
    row("right-to-left override", "a\xe2\x80\xae", "a\\u{202e}");
    row("isolate", "\xe2\x81\xa6", "\\u{2066}");
    row("zero-width", "a\xe2\x80\x8b\xe2\x80\x8d\xef\xbb\xbf", "a\\u{200b}\\u{200d}\\u{feff}");
    row("line separator", "\xe2\x80\xa8", "\\u{2028}");
    row("blank letter", "\xe3\x85\xa4", "\\u{3164}");
    row("tag character", "\xf3\xa0\x81\x81", "\\u{e0041}");
    row("bad bytes", "a\xff\xc3(", "a\\xff\\xc3(");
    row("cut sequence", "\xe2\x82", "\\xe2\\x82");
    row("overlong", "\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf", "\\xc0\\xaf\\xe0\\x80\\xaf\\xf0\\x80\\x80\\xaf");
    row("surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80");
    row("beyond Unicode", "\xf4\x90\x80\x80\xf5", "\\xf4\\x90\\x80\\x80\\xf5");
}

void TestWords::printableBytes()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, text);
    QCOMPARE(printable(bytes), text);
}

void TestWords::printableCutsFirst()
{
    QCOMPARE(printable("abcd", 4), QStringLiteral("abcd"));
    QCOMPARE(printable("abcde", 4), QStringLiteral("abcd…"));
    QCOMPARE(printable("\xff\xff\xff", 2), QStringLiteral("\\xff\\xff…"));
    QCOMPARE(printable("a", 0), QStringLiteral("…"));
    // A wide view of a small array: a reader that went past the cut would be caught by its time or by the
    // sanitizer.
    const QByteArray big(64 * 1024 * 1024, '\xcc');
    const auto printing = workTime([&big] {
        for (int i = 0; i < 4; ++i)
            QCOMPARE(printable(big).size(), 256 * 4 + 1);
    });
    QVERIFY2(printing < walkTime(big), "the whole value was looked at");
}

void TestWords::losslessBytes_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("valid");

    const auto row = [](const char *name, const QByteArray &bytes, const QString &text, bool valid) {
        QTest::newRow(name) << bytes << text << valid;
    };
    row("plain", "lock:1", QStringLiteral("lock:1"), true);
    row("backslash stays", "a\\xff", QStringLiteral("a\\xff"), true);
    row("control stays", QByteArray("\0\x1b\n", 3), QStringLiteral("\0\x1b\n"), true);
    row("byte order marks stay", "\xef\xbb\xbf\xef\xbb\xbfx", QString(QChar(0xfeff)) + QChar(0xfeff) + u'x',
        true);
    row("bad bytes",
        "\xff"
        "a\xfe\xfd\xc3\xa4",
        QStringLiteral("\\xffa\\xfe\\xfdä"), false);
    row("long", QByteArray(1000, 'x'), QString(1000, u'x'), true);
}

void TestWords::losslessBytes()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, text);
    QFETCH(bool, valid);
    QCOMPARE(lossless(bytes), text);
    QCOMPARE(isValidUtf8(bytes), valid);
}

QTEST_GUILESS_MAIN(TestWords)
#include "tst_messages.moc"
