// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/lockfilter.h"

#include "tests/support/familyliteral.h"
#include "tests/ui/samplelocks.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class LockFilterTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void matches_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<WatchedLock>("lock");
        QTest::addColumn<bool>("matches");
        const auto row = [](const char *text, const WatchedLock &lock, bool matches) {
            QTest::addRow("%s | %s%s", text, lock.key().bytes.left(30).constData(), matches ? "" : " | no")
                << QString::fromUtf8(text) << lock << matches;
        };
        const WatchedLock order = reentrant("lock:Order:77", 20s, "web-3:142", 1, 3min);
        row("", order, true);
        row("   ", order, true);
        row("order", order, true);
        row("ORDER:7", order, true);
        row("WEB-3", order, true);
        row("order web", order, true);
        row("order pay", order, false);
        row("order:78", order, false);
        row("-order", order, false);
        row("-pay", order, true);
        row("key:web", order, false);
        row("owner:web", order, true);
        row("owner:order", order, false);
        row("-owner:web", order, false);
        row("owner:web-*", order, true);
        row("owner:WEB*142", order, true);
        row("owner:eb-*", order, false); // all of it
        row("owner:*", order, true);
        row("-owner:web-*", order, false);
        row("key:*:77", order, true);
        row("key:lock:*", order, true);
        row("key:*:7", order, false);
        row("key:l?ck:*", order, false); // nothing else is special
        row("web-*", order, false);
        row("family:reentrant", order, true);
        row("family:token", order, false);
        row("-family:token", order, true);
        row("state:held", order, true);
        row("state:expiring", order, false);
        row("ttl<10s", order, false);
        row("ttl<21", order, true);
        row("ttl<=20s", order, true);
        row("ttl>20s", order, false);
        row("ttl>=20s", order, true);
        row("ttl>500ms", order, true);
        row("ttl<0.5m", order, true);
        row("held>2m", order, true);
        row("held>5m", order, false);
        row("held<1h held>10s", order, true);
        row("-held>2m", order, false);
        const WatchedLock once = readOnce(order.lock, now, 0); // one reading does not tell
        row("held>0", once, false);
        row("held<1h", once, false);
        row("state:held", once, true);
        row("problem:any", order, false);
        row("-problem:any", order, true);
        row("\"order:77\"", order, true);
        row("\"lock:Order:77 x\"", order, false);
        row("\"state:held\"", order, false);
        row("-\"order\"", order, false);
        row("-", order, true);

        const WatchedLock fair =
            queued(redisson("lock:fair", client + ":12", "redisson-fair"_family), {"x:1", "!x:2"});
        row("waiters>=2", fair, true);
        row("waiters>2", fair, false);
        row("waiters<=2 waiters<3", fair, true);
        row("waiters>=2", listenedTo(redisson("lock:plain"), 2), true);
        row("waiters<9", redisson("nothing known"), false);
        row("problem:dead-waiter", fair, true);
        row("problem:any", fair, true);
        row("state:deadlock", seenWith(fair, Problem::Deadlock), true);
        row("family:redisson-fair", fair, true);

        const WatchedLock daily = endless(token("lock_backup daily", 20s, "F47AC10B"));
        row("ttl>1m", daily, true);
        row("ttl<1000d", daily, false);
        row("state:no-expiry", daily, true);
        row("problem:no-expiry", daily, true);
        row("problem:bad-count", daily, false);
        row("problem:any", daily, true);
        row("\"backup daily\"", daily, true);
        row("key:\"p d\"", daily, true);
        row("f47a", daily, true);

        // Bytes, not text: a broken sequence is found by its good part, a letter outside ASCII exactly.
        const WatchedLock bytes = token("lock:\xff\xfe:caf\xc3\xa9");
        row(":caf", bytes, true);
        row("café", bytes, true);
        row("CAFÉ", bytes, false);

        WatchedLock several = reentrant("lock:several");
        several.lock.owners.append({OwnerId("zeta:9"), "1", 1});
        row("owner:zeta", several, true);
        row("-zeta", several, false);

        WatchedLock nobody = endless(reentrant("lock:queue"));
        nobody.lock.owners.clear();
        nobody.lock.family = "unknown"_family;
        row("owner:web", nobody, false);
        WatchedLock permit = reentrant("reports");
        permit.lock.family = "redisson-semaphore"_family;
        permit.lock.owners = {{OwnerId(QByteArray::fromHex("ff03a1c9e7205b4d8f1122b3c4d5e6f7")), {}, 1}};
        row("owner:FF03a1c9", permit, true); // as it is shown, and logged
        row("owner:FF03a1c9*", permit, true);
        const WatchedLock special = token("lock:a*b[1]\\");
        row("key:*b[1]\\", special, true);
        row("key:*b1", special, false);
        row("key:lock:a*", special, true);
        row("ff03a1c8", permit, false);
        row("family:unknown", nobody, true);
    }
    void matches()
    {
        QFETCH(QString, text);
        QFETCH(WatchedLock, lock);
        QFETCH(bool, matches);
        const auto filter = LockFilter::parse(text);
        QVERIFY2(filter, qPrintable(filter ? QString() : filter.error().inEnglish()));
        QCOMPARE(filter->matches(lock, now), matches);
    }

    /// What a user calls a client is found like its id.
    void namesAreSought()
    {
        const WatchedLock lock = redisson("lock:a");
        const ClientsCalled called = [](const auto &isSought) {
            return isSought(QStringLiteral("Order-Service 3")) ? QList{client} : QList<QByteArray>();
        };
        for (const auto &[text, matches] :
             {std::pair("owner:service", true), std::pair("owner:order-*", true),
              std::pair("owner:\"*ICE 3\"", true), std::pair("owner:service*", false),
              std::pair("order-serv", true), std::pair("owner=order-service", false)})
            QVERIFY2(LockFilter::parse(QString::fromLatin1(text), called)->matches(lock, now) == matches,
                     text);
    }

    void nonsenseIsExplained_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("mentions");
        QTest::newRow("no value") << QStringLiteral("order owner:") << QStringLiteral("owner:");
        QTest::newRow("state") << QStringLiteral("state:stuck") << QStringLiteral("no-expiry");
        QTest::newRow("family") << QStringLiteral("family:redis") << QStringLiteral("Family column");
        QTest::newRow("problem") << QStringLiteral("-problem:x") << QStringLiteral("bad-count");
        QTest::newRow("no time") << QStringLiteral("ttl<") << QStringLiteral("10s");
        QTest::newRow("no number") << QStringLiteral("held>abc") << QStringLiteral("held>abc");
        QTest::newRow("negative") << QStringLiteral("held>-1s") << QStringLiteral("10s");
        QTest::newRow("not a number") << QStringLiteral("ttl<nan") << QStringLiteral("10s");
        QTest::newRow("endless") << QStringLiteral("ttl<inf") << QStringLiteral("10s");
        QTest::newRow("unit") << QStringLiteral("ttl<10x") << QStringLiteral("10s");
        QTest::newRow("quote") << QStringLiteral("a \"b c") << QStringLiteral("quotation");
    }
    void nonsenseIsExplained()
    {
        QFETCH(QString, text);
        QFETCH(QString, mentions);
        const auto filter = LockFilter::parse(text);
        QVERIFY(!filter);
        const QString why = filter.error().inEnglish();
        QVERIFY2(why.contains(mentions), qPrintable(why));
    }

    void narrowing_data()
    {
        QTest::addColumn<QString>("wide");
        QTest::addColumn<QString>("narrow");
        QTest::addColumn<bool>("narrows");
        const auto row = [](const char *wide, const char *narrow, bool narrows) {
            QTest::addRow("%s > %s", wide, narrow)
                << QString::fromUtf8(wide) << QString::fromUtf8(narrow) << narrows;
        };
        row("", "a", true);
        row("or", "ord", true);
        row("ord", "or", false);
        row("owner:or", "owner:ord*", false);
        row("owner:or*", "owner:ord*", false);
        row("or", "or pay", true);
        row("-or", "-ord", false);
        row("or", "-order", false);
        row("key:a", "a", false);
        row("family:token", "family:token a", true);
        row("ttl<10s", "ttl<10s a", false);
    }
    void narrowing()
    {
        QFETCH(QString, wide);
        QFETCH(QString, narrow);
        QFETCH(bool, narrows);
        QCOMPARE(LockFilter::parse(narrow)->narrows(*LockFilter::parse(wide)), narrows);
    }

    void timeMatters()
    {
        QVERIFY(LockFilter::parse(QStringLiteral("ttl<5s"))->dependsOnTime());
        QVERIFY(LockFilter::parse(QStringLiteral("a -state:held"))->dependsOnTime());
        QVERIFY(!LockFilter::parse(QStringLiteral("a family:token problem:no-expiry"))->dependsOnTime());
        // A lock can become stalled, which is a problem.
        for (const QString &text : {QStringLiteral("problem:any"), QStringLiteral("problem:stalled"),
                                    QStringLiteral("state:stalled")}) {
            const auto filter = LockFilter::parse(text);
            QVERIFY(filter && filter->dependsOnTime());
            QVERIFY(filter->matches(stalled("a"), now));
            QVERIFY(!filter->matches(stalled("a", 29s), now));
            QVERIFY(filter->matches(stalled("a", 29s), now + 12s));
        }
        const auto soon = LockFilter::parse(QStringLiteral("ttl<5s"));
        QVERIFY(!soon->matches(reentrant("a", 20s), now));
        QVERIFY(soon->matches(reentrant("a", 20s), now + 16s));
    }
};

QTEST_GUILESS_MAIN(LockFilterTest)
#include "tst_lockfilter.moc"
