// SPDX-License-Identifier: GPL-3.0-or-later
// What `top` shows and does with each key, without a terminal and a server.
#include "app/top/topview.h"
#include "core/state/severity.h"
#include "tests/ui/samplelocks.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;
using namespace Qt::StringLiterals;

namespace {

/// A screen of plain rows; a cell beyond its edge fails the test.
class PaintedScreen : public Screen
{
public:
    PaintedScreen(int columns, int rows) : m_columns(columns), m_rows(rows) {}

    int rows() const override { return m_rows; }
    int columns() const override { return m_columns; }
    void write(int row, int column, const QString &text, Style style) override
    {
        if (row < 0 || row >= m_rows || column < 0 || column + cellsOf(text) > m_columns)
            qFatal("written beyond the edge: row %d, column %d: %s", row, column, qPrintable(text));
        QString &line = m_lines[row];
        line = line.leftJustified(column);
        line.replace(column, text.size(), text);
        if (style.isReversed)
            m_reversed[row] += text;
    }
    void placeCursor(int, int) override { hasCursor = true; }

    QString line(int row) const { return m_lines.value(row); }
    QString reversed(int row) const { return m_reversed.value(row); }
    QString all() const { return QStringList(m_lines.values()).join(u'\n'); }
    bool contains(const char *text) const { return all().contains(QString::fromUtf8(text)); }
    int rowOf(const char *text) const
    {
        for (int row = 0; row < m_rows; ++row) {
            if (line(row).contains(QString::fromUtf8(text)))
                return row;
        }
        return -1;
    }

    bool hasCursor = false;

private:
    int m_columns;
    int m_rows;
    QMap<int, QString> m_lines;
    QMap<int, QString> m_reversed;
};

Result<ActionResult> expired(const ActionRequest &request)
{
    ActionResult result;
    result.action = request.action;
    result.key = request.key;
    result.outcome = Outcome::Expired;
    return result;
}

} // namespace

