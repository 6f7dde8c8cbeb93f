// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline in the window on a real server: a time that is selected there filters the table and the events.
#include "tests/system/ui/testwindow.h"
#include "ui/events/eventspanel.h"
#include "ui/timeline/timelinepanel.h"

#include <QDateTime>
#include <QtTest>

using namespace lockscope;

class WindowTimelineTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        TestWindow::failOnWarning();
        m_world = std::make_unique<TestWindow>();
        QVERIFY(m_world->connect());
        m_world->window().resize(1200, 800);
    }
    void cleanup() { m_world.reset(); }

    void aSelectedTimeFilters()
    {
        m_world->addFair("lock:order:1", "6f8a6c54-58cc-4372-a567-0e02b2c3d479:1",
                         {"6f8a6c54-58cc-4372-a567-0e02b2c3d479:2"});
        QTRY_COMPARE(m_world->page()->model().rowCount(), 1);
        QVERIFY(!panel().isVisible());
        m_world->commands().showTimeline->trigger();
        QTRY_VERIFY(panel().isVisible());
        QVERIFY(panel().view().hasFocus());
        QTRY_COMPARE(panel().lanes().laneCount(), 1);
        QTRY_VERIFY2(now().contains(QStringLiteral("1 waiting")), qPrintable(now()));

        m_world->server().cli({"DEL", "lock:order:1", "redisson_lock_queue:{lock:order:1}",
                               "redisson_lock_timeout:{lock:order:1}"});
        QTRY_COMPARE(m_world->page()->model().rowCount(), 0);
        QTRY_COMPARE(now(), QStringLiteral("no hold seen"));
        const qint64 ended = panel().lanes().known().toMs;
        m_world->server().cli({"SET", "lock:later", "token-1", "PX", "600000"});
        QTRY_COMPARE(m_world->page()->model().rowCount(), 1);
        m_world->commands().showEvents->trigger();
        EventsPanel &events = *m_world->find<EventsPanel>();
        QTRY_VERIFY(events.model().rowCount() >= 3); // both were acquired, one was released
        const int all = events.model().rowCount();
        m_world->commands().showTimeline->trigger();

        panel().view().setSelection(TimeRange{ended - 60'000, ended});
        QTRY_COMPARE(m_world->page()->model().rowCount(), 0); // what was held then is gone
        QCOMPARE(panel().lanes().laneCount(), 1);
        m_world->commands().showEvents->trigger();
        QTRY_COMPARE(events.model().rowCount(), all - 1);
        m_world->commands().clear->trigger();
        QTRY_COMPARE(m_world->page()->model().rowCount(), 1);
        QVERIFY(!panel().time());
        QTRY_COMPARE(events.model().rowCount(), all);
    }

private:
    TimelinePanel &panel() { return *m_world->find<TimelinePanel>(); }
    QString now() { return panel().lanes().stateText(0, panel().lanes().known().toMs); }

    std::unique_ptr<TestWindow> m_world;
};

QTEST_MAIN(WindowTimelineTest)
#include "tst_windowtimeline.moc"
