// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/inspectorpanel.h"

#include "core/family/familyfile.h"
#include "core/table/locktext.h"
#include "core/words/actionpreview.h"
#include "tests/support/familyliteral.h"
#include "tests/ui/samplelocks.h"
#include "ui/actions/mainactions.h"
#include "ui/events/eventtext.h"
#include "ui/inspector/leasesparkline.h"
#include "ui/inspector/lockdetails.h"
#include "ui/inspector/waitermodel.h"

#include <QAbstractItemModelTester>
#include <QDesktopServices>
#include <QLabel>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

LockEvent eventOf(const QByteArray &key, EventKind kind)
{
    LockEvent event;
    event.kind = kind;
    event.address.key = LockKey(key);
    event.owners = {{OwnerId("web-1:7"), "1", 1}};
    event.ttl = milliseconds(30s);
    event.wallMs = 1;
    return event;
}

} // namespace

class InspectorPanelTest : public QObject
{
    Q_OBJECT

public slots:
    void takeUrl(const QUrl &url) { m_opened = url; }

private slots:
    /// Families of a user's own, before any is asked for.
    void initTestCase()
    {
        std::vector<const FamilySpec *> specs;
        for (const auto &[name, runbook] :
             {std::pair("own-web", "https://wiki.example.org/locks?a=1&b=2"),
              std::pair("own-broken", "https://wiki.example.org/<b>"),
              std::pair("own-script", "javascript:alert(1)"), std::pair("own-file", "file:///etc/passwd"),
              std::pair("own-disguised", "https://wiki.example.org@evil.example/"),
              std::pair("own-text", "<a href='https://evil.example'>see</a>\\u202E the wiki")}) {
            const QByteArray text = QByteArray("name = \"") + name + "\"\nrunbook = \"" + runbook +
                                    "\"\ncontact = \"#team <b>a</b>\"\n[[form]]\nvalue = \"{:uuid}\"\n";
            m_families.push_back(std::make_unique<FamilyFile>(text));
            QVERIFY2(m_families.back()->isValid(), name);
            specs.push_back(&m_families.back()->spec());
        }
        addFamilies(specs);
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_holdTimes = std::make_unique<HoldTimes>();
        m_window = std::make_unique<QWidget>();
        m_commands = new MainActions(m_window.get());
        m_clock.stopAt(now);
        m_panel = new InspectorPanel(m_log, *m_holdTimes, m_clock, *m_commands, m_names, m_window.get());
        m_window->resize(500, 800);
        m_panel->resize(500, 800);
        m_window->show();
    }
    void cleanup() { m_window.reset(); }

    /// What is shown, also of a lock that has gone.
    void aSummaryIsWhatIsShown()
    {
        QVERIFY(!m_panel->summary(QStringLiteral("orders")));
        m_log.append({eventOf("lock:a", EventKind::Acquired)});
        const WatchedLock lock = queued(redisson("lock:a"), {"web-2:1", "!dead:4"});
        m_panel->present(lock.key(), &lock);
        const auto textOf = [this] { return plainText(*m_panel->summary(QStringLiteral("orders"))); };
        for (const char *told : {"Lock lock:a\n", "Server: orders\n", "State: Dead waiter\n",
                                 "Time left: 20 s\n", "2 waiter(s) in the queue.", "dead:4", "Acquired"})
            QVERIFY2(textOf().contains(QString::fromLatin1(told)), qPrintable(textOf()));
        QVERIFY(textOf().contains(QString::fromLatin1(client + ":12")));
        m_log.append({eventOf("lock:a", EventKind::Evicted)});
        m_panel->present(lock.key(), nullptr);
        QVERIFY2(textOf().contains(QStringLiteral("Evicted; the holder")), qPrintable(textOf()));
        QVERIFY(textOf().contains(QStringLiteral("State: Gone\n")));
        QVERIFY(textOf().contains(QStringLiteral("Gone. The last reading")));
        QVERIFY(!textOf().contains(QStringLiteral("Time left")));
        QVERIFY(textOf().contains(QString::fromLatin1(client + ":12")));
        m_panel->present(std::nullopt, nullptr);
        QVERIFY(!m_panel->summary(QStringLiteral("orders")));
    }

