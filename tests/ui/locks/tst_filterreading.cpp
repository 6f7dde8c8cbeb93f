// SPDX-License-Identifier: GPL-3.0-or-later
// What a filter's text means word by word, what may follow, and terms made of a lock's cells.
#include "ui/locks/filterreading.h"

#include "tests/ui/samplelocks.h"
#include "ui/locks/filtercompletion.h"
#include "ui/locks/filterfields.h"
#include "ui/locks/lockcolumns.h"
#include "ui/locks/locktablemodel.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

using State = FilterReading::State;

class FilterReadingTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void words()
    {
        const auto words = filterWords(QStringLiteral(" a  key:\"two words\" -\"x y\" \"open z"));
        QCOMPARE(words.size(), 4);
        QCOMPARE(words[0].start, 1);
        QCOMPARE(words[0].end(), 2);
        QCOMPARE(words[1].text, QByteArray("key:two words"));
        QCOMPARE(words[1].start, 4);
        QCOMPARE(words[1].size, 15);
        QVERIFY(!words[1].quoted && words[1].isClosed);
        QVERIFY(words[2].quoted && words[2].isNegated());
        QCOMPARE(words[2].positive(), QByteArray("x y"));
        QVERIFY(words[3].quoted && !words[3].isClosed);
    }

    void exactWords_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        const QList<QByteArray> samples{"lock:order:1",
                                        "two words",
                                        "a\"b",
                                        "back\\slash",
                                        "\\x41",
                                        "\xff\xfe\x00z",
                                        "caf\xc3\xa9",
                                        "a\tb\r\nc",
                                        "\xe2\x80\xae"
                                        "evil",
                                        "-not",
                                        "=1+1",
                                        " edge ",
                                        "key=\"x\"",
                                        QByteArray("\0", 1)};
        for (const QByteArray &sample : samples)
            QTest::newRow(sample.toPercentEncoding().constData()) << sample;
    }
    /// Matches these bytes alone, whatever they are.
    void exactWords()
    {
        QFETCH(QByteArray, bytes);
        for (const char *field : {"key", "owner"}) {
            const auto word = exactWord(field, bytes);
            QVERIFY(word);
            const auto filter = LockFilter::parse(*word);
            QVERIFY2(filter, qPrintable(filter ? QString() : filter.error()));
            const bool isKey = qstrcmp(field, "key") == 0;
            const auto lock = [isKey](const QByteArray &value) {
                return isKey ? token(value) : token("lock:a", 20s, value);
            };
            QVERIFY(filter->matches(lock(bytes), now));
            QVERIFY(!filter->matches(lock(bytes + 'x'), now));
            QVERIFY(!filter->matches(lock(bytes.toUpper() + 'A'), now));
            const auto others = LockFilter::parse(u'-' + *word);
            QVERIFY(others && !others->matches(lock(bytes), now) && others->matches(lock("other"), now));
        }
    }

    void whatIsTooLongIsNoWord() { QVERIFY(!exactWord("key", QByteArray(2000, 'k'))); }

    void reading_data()
    {
        QTest::addColumn<QString>("text"); // "|" is the cursor; without one, nobody types
        QTest::addColumn<QList<State>>("states");
        QTest::addColumn<QString>("inForce");
        QTest::addColumn<QString>("says");
        using List = QList<State>;
        const auto row = [](const char *text, const List &states, const char *inForce,
                            const char *says = "") {
            QTest::newRow(text) << QString::fromUtf8(text) << states << QString::fromUtf8(inForce)
                                << QString::fromUtf8(says);
        };
        row("", {}, "");
        row("pay|", {State::Whole}, "pay");
        row("state:held|", {State::Whole}, "state:held");
        row("state:|", {State::Unfinished}, "", "Expected: a state");
        row("state:sta|", {State::Unfinished}, "", "Expected: a state");
        row("pay state:sta|", {State::Whole, State::Unfinished}, "pay", "Expected: a state");
        row("-state:sta|", {State::Unfinished}, "", "Expected: a state");
        row("state:xyz|", {State::Wrong}, "", "No state is called");
        row("state:sta |", {State::Wrong}, "", "No state is called");
        row("state:sta", {State::Wrong}, "", "No state is called");
        row("|state:sta", {State::Wrong}, "", "No state is called");
        row("state:s|ta pay", {State::Unfinished, State::Whole}, "pay", "Expected: a state");
        row("pay state:xyz|", {State::Whole, State::Wrong}, "pay", "No state is called");
        row("owner:|", {State::Unfinished}, "", "owner ID");
        row("owner:", {State::Wrong}, "", "needs a value");
        row("owner=|", {State::Unfinished}, "", "whole owner ID");
        row("key=\\q", {State::Wrong}, "", "backslash");
        row("ttl<|", {State::Unfinished}, "", "a time");
        row("ttl<=|", {State::Unfinished}, "", "a time");
        row("ttl<.|", {State::Unfinished}, "", "a time");
        row("ttl<1|", {State::Whole}, "ttl<1");
        row("ttl<1x|", {State::Wrong}, "", "needs a time");
        row("waiters>=|", {State::Unfinished}, "", "a number");
        row("waiters=2|", {State::Whole}, "waiters=2");
        row("problem:no-|", {State::Unfinished}, "", "a problem");
        row("family:re|", {State::Unfinished}, "", "a family");
        row("\"two wo|", {State::Unfinished}, "", "quotation mark");
        row("\"two wo", {State::Wrong}, "", "quotation mark");
        // What is wrong is said first, wherever it stands.
        row("state:xyz ttl<|", {State::Wrong, State::Unfinished}, "", "No state is called");
        row("ttl<| state:xyz", {State::Unfinished, State::Wrong}, "", "No state is called");
        // Free text that may become a token, and would empty the table.
        row("stat|", {State::Unfinished}, "", "No lock contains “stat”");
        row("pay stat|", {State::Whole, State::Unfinished}, "pay", "No lock contains “stat”");
        row("stat", {State::Whole}, "stat");
        row("p|", {State::Whole}, "p");
        row("zzz|", {State::Whole}, "zzz");
    }
    void reading()
    {
        QFETCH(QString, text);
        QFETCH(QList<State>, states);
        QFETCH(QString, inForce);
        QFETCH(QString, says);
        const qsizetype cursor = text.indexOf(u'|');
        const FilterReading reading(
            text.remove(u'|'), cursor < 0 ? std::nullopt : std::optional(cursor), OwnerNames::none(), {},
            [](const LockFilter &filter) { return filter.matches(token("lock:pay"), now); });
        QList<State> found;
        for (const FilterReading::Word &word : reading.words())
            found.append(word.state);
        QCOMPARE(found, states);
        QCOMPARE(reading.filter(), *LockFilter::parse(inForce));
        QVERIFY2(says.isEmpty() == reading.message().isEmpty() && reading.message().contains(says),
                 qPrintable(reading.message()));
        QCOMPARE(reading.isWrong(), states.contains(State::Wrong));
    }

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

    void errorsNameEveryValue()
    {
        for (const QByteArrayView token : {"state:", "problem:"}) {
            const auto filter = LockFilter::parse(QString::fromLatin1(token) + QStringLiteral("xyz"));
            QVERIFY(!filter);
            for (const QByteArray &value : fixedValues(token))
                QVERIFY2(filter.error().contains(QString::fromLatin1(value)), value);
        }
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

QTEST_MAIN(FilterReadingTest)
#include "tst_filterreading.moc"
