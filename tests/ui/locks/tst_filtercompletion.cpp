// SPDX-License-Identifier: GPL-3.0-or-later
// What may follow in a filter, and terms made of a lock's cells.
#include "ui/locks/filtercompletion.h"

#include "core/table/lockcolumns.h"
#include "core/table/locktablemodel.h"
#include "tests/ui/samplelocks.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class FilterCompletionTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void whatIsOffered()
    {
        DisplayClock clock;
        clock.holdAt(now);
        LockTableModel model(clock);
        model.apply(changes({reentrant("a"), reentrant("b", 20s, "web 2"), token("c"),
                             endless(token("d", 20s, "web-1:7")), stalled("e")}));
        const auto offered = [&](const char *word) {
            QStringList texts;
            for (const auto &each :
                 suggestionsFor(filterWords(QString::fromUtf8(word)).value(0), model, clock))
                texts.append(each.detail.isEmpty() ? each.text : each.text + u' ' + each.detail);
            return texts.join(u'|');
        };
        QVERIFY(offered("sta").startsWith(QStringLiteral("state: ")));
        QVERIFY(offered("-sta").startsWith(QStringLiteral("-state: ")));
        QCOMPARE(offered("order"), QString());
        QCOMPARE(offered("\"sta"), QString());
        QVERIFY(!offered("no").contains(QStringLiteral("node"))); // of a cluster alone
        QCOMPARE(offered("state:"), QStringLiteral("state:held 3|state:no-expiry 1|state:stalled 1"));
        QCOMPARE(offered("state:st"), QStringLiteral("state:stalled 1"));
        QCOMPARE(offered("state:stalled"), QString());
        QCOMPARE(offered("state:dead"), QStringLiteral("state:deadlock 0")); // there could be one
        QVERIFY(offered("family:").startsWith(QStringLiteral("family:reentrant 2|family:token 2")));
        QCOMPARE(offered("problem:"), QStringLiteral("problem:any 2|problem:no-expiry 1|problem:stalled 1")
                                          .replace(QStringLiteral("problem:no-expiry 1|problem:stalled 1"),
                                                   QStringLiteral("problem:stalled 1|problem:no-expiry 1")));
        QCOMPARE(offered("owner:WEB"), QStringLiteral("owner=\"web-1:7\" 2|owner=\"web 2\" 1"));
        QVERIFY(offered("ttl<").contains(QStringLiteral("ttl<10s")));
        QCOMPARE(offered("ttl<5"), QString());
        QCOMPARE(offered("key:"), QString());
    }

    void cellsAsTerms()
    {
        const WatchedLock lock =
            queued(seenWith(redisson("lock:a \"b\""), Problem::DeadWaiter), {"x:1", "y:2"});
        QStringList terms;
        for (const CellTerm &each : cellTerms({lock, now, {}})) {
            terms.append(each.term);
            const auto filter = LockFilter::parse(each.term);
            QVERIFY2(filter && filter->matches(lock, now), qPrintable(each.term));
        }
        QCOMPARE(terms,
                 (QStringList{QStringLiteral("state:held"), QStringLiteral("key=\"lock:a \\x22b\\x22\""),
                              QStringLiteral("family:redisson"),
                              QStringLiteral("owner=\"%1:12\"").arg(QString::fromLatin1(client)),
                              QStringLiteral("waiters=2"), QStringLiteral("problem:dead-waiter")}));
        const auto ofStalled = cellTerms({stalled("lock:c"), now, {}});
        QVERIFY(std::ranges::any_of(ofStalled, [](const CellTerm &each) {
            return each.column == LockColumn::Problem && each.term == QStringLiteral("problem:stalled");
        }));
        WatchedLock longer = listenedTo(reentrant("lock:b"), 1); // than usual: for 5 s
        longer.unusualAfter = now - 1s;
        const auto hasUnusual = [&longer](TimePoint at) {
            return std::ranges::any_of(cellTerms({longer, at, {}}), [&](const CellTerm &each) {
                return each.column == LockColumn::Problem && each.term == QStringLiteral("problem:unusual") &&
                       LockFilter::parse(each.term)->matches(longer, at);
            });
        };
        QVERIFY(hasUnusual(now));
        QVERIFY(!hasUnusual(now - 2s));
        WatchedLock permit = reentrant("reports");
        permit.lock.family = "redisson-semaphore"_family;
        permit.lock.owners = {{OwnerId(QByteArray::fromHex("ff03a1c9")), {}, 1}};
        const QList<CellTerm> own = cellTerms({permit, now, {}});
        QVERIFY(std::ranges::any_of(own, [&permit](const CellTerm &each) {
            return each.term == QStringLiteral("owner=\"ff03a1c9\"") &&
                   LockFilter::parse(each.term)->matches(permit, now);
        }));
    }
};

QTEST_MAIN(FilterCompletionTest)
#include "tst_filtercompletion.moc"