    void tellsWhatToDo_data()
    {
        QTest::addColumn<QByteArray>("family");
        QTest::addColumn<QString>("runbook");
        QTest::addColumn<bool>("opens");
        const auto row = [](const char *name, const char *runbook, bool opens) {
            QTest::newRow(name) << QByteArray(name) << QString::fromLatin1(runbook) << opens;
        };
        row("own-web", "https://wiki.example.org/locks?a=1&b=2", true);
        row("own-broken", "https://wiki.example.org/<b>", false);
        row("own-script", "javascript:alert(1)", false);
        row("own-file", "file:///etc/passwd", false);
        row("own-disguised", "https://wiki.example.org@evil.example/", false);
        row("own-text", "<a href='https://evil.example'>see</a>\\u{202e} the wiki", false);
    }
    void tellsWhatToDo()
    {
        QFETCH(QByteArray, family);
        QFETCH(QString, runbook);
        QFETCH(bool, opens);
        WatchedLock lock = reentrant("lock:a");
        show(lock);
        auto *open =
            m_panel->findChild<LockDetails *>()->findChild<QToolButton *>(QStringLiteral("openRunbook"));
        QVERIFY(open && !open->isVisible());
        lock.lock.family = *familyFromName(family);
        show(lock);
        const auto rows = m_panel->findChild<LockDetails *>()->rows();
        QVERIFY(rows.contains(std::pair(QStringLiteral("Runbook"), runbook)));
        QVERIFY(rows.contains(std::pair(QStringLiteral("Contact"), QStringLiteral("#team <b>a</b>"))));
        QCOMPARE(open->isVisible(), opens);
        for (const QLabel *label : m_panel->findChildren<QLabel *>())
            QVERIFY(label->textFormat() == Qt::PlainText || !label->text().contains(u'<'));
        if (!opens)
            return;
        for (const auto *scheme : {"https", "http", "javascript", "file"})
            QDesktopServices::setUrlHandler(QLatin1String(scheme), this, "takeUrl");
        open->click();
        QCOMPARE(m_opened.toString(QUrl::FullyEncoded),
                 QStringLiteral("https://wiki.example.org/locks?a=1&b=2"));
    }

    /// In a picture that is held still, what was true then is not said of now.
    void aHeldPictureIsSaidToBeOfThen()
    {
        m_clock.holdAt(Clock::now());
        WatchedLock lock = renewed(reentrant("lock:a"));
        lock.lock.deadline = Deadline{Clock::now() + 20s, Clock::now() + 20s};
        m_panel->present(lock.key(), &lock);
        QVERIFY(m_panel->summary({})->statements.first().contains(QStringLiteral("As read")));
        m_clock.run();
        m_panel->present(lock.key(), &lock);
        QVERIFY(!m_panel->summary({})->statements.first().contains(QStringLiteral("As read")));
    }

    void saysEverythingThatIsKnown()
    {
        WatchedLock lock = renewed(reentrant("lock:<b>a</b>\n", 20s, "web-1:7", 2, 90s), 4);
        lock.hasSeenAcquisition = false;
        lock.lock.address.database = 3;
        show(lock);
        const QString text = shownText();
        for (const char *part : {"lock:<b>a</b>", "web-1:7  ×2", "Renewed", "20 s", "at least 1 min 30 s",
                                 "4, the last 1.0 s ago", "re-entrant lock", "3", "30 s"})
            QVERIFY2(text.contains(QString::fromUtf8(part)),
                     qPrintable(QString::fromUtf8(part) + u'\n' + text));
        for (const QLabel *label : m_panel->findChildren<QLabel *>())
            QVERIFY(label->textFormat() == Qt::PlainText || !label->text().contains(u'<'));
    }