class TestTop : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_clock = {};
        m_clock.replay(now, 1'790'000'000'000);
        m_model = std::make_unique<LockTableModel>(m_clock);
        m_requests.clear();
        m_facts = {.server = {u"redis.example.org"_s}, .load = {}, .age = {}};
        open();
        m_model->apply({.changed = {reentrant("lock:b"), reentrant("lock:c", 20s, "web-1:7", 3),
                                    withProblem(reentrant("lock:a"), Problem::SeveralOwners),
                                    reentrant("lock:stock", 20s, "warehouse 🚚 7")},
                        .removed = {},
                        .events = {}});
    }
    void cleanup()
    {
        m_view.reset();
        m_model.reset();
    }

    void theWorstStandsFirstAtEachWidth_data()
    {
        QTest::addColumn<int>("columns");
        QTest::addColumn<QStringList>("titles");
        QTest::newRow("60") << 60 << QStringList{u"State▲"_s, u"Key"_s, u"Owner"_s, u"Time left"_s};
        QTest::newRow("80") << 80 << QStringList{u"State▲"_s,  u"Key"_s,       u"Owner"_s,
                                                 u"Waiters"_s, u"Time left"_s, u"Held for"_s};
        QTest::newRow("200") << 200 << QStringList{u"State▲"_s,  u"Key"_s,       u"Owner"_s,    u"Holds"_s,
                                                   u"Waiters"_s, u"Time left"_s, u"Held for"_s, u"Family"_s};
    }
    void theWorstStandsFirstAtEachWidth()
    {
        QFETCH(int, columns);
        QFETCH(QStringList, titles);
        const PaintedScreen screen = painted(columns, 24);
        for (const QString &title : titles)
            QVERIFY2(screen.line(2).contains(title), qPrintable(screen.all()));
        QVERIFY2(screen.line(3).contains(u"lock:a"_s), qPrintable(screen.all()));
        QVERIFY2(screen.reversed(3).contains(u"lock:a"_s), qPrintable(screen.all()));
        QVERIFY(screen.line(0).contains(u"redis.example.org"_s));
        QVERIFY(screen.line(1).contains(u"problems: 1"_s));
        QCOMPARE(screen.contains("web-1:7 ×3"), columns < 100); // otherwise in the column Holds
        for (int tiny = 1; tiny < 30; ++tiny)                   // nothing is written beyond an edge
            painted(tiny, tiny / 2);
    }

    void aWideCharacterTakesTwoColumns()
    {
        QCOMPARE(cellsOf(u"🚚"_s), 2);
        QCOMPARE(cellsOf(u"e\u0301"_s), 1);
        QCOMPARE(fitted(u"锁锁锁锁"_s, 5), u"锁…锁"_s);
        QCOMPARE(fitted(u"abcdef"_s, 5, true), u"abcd…"_s);
        QCOMPARE(filled(u"锁"_s, 4, true), u"  锁"_s);
        QCOMPARE(fitted(u"a\x1b[2J"_s, 9), u"a\ufffd[2J"_s);
        QCOMPARE(shareBar(0.5, 3), u"█▌░"_s);
    }

    void theCursorStaysWithItsLock()
    {
        press(Key::Down);
        press(Key::Down);
        QVERIFY(painted().reversed(5).contains(u"lock:c"_s));
        m_model->apply(
            {.changed = {withProblem(reentrant("lock:0"), Problem::Deadlock)}, .removed = {}, .events = {}});
        m_model->apply({.changed = {}, .removed = {LockKey("lock:b")}, .events = {}});
        m_view->follow();
        const PaintedScreen screen = painted();
        QVERIFY2(screen.reversed(screen.rowOf("lock:c")).contains(u"lock:c"_s), qPrintable(screen.all()));
        press(Key::Home); // from here on the worst one
        QVERIFY(painted().reversed(3).contains(u"lock:0"_s));
    }

    void anErrorOfTheFilterIsSaidWhereItIsTyped()
    {
        type("/state:xyz");
        QVERIFY2(painted().line(23).contains(u"“xyz” is unknown"_s), qPrintable(painted().all()));
        QCOMPARE(m_model->rowCount(), 4); // a wrong word is not in force
        press(Key::Enter);
        QVERIFY2(painted().line(23).startsWith(u"/state:xyz"_s), "it stays to be mended");
        press(Key::Clear);
        type("key:nothing");
        QVERIFY(painted().contains("No lock matches the filter"));
        type(" state:xyz"); // nothing is claimed of it
        QVERIFY2(!painted().contains("No lock matches"), qPrintable(painted().all()));
        press(Key::Clear);
        type("key:b");
        QCOMPARE(m_model->rowCount(), 1);
        type(" state:xyz"); // the last good rows stay
        QCOMPARE(m_model->rowCount(), 1);
        press(Key::Clear);
        type("state:xyz key:c");
        QVERIFY2(painted().contains("lock:stock"), qPrintable(painted().all()));
        press(Key::Clear);
        type("key:b");
        QCOMPARE(m_model->rowCount(), 1);
        press(Key::Enter);
        QVERIFY(painted().line(1).contains(u"filter: key:b"_s));
        type("/");
        press(Key::Clear);
        press(Key::Escape); // as it was
        QCOMPARE(m_model->rowCount(), 1);
    }

    void aLockIsEndedAsItWasSeenAfterATypedWord()
    {
        press(Key::Down);
        type("xno");
        press(Key::Enter);
        QVERIFY(painted().contains("Not yes"));
        QVERIFY(m_requests.isEmpty());
        // Another owner comes: it is said, and the request is of the one that was seen.
        m_model->apply({.changed = {reentrant("lock:b", 20s, "web-2:1")}, .removed = {}, .events = {}});
        QVERIFY(painted().contains("lock:b: The owner or hold count has changed"));
        QVERIFY(painted().contains("A lock that has changed is not force-expired"));
        QVERIFY2(!painted().contains("Effects of force-expire"), "those of the former owner");
        press(Key::Clear);
        type("yes");
        press(Key::Enter);
        QTRY_VERIFY(painted().contains("Done. Esc: back"));
        QCOMPARE(m_requests.size(), 1);
        QCOMPARE(m_requests[0].key, LockKey("lock:b"));
        QCOMPARE(m_requests[0].expected.first().owner, OwnerId("web-1:7"));
        QVERIFY(painted().contains("lock:b: The lock was force-expired"));
        type("a"); // does not close
        QVERIFY(painted().contains("Done. Esc: back"));
        press(Key::Escape);
        QVERIFY(painted().line(2).contains(u"Key"_s));
    }

    void rowsStandStillUnderAQuestion()
    {
        press(Key::Down);
        type("x");
        m_model->apply(
            {.changed = {withProblem(reentrant("lock:0"), Problem::Deadlock)}, .removed = {}, .events = {}});
        QVERIFY(m_model->isHeld());
        press(Key::Escape);
        QVERIFY(!m_model->isHeld());
        QVERIFY(painted().line(3).contains(u"lock:0"_s));
        QVERIFY(m_requests.isEmpty());
    }

    void aTagThatGoesLeavesNoOtherLockToEnd()
    {
        press(Key::Down);
        type("t"); // lock:b; the cursor goes on to lock:c
        m_model->apply({.changed = {}, .removed = {LockKey("lock:b")}, .events = {}});
        m_view->follow();
        m_view->follow();
        type("sx");
        QVERIFY2(painted().line(23).contains(u"The tagged lock is gone"_s), qPrintable(painted().all()));
        press(Key::Home);
        type("x");
        QVERIFY2(painted().contains("Force-expire a lock"), qPrintable(painted().all()));
        press(Key::Escape);
        for (const char *key : {"lock:a", "lock:c", "lock:stock"})
            m_model->apply({.changed = {}, .removed = {LockKey(key)}, .events = {}});
        m_view->follow();
        type("x");
        QVERIFY2(painted().line(23).contains(u"No lock is chosen."_s), qPrintable(painted().all()));
    }

    void longKeysAreToldApart()
    {
        const QByteArray key = "lock:" + QByteArray(400, 'k');
        m_model->apply({.changed = {withProblem(reentrant(key + "-one"), Problem::Deadlock)},
                        .removed = {LockKey("lock:a")},
                        .events = {}});
        type("x");
        QVERIFY2(painted().contains("k-one"), qPrintable(painted().all()));
        press(Key::Escape);
        m_model->apply({.changed = {withProblem(reentrant(key.repeated(10)), Problem::Deadlock)},
                        .removed = {LockKey(key + "-one")},
                        .events = {}});
        type("x");
        QVERIFY2(painted().line(23).contains(u"Use force-expire with --confirm"_s),
                 qPrintable(painted().all()));
    }

    void aQuestionHidesNoOldData()
    {
        press(Key::Down);
        type("x");
        QVERIFY2(painted().contains("Expires at"), qPrintable(painted().all()));
        m_facts.age = u"data 1 min old"_s;
        m_facts.banner =
            BannerChoice{StatusColor::Danger, u"The server is away"_s, u"Next attempt in 3 s."_s};
        m_clock.stopAt(now - 60s);
        const PaintedScreen screen = painted();
        QVERIFY2(screen.contains("As read 1 min") || screen.contains("As read 60 s"),
                 qPrintable(screen.all()));
        QVERIFY2(screen.line(1).startsWith(u"The server is away. Next attempt"_s) &&
                     screen.line(1).endsWith(m_facts.age),
                 qPrintable(screen.all()));
        for (int tiny = 1; tiny < 30; ++tiny)
            painted(tiny, tiny / 2);
        press(Key::Escape);
        QVERIFY(painted().line(2).contains(u"The server is away. Next attempt in 3 s."_s));
    }

    void productionAsksForTheName()
    {
        open(ActionGuard(Environment::Production, u"orders"_s));
        press(Key::Down);
        type("xyes");
        press(Key::Enter);
        QVERIFY(painted().contains("Not lock:b"));
        press(Key::Clear);
        type("lock:b");
        press(Key::Enter);
        QTRY_COMPARE(m_requests.size(), 1);
        QCOMPARE(m_requests[0].consent.kind, Consent::Named);
        QVERIFY(!ActionGuard(Environment::Production, u"orders"_s).refusal(m_requests[0]));
        QTRY_VERIFY(painted().contains("Done. Esc: back"));
        press(Key::Escape);
        type("ttx"); // several: the server's name, and a request for each
        QVERIFY(painted().contains("Type orders and press Enter"));
        type("orders");
        press(Key::Enter);
        QTRY_COMPARE(m_requests.size(), 3);
        QVERIFY(!ActionGuard(Environment::Production, u"orders"_s).refusal(m_requests[2]));
    }

    void withoutActionsItIsSaidWhy()
    {
        open(ActionGuard(), false);
        type("x");
        QVERIFY(painted().line(23).contains(u"Read-only mode"_s));
        press(Key::Enter);
        QVERIFY(painted().contains("what explains lock:a"));
        press(Key::Escape);
        type("?");
        QVERIFY(painted().contains("follow the worst lock again"));
    }

    void aLongWaiterLosesNothingOfItsState()
    {
        WatchedLock lock = queued(redisson("lock:q", client + ":12", "redisson-fair"_family),
                                  {client + ":a-thread-with-a-long-name"});
        CompanionState companions = *lock.lock.companions;
        companions.waiters.queue.first().listening = SubscriptionState::No;
        companions.waiters.queue.first().timeoutAtMs = m_clock.wallMs() + 60'000;
        lock.lock.companions = CompanionStatePtr(companions);
        m_model->apply({.changed = {lock}, .removed = {}, .events = {}});
        type("w");
        for (const int columns : {60, 70, 80})
            QVERIFY2(painted(columns).contains("  not subscribed now · until "),
                     qPrintable(painted(columns).all()));
    }

    void theLockWaitsLeadToTheInspector()
    {
        m_model->apply(
            {.changed = {queued(redisson("lock:q", client + ":12", "redisson-fair"_family), {"w:1", "w:2"})},
             .removed = {},
             .events = {}});
        type("w");
        const PaintedScreen screen = painted();
        QVERIFY2(screen.contains("waiting: 2") && screen.contains("2. w:2"), qPrintable(screen.all()));
        press(Key::Enter);
        QVERIFY(painted().contains("what explains lock:q"));
        m_model->apply({.changed = {}, .removed = {LockKey("lock:q")}, .events = {}});
        QVERIFY(painted().contains("The lock is gone"));
        press(Key::Escape);
        QVERIFY2(painted().contains("No waiters are known"), qPrintable(painted().all()));
    }

