// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a real server: what other clients and other programs of the user do is told, in words that can be believed.
#include "tests/system/cliprogram.h"
#include "tests/system/ui/testwindow.h"
#include "ui/events/eventspanel.h"
#include "ui/events/eventtable.h"
#include "ui/inspector/inspectorpanel.h"

#include <algorithm>

using namespace lockscope;

class WindowEventsTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        TestWindow::failOnWarning();
        m_test = std::make_unique<TestWindow>();
        server().cli({"HSET", "lock:there", "owner-0", "1"});
        WindowOptions options;
        options.server = server().tcpAddress();
        options.auditPath = m_program.auditPath();
        QVERIFY(m_test->connect(options));
        m_test->window().resize(1200, 700);
        QTRY_COMPARE(page()->model().rowCount(), 1);
        commands().showEvents->setChecked(true);
        QTRY_VERIFY(panel()->isVisible());
    }
    void cleanup() { m_test.reset(); }

    void whatClientsDoIsTold()
    {
        server().cli({"SET", "lock:a", "0123456789abcdef0123456789abcdef", "PX", "600000"});
        QTRY_COMPARE(shownEvents(), QStringList{QStringLiteral("Acquired lock:a")});
        server().cli({"DEL", "lock:a"});
        QTRY_COMPARE(shownEvents().value(0), QStringLiteral("Released lock:a"));
        server().cli({"HSET", "lock:there", "owner-0", "2"});
        QTRY_COMPARE(shownEvents().value(0), QStringLiteral("Re-entered lock:there"));
        // A row leads to its lock, as long as that is there.
        emit panel()->chosen(LockKey("lock:there"));
        QTRY_VERIFY(page()->chosenLock());
    }

    /// By a program that knows nothing of this window; and a deletion is not claimed to be one.
    void anotherProgramsForceIsToldApart()
    {
        page()->choose(LockKey("lock:there"));
        QTRY_VERIFY(page()->chosenLock());
        VERIFY_EXIT(CliProgram::on(server(), {"force-expire", "lock:there", "--expect-owner", "owner-0"}), 0);
        QTRY_COMPARE(shownEvents().value(0), QStringLiteral("Forced by you lock:there"));
        QVERIFY(detail(0).contains(QStringLiteral("with another Lockscope program")));
        QTRY_VERIFY2(
            summary().contains(QStringLiteral("Forced by you owner-0 · with another Lockscope program")),
            qPrintable(summary()));
        server().cli({"HSET", "lock:there", "owner-0", "1"});
        QTRY_COMPARE(shownEvents().value(0), QStringLiteral("Acquired lock:there"));
        server().cli({"DEL", "lock:there"});
        QTRY_COMPARE(shownEvents().value(0), QStringLiteral("Released lock:there"));
        QVERIFY(summary().contains(QStringLiteral("Released owner-0")));
    }

    void aPauseHoldsTheEvents()
    {
        commands().pause->setChecked(true);
        server().cli({"DEL", "lock:there"});
        server().cli({"HSET", "lock:new", "owner-1", "1"});
        QTest::qWait(300); // proves that nothing happens
        QVERIFY(shownEvents().isEmpty());
        commands().pause->setChecked(false);
        QTRY_COMPARE(shownEvents().size(), 2);
        QVERIFY(shownEvents().contains(QStringLiteral("Acquired lock:new")));
        QVERIFY(shownEvents().contains(QStringLiteral("Released lock:there")));
    }

    void aDeadlockIsToldAndItsEnd()
    {
        const QByteArray first = "3b2c1a09-8f7e-4d6c-9b5a-493827160504:1";
        const QByteArray second = "77777777-8f7e-4d6c-9b5a-493827160504:1";
        m_test->addFair("lock:order:1", first, {second});
        m_test->addFair("lock:order:2", second, {first});
        const auto row = [this](const QString &word) {
            const QStringList events = shownEvents();
            const auto found = std::ranges::find_if(events, [&](const QString &line) {
                return line.startsWith(word + QStringLiteral(" lock:order:"));
            });
            return found == events.end() ? -1 : int(found - events.begin());
        };
        QTRY_VERIFY_WITH_TIMEOUT(row(QStringLiteral("Deadlock")) >= 0, 30'000);
        QVERIFY(
            detail(row(QStringLiteral("Deadlock"))).contains(QStringLiteral("and waits for lock:order:")));
        server().cli({"DEL", "redisson_lock_queue:{lock:order:1}"});
        QTRY_VERIFY_WITH_TIMEOUT(row(QStringLiteral("Deadlock ended")) >= 0, 30'000);
    }

    void whatHappensToTheWatchingIsTold()
    {
        server().cli({"FLUSHALL"});
        QTRY_VERIFY2(shownEvents().contains(QStringLiteral("Database flushed ")),
                     qPrintable(shownEvents().join(u'\n')));
        server().kill();
        QTRY_VERIFY_WITH_TIMEOUT(shownEvents().contains(QStringLiteral("Disconnected ")), 30'000);
    }

private:
    RedisServer &server() const { return m_test->server(); }
    LocksPage *page() const { return m_test->page(); }
    EventsPanel *panel() const { return m_test->find<EventsPanel>(); }
    MainActions &commands() const { return m_test->commands(); }
    /// "Acquired lock:a", newest first.
    QStringList shownEvents() const
    {
        const QAbstractItemModel &model = panel()->model();
        QStringList lines;
        for (int row = 0; row < model.rowCount(); ++row)
            lines << model.index(row, 1).data().toString() + u' ' + model.index(row, 2).data().toString();
        return lines;
    }
    QString detail(int row) const { return panel()->model().index(row, 4).data().toString(); }
    QString summary() const
    {
        const auto written = m_test->find<InspectorPanel>()->summary(QStringLiteral("orders"));
        return written ? plainText(*written) : QString();
    }

    const CliProgram m_program; ///< whose audit log is the window's, too
    std::unique_ptr<TestWindow> m_test;
};

QTEST_MAIN(WindowEventsTest)
#include "tst_windowevents.moc"