    /// The moment at which a lease ends is the same however old the reading is that told of it; what became of the lock
    /// since then is not known.
    void endsStayWhatTheyWereWhileNothingIsHeard()
    {
        const TimePoint lost = Clock::now() - 40s;
        WatchedLock lock = reentrant("a", 20s);
        lock.lock.deadline = Deadline{lost + 20min, lost + 20min};
        const auto shownEnd = [&] {
            const auto match =
                QRegularExpression(QStringLiteral("(\\d\\d:\\d\\d:\\d\\d) \\(as read 4\\d s ago\\)"))
                    .match(shownText());
            return QTime::fromString(match.captured(1), QStringLiteral("HH:mm:ss"));
        };
        const auto isNear = [](const QTime &shown, const QDateTime &end) {
            return shown.isValid() && qAbs(shown.secsTo(end.time())) <= 1;
        };
        const QDateTime end = QDateTime::currentDateTime().addSecs(20 * 60 - 40);
        m_clock.stopAt(lost);
        show(lock);
        QVERIFY2(isNear(shownEnd(), end), qPrintable(shownText()));
        QVERIFY2(shownText().contains(QStringLiteral("unless renewed or released since")),
                 qPrintable(shownText()));
        QVERIFY(!shownText().contains(QStringLiteral("alive")));
        m_clock.run();
        show(lock);
        QVERIFY2(!shownText().contains(QStringLiteral("as read")), qPrintable(shownText()));

        // It should have ended by now.
        lock.lock.deadline = Deadline{lost + 10s, lost + 10s};
        m_clock.stopAt(lost);
        show(lock);
        QVERIFY2(shownText().contains(QStringLiteral("Expiry was due at")), qPrintable(shownText()));
        QVERIFY2(shownText().contains(QStringLiteral("are unknown")), qPrintable(shownText()));
        QVERIFY2(isNear(shownEnd(), QDateTime::currentDateTime().addSecs(-30)), qPrintable(shownText()));
        show(endless(token("b")));
        QVERIFY2(shownText().contains(QStringLiteral("later changes are unknown")), qPrintable(shownText()));
    }

    void explainsEachProblem()
    {
        WatchedLock lock =
            withProblem(withProblem(reentrant("a"), Problem::BadCount), Problem::SeveralOwners);
        lock.lock.owners = {{OwnerId("one"), "abc", {}}, {OwnerId("two"), "1", 1}};
        show(lock);
        const QString text = shownText();
        for (const char *part : {"Invalid hold count", "Several owners", "one  (count: abc)", "two  ×1"})
            QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
    }

    /// The table's word, mark and color, not only the state of the lease.
    void theStateIsTheTables()
    {
        for (const WatchedLock &lock : {queued(redisson("a"), {"!x:1"}), stalled("b"), redisson("c")}) {
            show(lock);
            QVERIFY(shownText().contains(appearanceOf(lock, stateOf(lock, now)).word));
        }
        show(queued(redisson("a"), {"!x:1"}));
        QVERIFY(shownText().contains(QStringLiteral("Dead waiter")));
    }

    /// A pause holds the waiters' own time limits, too.
    void aHeldPictureTimesNobodyOut()
    {
        m_clock.holdAt(Clock::now() - 1min);
        WatchedLock lock =
            queued(redisson("a", client + ":12", "redisson-fair"_family), {otherClient + ":1"});
        CompanionState companions = *lock.lock.companions;
        companions.waiters.queue.first().timeoutAtMs = QDateTime::currentMSecsSinceEpoch() - 30'000;
        lock.lock.companions = CompanionStatePtr(companions);
        show(lock);
        const WaiterModel *waiters = nullptr;
        for (const QTableView *view : m_panel->findChildren<QTableView *>())
            waiters = waiters ? waiters : qobject_cast<const WaiterModel *>(view->model());
        QVERIFY(waiters);
        const auto state = [&] { return waiters->index(0, 2).data().toString(); };
        QVERIFY2(state().startsWith(QStringLiteral("subscribed · until ")), qPrintable(state()));
        m_clock.run();
        QVERIFY2(state().contains(QStringLiteral("timed out")), qPrintable(state()));
    }

    /// The button that goes with the dead waiter hands the focus on, and nothing scrolls away.
    void theFocusStaysInSight()
    {
        show(queued(redisson("a", client + ":12", "redisson-fair"_family),
                    {otherClient + ":1", "!" + client + ":3"}));
        m_window->activateWindow();
        QToolButton *remove = nullptr;
        for (QToolButton *each : m_panel->findChildren<QToolButton *>()) {
            if (each->defaultAction() == m_commands->removeWaiter)
                remove = each;
        }
        remove->setEnabled(true);
        remove->setFocus();
        QTRY_VERIFY(remove->hasFocus());
        show(queued(redisson("a", client + ":12", "redisson-fair"_family), {otherClient + ":1"}));
        QVERIFY(!remove->isVisible());
        QVERIFY(m_panel->isAncestorOf(QApplication::focusWidget()));
        QCOMPARE(m_panel->findChild<QScrollArea *>()->verticalScrollBar()->value(), 0);
    }