private:
    void open(const ActionGuard &guard = ActionGuard(), bool acts = true)
    {
        TopSource source{.facts = [this] { return m_facts; },
                         .explain =
                             [](const WatchedLock &lock, const DisplayTime &) {
                                 return QStringList(u"what explains "_s +
                                                    QString::fromUtf8(lock.key().bytes));
                             },
                         .events = [](const LockKey &) { return QStringList(); },
                         .deadlocks = [] { return QList<Deadlock>(); },
                         .serverName = u"redis.example.org"_s,
                         .guard = guard,
                         .whyNoActions = u"Read-only mode: no actions."_s};
        if (acts)
            source.run = [this](const ActionRequest &request) {
                m_requests.append(request);
                return QtFuture::makeReadyFuture(expired(request));
            };
        m_view = std::make_unique<TopView>(*m_model, m_clock, source);
    }
    void press(Key::Kind kind) { m_view->press({kind}); }
    void type(const char *text)
    {
        for (const QChar character : QString::fromUtf8(text))
            m_view->press({Key::Text, QString(character)});
    }
    PaintedScreen painted(int columns = 80, int rows = 24)
    {
        PaintedScreen screen(columns, rows);
        m_view->paint(screen);
        return screen;
    }

    DisplayClock m_clock;
    std::unique_ptr<LockTableModel> m_model;
    std::unique_ptr<TopView> m_view;
    QList<ActionRequest> m_requests;
    TopFacts m_facts;
};

QTEST_GUILESS_MAIN(TestTop)
#include "tst_top.moc"
