// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/keynamefilter.h"

#include "tests/support/familyliteral.h"

#include <QRegularExpression>
#include <QtTest>

using namespace lockscope;

using By = KeyNameFilter::By;

namespace {

constexpr auto rq = "rq:scheduler-lock:default";
constexpr auto rqGlob = "rq:scheduler-lock:*";

} // namespace

class TestNominatedNames : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void byPatternAndFamily()
    {
        KeyNameFilter names(KeyNameFilter::defaultPatterns());
        QVERIFY(names.discovers());
        QCOMPARE(names.nomination("lock:a"), By::Pattern);
        QCOMPARE(names.nomination("bull:mail:1:lock"), By::Pattern); // by both
        QCOMPARE(names.nomination(rq), By::Family);
        QCOMPARE(names.nomination("laravel_cache:a"), By::Nothing);
        QCOMPARE(names.nomination("orders"), By::Nothing);
        QCOMPARE(names.nomination(""), By::Nothing);
        QCOMPARE(names.globsOf(rq), QList<QByteArray>{rqGlob});
        QCOMPARE(names.globsOf("lock:a:lock"), (QList<QByteArray>{"lock:*", "*:lock"}));
        QCOMPARE(names.hintOf("laravel_cache:a"), "laravel_cache*");
        QCOMPARE(names.hintOf("orders"), QByteArray());

        names.setPatterns(KeyNameFilter::defaultPatterns() + QList<QByteArray>{"job:*"});
        QVERIFY(names.contains(rq) && names.contains("job:1"));
    }

    void familiesThatAreNotLookedFor()
    {
        KeyNameFilter names(KeyNameFilter::defaultPatterns());
        FamilySet undiscovered;
        undiscovered.insert("rq"_family);
        names.setPatterns(KeyNameFilter::defaultPatterns(), undiscovered);
        QCOMPARE(names.nomination(rq), By::Nothing);
        QCOMPARE(names.globsOf(rq), QList<QByteArray>());
        QCOMPARE(names.hintOf(rq), QByteArray());
        QCOMPARE(names.nomination("mutex:a"), By::Family);
        names.setPatterns(KeyNameFilter::defaultPatterns() + QList<QByteArray>{"rq:*"}, undiscovered);
        QCOMPARE(names.nomination(rq), By::Pattern);
        names.setPatterns(KeyNameFilter::defaultPatterns());
        QCOMPARE(names.nomination(rq), By::Family);
    }

    void byWord()
    {
        KeyNameFilter names(KeyNameFilter::defaultPatterns());
        QCOMPARE(names.nomination("main:user:42-lock"), By::Word);
        QCOMPARE(names.globsOf("main:user:42-lock"), QList<QByteArray>{"*-lock"});
        QCOMPARE(names.nomination("shop:leader"), By::Nothing); // which only hints
        names.note("main:user:42-lock", true, true);
        QCOMPARE(names.inUse(), KeyNameFilter::defaultPatterns() + QList<QByteArray>{"*-lock"});
        for (qint64 i = 1; i < KeyNameFilter::maxOthers; ++i)
            QCOMPARE(names.note("shop_mutex:a", false, true), QByteArray());
        QCOMPARE(names.note("shop_mutex:a", false, true), "shop_mutex:*");
        QVERIFY(!names.contains("shop_mutex:b") && names.contains("main:user:43-lock"));
    }

    /// Each name with a pattern of its own: they count together.
    void byWordBounded()
    {
        KeyNameFilter names(KeyNameFilter::defaultPatterns());
        QByteArray leftOut;
        for (qint64 i = 0; i < 40'000 && leftOut.isEmpty(); ++i) {
            QByteArray letters;
            for (qint64 rest = i; rest > 0 || letters.isEmpty(); rest /= 26)
                letters.append(char('a' + rest % 26));
            leftOut = names.note(letters + "-lock-x", false, true);
        }
        QCOMPARE(leftOut, "*");
        QVERIFY(!names.contains("zzzz-lock-x") && names.contains("lock:a"));
    }

    void byContent()
    {
        KeyNameFilter names(KeyNameFilter::defaultPatterns());
        QVERIFY(names.adopt("orders:*"));
        QCOMPARE(names.nomination("orders:1"), By::Content);
        QCOMPARE(names.nomination("orders:1:lock"), By::Pattern);
        names.note("orders:1", true, true);
        QCOMPARE(names.found().value("orders:*"), 1);
        for (qint64 i = 1; i < KeyNameFilter::maxOthers; ++i)
            QCOMPARE(names.note("orders:2", false, true), QByteArray());
        QCOMPARE(names.note("orders:2", false, true),
                 "orders:*"); // an application's keys, in spite of the lock
        QVERIFY(!names.contains("orders:1"));
        KeyNameFilter narrow({"x*"});
        QVERIFY(!narrow.adopt("orders:*"));
    }

    /// Who gives patterns has nothing else.
    void patternsNarrow()
    {
        const KeyNameFilter names({"lock:*", "x*"});
        QVERIFY(!names.discovers() && !names.contains(rq) && names.contains("x1"));
        QCOMPARE(names.globsOf(rq), QList<QByteArray>());
        QCOMPARE(names.hintOf("laravel_cache:a"), QByteArray());
        QCOMPARE(names.inUse(), (QList<QByteArray>{"lock:*", "x*"}));
    }

    void whatIsFoundIsInUse()
    {
        KeyNameFilter names(KeyNameFilter::defaultPatterns());
        QVERIFY(!names.takeHasNewGlob());
        names.note(rq, true, true);
        QVERIFY(names.takeHasNewGlob());
        names.note("rq:scheduler-lock:high", true, true);
        names.note(rq, true, false);
        QVERIFY(!names.takeHasNewGlob());
        QCOMPARE(names.found().value(rqGlob), 2);
        QCOMPARE(names.inUse(), KeyNameFilter::defaultPatterns() + QList<QByteArray>{rqGlob});
        names.setPatterns({"x*"});
        QCOMPARE(names.inUse(), QList<QByteArray>{"x*"});
    }

    void tooManyOthersAreLeftOut()
    {
        KeyNameFilter names(KeyNameFilter::defaultPatterns());
        for (qint64 i = 1; i < KeyNameFilter::maxOthers; ++i)
            QCOMPARE(names.note(rq, false, true), QByteArray());
        QVERIFY(names.contains(rq));
        QCOMPARE(names.note(rq, false, true), rqGlob);
        QVERIFY(!names.contains(rq) && names.contains("mutex:a"));
        QCOMPARE(names.hintOf(rq), rqGlob);
    }

    void notWhereThereIsALock()
    {
        KeyNameFilter names(KeyNameFilter::defaultPatterns());
        names.note(rq, true, true);
        for (qint64 i = 0; i <= KeyNameFilter::maxOthers; ++i)
            QCOMPARE(names.note("rq:scheduler-lock:high", false, true), QByteArray());
        QVERIFY(names.contains(rq));
    }
};

QTEST_APPLESS_MAIN(TestNominatedNames)
#include "tst_keynamefilter.moc"