    /// Of a orphaned queues the queue can be woken, and its dead first waiter removed: nothing else.
    void anOrphanedQueueHasARemedy()
    {
        const auto isShown = [this](const QAction *action) {
            return std::ranges::any_of(m_panel->findChildren<QToolButton *>(), [=](QToolButton *each) {
                return each->defaultAction() == action && each->isVisible();
            });
        };
        WatchedLock lock = queued(redisson("a", client + ":12", "redisson-fair"_family),
                                  {"!" + otherClient + ":1", client + ":3"});
        show(lock);
        m_commands->update(true, {}, &lock.lock);
        QVERIFY(!m_commands->wake->isEnabled() && !isShown(m_commands->wake));
        QVERIFY(m_commands->wake->toolTip().contains(QStringLiteral("orphaned queues")));

        lock.lock.owners.clear();
        lock.lock.problems |= Problem::Orphaned;
        show(lock);
        m_commands->update(true, {}, &lock.lock);
        QVERIFY2(m_commands->wake->isEnabled(), qPrintable(m_commands->wake->toolTip()));
        QVERIFY(m_commands->removeWaiter->isEnabled() && !m_commands->release->isEnabled() &&
                !m_commands->forceExpire->isEnabled());
        QVERIFY(isShown(m_commands->wake) && isShown(m_commands->removeWaiter));
        QCOMPARE(m_panel->deadWaiter()->id.bytes, otherClient + ":1");
        m_commands->update(true, MainActions::readOnlyReason(), &lock.lock);
        QCOMPARE(m_commands->wake->toolTip(), MainActions::readOnlyReason());
        m_commands->update(true, {}, &lock.lock, {&lock.lock, &lock.lock});
        QVERIFY(!m_commands->wake->isEnabled());
    }

