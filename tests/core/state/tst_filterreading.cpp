// SPDX-License-Identifier: GPL-3.0-or-later
// What a filter's text means word by word.
#include "core/state/filterreading.h"

#include "core/state/filterfields.h"
#include "tests/ui/samplelocks.h"

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
            QVERIFY2(filter, qPrintable(filter ? QString() : filter.error().inEnglish()));
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
        row("state:|", {State::Unfinished}, "", "State, such as held");
        row("state:sta|", {State::Unfinished}, "", "State, such as held");
        row("pay state:sta|", {State::Whole, State::Unfinished}, "pay", "State, such as held");
        row("-state:sta|", {State::Unfinished}, "", "State, such as held");
        row("state:xyz|", {State::Wrong}, "", "is unknown. Try");
        row("state:sta |", {State::Wrong}, "", "is unknown. Try");
        row("state:sta", {State::Wrong}, "", "is unknown. Try");
        row("|state:sta", {State::Wrong}, "", "is unknown. Try");
        row("state:s|ta pay", {State::Unfinished, State::Whole}, "pay", "State, such as held");
        row("pay state:xyz|", {State::Whole, State::Wrong}, "pay", "is unknown. Try");
        row("owner:|", {State::Unfinished}, "", "owner ID");
        row("owner:", {State::Wrong}, "", "needs a value");
        row("owner=|", {State::Unfinished}, "", "Whole owner ID");
        row("key=\\q", {State::Wrong}, "", "backslash");
        row("ttl<|", {State::Unfinished}, "", "a time");
        row("ttl<=|", {State::Unfinished}, "", "a time");
        row("ttl<.|", {State::Unfinished}, "", "a time");
        row("ttl<1|", {State::Whole}, "ttl<1");
        row("ttl<1x|", {State::Wrong}, "", "needs a time");
        row("waiters>=|", {State::Unfinished}, "", "a number");
        row("waiters=2|", {State::Whole}, "waiters=2");
        row("problem:no-|", {State::Unfinished}, "", "Problem, such as");
        row("family:re|", {State::Unfinished}, "", "Family, such as");
        row("\"two wo|", {State::Unfinished}, "", "quotation mark");
        row("\"two wo", {State::Wrong}, "", "quotation mark");
        // What is wrong is said first, wherever it stands.
        row("state:xyz ttl<|", {State::Wrong, State::Unfinished}, "", "is unknown. Try");
        row("ttl<| state:xyz", {State::Unfinished, State::Wrong}, "", "is unknown. Try");
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
            text.remove(u'|'), cursor < 0 ? std::nullopt : std::optional(cursor), {}, {},
            [](const LockFilter &filter) { return filter.matches(token("lock:pay"), now); });
        QList<State> found;
        for (const FilterReading::Word &word : reading.words())
            found.append(word.state);
        QCOMPARE(found, states);
        QCOMPARE(reading.filter(), *LockFilter::parse(inForce));
        const QString message = reading.message().inEnglish();
        QVERIFY2(says.isEmpty() == message.isEmpty() && message.contains(says), qPrintable(message));
        QCOMPARE(reading.isWrong(), states.contains(State::Wrong));
    }

    void errorsNameEveryValue()
    {
        for (const QByteArrayView token : {"state:", "problem:"}) {
            const auto filter = LockFilter::parse(QString::fromLatin1(token) + QStringLiteral("xyz"));
            QVERIFY(!filter);
            for (const QByteArray &value : fixedValues(token))
                QVERIFY2(filter.error().inEnglish().contains(QString::fromLatin1(value)), value);
        }
    }
};

QTEST_GUILESS_MAIN(FilterReadingTest)
#include "tst_filterreading.moc"