    void showsTheQueue()
    {
        m_names.setName(client, QStringLiteral("orders"));
        const WatchedLock lock = queued(redisson("a", client + ":12", "redisson-fair"_family),
                                        {otherClient + ":1", "!" + client + ":3"});
        m_panel->present(lock.key(), &lock, QStringLiteral("The owner waits for b."));
        const QString text = shownText();
        for (const char *part : {"orders · thread 12  ×1", "3b2c1a09-8f7e",
                                 "2 waiter(s) in the queue. 1 dead waiter", "The owner waits for b"})
            QVERIFY2(text.contains(QString::fromUtf8(part)),
                     qPrintable(QString::fromUtf8(part) + u'\n' + text));
        QTableView *table = nullptr;
        for (QTableView *candidate : m_panel->findChildren<QTableView *>()) {
            if (qobject_cast<WaiterModel *>(candidate->model()))
                table = candidate;
        }
        QAbstractItemModelTester tester(table->model(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->index(1, 1).data().toString(), QStringLiteral("orders · thread 3"));
        QVERIFY(table->model()->index(1, 2).data().toString().startsWith(QStringLiteral("dead")));
        QCOMPARE(m_panel->deadWaiter()->id.bytes, client + ":3");
        m_commands->update(true, {}, &lock.lock);
        QVERIFY(m_commands->removeWaiter->isEnabled() && m_commands->nameProcess->isEnabled());
        m_commands->update(true, MainActions::readOnlyReason(), &lock.lock);
        QVERIFY(!m_commands->removeWaiter->isEnabled());

        // The others: a lower bound in words, and nothing where nothing can be known.
        show(listenedTo(redisson("b"), 2));
        QVERIFY2(shownText().contains(QStringLiteral("At least 2 process(es) subscribed")),
                 qPrintable(shownText()));
        QVERIFY(!table->isVisible() && !m_panel->deadWaiter());
        m_panel->present(lock.key(), nullptr);
        QVERIFY(!m_panel->deadWaiter());
        m_names.setAll({});
    }

    void readersAndWriters()
    {
        WatchedLock lock = redisson("rw", client + ":1", "redisson-read-write"_family);
        lock.lock.owners = {{OwnerId(client + ":1"), "2", 2, HoldMode::Read},
                            {OwnerId(otherClient + ":5"), "1", 1, HoldMode::Write}};
        CompanionState companions;
        companions.fencingToken = "42";
        lock.lock.companions = CompanionStatePtr(companions);
        show(lock);
        const QString text = shownText();
        for (const char *part : {":1  ×2  (reader)", ":5  ×1  (writer)", "42"})
            QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
    }

    /// Permits by the hex that applications log, and how many are free.
    void permits()
    {
        WatchedLock lock = redisson("reports", {}, "redisson-semaphore"_family);
        const QByteArray permit = QByteArray::fromHex("ff03a1c9e7205b4d8f1122b3c4d5e6f7");
        lock.lock.owners = {{OwnerId(permit), {}, 1}};
        CompanionState companions;
        companions.permits = {{OwnerId(permit), 1000}};
        companions.freePermits = "17";
        lock.lock.companions = CompanionStatePtr(companions);
        show(lock);
        const QString text = shownText();
        for (const char *part : {"ff03a1c9e7205b4d8f1122b3c4d5e6f7", "Permits free", "17", "Permit expired"})
            QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
    }

    void keepsWhatIsGone()
    {
        const WatchedLock lock = reentrant("a");
        show(lock);
        m_panel->present(lock.key(), nullptr);
        QVERIFY2(shownText().contains(QStringLiteral("Gone. The last reading")), qPrintable(shownText()));
        QVERIFY(shownText().contains(QStringLiteral("web-1:7")));
        show(reentrant("a", 9s));
        QVERIFY(!shownText().contains(QStringLiteral("gone")));
    }

    void showsTheEventsOfItsLockOnly()
    {
        m_log.append({eventOf("a", EventKind::Found), eventOf("b", EventKind::Found),
                      eventOf("a", EventKind::Renewed)});
        QTableView *table = nullptr;
        for (QTableView *candidate : m_panel->findChildren<QTableView *>()) {
            if (qobject_cast<EventModel *>(candidate->model()))
                table = candidate;
        }
        QAbstractItemModelTester tester(table->model(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
        show(reentrant("a"));
        QCOMPARE(table->model()->rowCount(), 2);
        QCOMPARE(table->model()->index(0, 1).data().toString(), QStringLiteral("Renewed"));
        m_log.append({eventOf("a", EventKind::Reentered)});
        QTRY_COMPARE(table->model()->index(0, 1).data().toString(), QStringLiteral("Re-entered"));
        for (int i = 0; i < 300; ++i)
            m_log.append({eventOf("a", EventKind::Renewed)});
        QTRY_COMPARE(table->model()->rowCount(), 200);
        show(reentrant("b"));
        QCOMPARE(table->model()->rowCount(), 1);
    }

    /// How long the lock was held before, and what is far from it; nothing of a few holds.
    void usualHoldTimes()
    {
        const WatchedLock lock = reentrant("a", 20s, "web-1:7", 1, 60s);
        LockEvent end = eventOf("a", EventKind::Released);
        end.held = milliseconds(2s);
        show(lock);
        QVERIFY(!shownText().contains(QStringLiteral("hold(s) seen")));
        m_holdTimes->add({end, end});
        show(lock);
        QVERIFY2(shownText().contains(QStringLiteral("not known yet (2 hold(s) seen)")),
                 qPrintable(shownText()));
        QVERIFY(!shownText().contains(QStringLiteral("as long as usual")));
        m_holdTimes->add(QList<LockEvent>(HoldTimeStats::fewest - 2, end));
        show(lock);
        QVERIFY2(shownText().contains(QStringLiteral("2.0 s to 2.0 s (median 2.0 s, of 50 hold(s) seen)\n"
                                                     "Held 30 times as long as usual")),
                 qPrintable(shownText()));
        WatchedLock found = lock;
        found.hasSeenAcquisition = false;
        show(found);
        QVERIFY(shownText().contains(QStringLiteral("Held ≥ 30 times as long as usual")));
        show(reentrant("a", 20s, "web-1:7", 1, 3s));
        QVERIFY(!shownText().contains(QStringLiteral("as long as usual")));
        WatchedLock renewed = lock; // it is one hold
        renewed.renewals = 1;
        show(renewed);
        QVERIFY(shownText().contains(QStringLiteral("as long as usual")));
        WatchedLock orphan = lock; // nobody holds it
        orphan.lock.owners.clear();
        orphan.lock.problems |= Problem::Orphaned;
        show(orphan);
        QVERIFY(!shownText().contains(QStringLiteral("as long as usual")));
        m_panel->present(lock.key(), nullptr);
        QVERIFY(shownText().contains(QStringLiteral("of 50 hold(s) seen")));
    }

    /// Also of the time before it was chosen, and what came since.
    void theLeaseOverTheLastMinutes()
    {
        m_clock.run();
        const auto *sparkline = m_panel->findChild<LeaseSparkline *>();
        const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
        LockEvent found = eventOf("lease", EventKind::Found);
        found.wallMs = nowMs - 30'000;
        LockEvent renewal = eventOf("lease", EventKind::Renewed);
        renewal.wallMs = nowMs - 10'000;
        show(reentrant("none"));
        QVERIFY(sparkline->isHidden());
        m_log.append({found, renewal});
        show(reentrant("lease"));
        QVERIFY(sparkline->isVisible());
        QVERIFY2(sparkline->accessibleDescription().contains(
                     QStringLiteral("renewals or new acquisitions seen: 1. At least 10 s")),
                 qPrintable(sparkline->accessibleDescription()));
        renewal.wallMs = nowMs;
        m_log.append({renewal});
        show(reentrant("lease"));
        QVERIFY(sparkline->accessibleDescription().contains(QStringLiteral("acquisitions seen: 2.")));
        QVERIFY(plainText(*m_panel->summary({})).contains(sparkline->sentence()));
    }

    void aDeadlockHasItsSentencesAndItsRemedy()
    {
        const WatchedLock lock = seenWith(redisson("a"), Problem::Deadlock);
        const QString line = QStringLiteral("web-1:7 holds a and waits for b");
        m_panel->present(lock.key(), &lock, {}, {line});
        QVERIFY(shownText().contains(line + u'\n' + deadlockRemedy()));
        show(redisson("a"));
        QVERIFY(!shownText().contains(deadlockRemedy()));
    }

    /// Names alone: what is stored there is read when the user asks.
    void companionKeysAreNamed()
    {
        show(queued(redisson("job", client + ":12", "redisson-fair"_family), {otherClient + ":1"}));
        QVERIFY(
            shownText().contains(QStringLiteral("redisson_lock_queue:{job}\nredisson_lock_timeout:{job}")));
        const WatchedLock plain = reentrant("a");
        show(plain);
        QVERIFY(!shownText().contains(QStringLiteral("redisson_lock_queue")));
        m_commands->update(true, {}, &plain.lock);
        QVERIFY(m_commands->rawValue->isEnabled());
        m_commands->update(true, {}, nullptr);
        QVERIFY(!m_commands->rawValue->isEnabled());
        m_commands->update(false, {}, &plain.lock);
        QVERIFY(!m_commands->rawValue->isEnabled());
    }

    void readOnlyIsAReason()
    {
        const WatchedLock lock = reentrant("a");
        show(lock);
        m_commands->update(true, MainActions::readOnlyReason(), &lock.lock);
        const auto buttons = m_panel->findChildren<QToolButton *>();
        int blocked = 0;
        for (const QToolButton *button : buttons) {
            if (button->defaultAction() == m_commands->forceExpire ||
                button->defaultAction() == m_commands->release ||
                button->defaultAction() == m_commands->extend) {
                ++blocked;
                QVERIFY(!button->isEnabled());
                QVERIFY(button->toolTip().contains(QStringLiteral("read-only")));
            }
        }
        QCOMPARE(blocked, 4); // force-expire is at the problem, too
        m_commands->update(true, {}, &lock.lock);
        QVERIFY(m_commands->forceExpire->isEnabled());
        m_commands->update(false, {}, &lock.lock);
        QVERIFY(!m_commands->forceExpire->isEnabled());
        m_commands->update(true, {}, nullptr);
        QVERIFY(m_commands->forceExpire->toolTip().contains(QStringLiteral("Select a lock")));
        WatchedLock unknown = lock;
        unknown.lock.family = "unknown"_family;
        m_commands->update(true, {}, &unknown.lock);
        QVERIFY(!m_commands->forceExpire->isEnabled() && m_commands->copyCli->isEnabled());
    }

private:
    std::vector<std::unique_ptr<FamilyFile>> m_families;
    QUrl m_opened;
    void show(const WatchedLock &lock) { m_panel->present(lock.key(), &lock); }

    QString shownText() const
    {
        QStringList texts;
        for (const QLabel *label : m_panel->findChildren<QLabel *>()) {
            if (label->isVisible())
                texts << label->text();
        }
        return texts.join(u'\n');
    }

    EventLog m_log;
    std::unique_ptr<HoldTimes> m_holdTimes;
    DisplayClock m_clock;
    OwnerNames m_names;
    std::unique_ptr<QWidget> m_window;
    MainActions *m_commands = nullptr;
    InspectorPanel *m_panel = nullptr;
};

QTEST_MAIN(InspectorPanelTest)
#include "tst_inspectorpanel.moc"
