// SPDX-License-Identifier: GPL-3.0-or-later
// The window's panels: where the user puts them they are again in the next window.
#include "tests/system/ui/testwindow.h"
#include "ui/events/eventspanel.h"
#include "ui/inspector/inspectorpanel.h"
#include "ui/simulation/simulationpanel.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/waits/lockwaitspanel.h"
#include "ui/widgets/banner.h"

#include <QAccessible>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

using namespace lockscope;

class WindowLayoutTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        TestWindow::failOnWarning();
        m_test = std::make_unique<TestWindow>();
        QSettings().clear();
        QVERIFY(m_test->connect());
        m_test->window().resize(1200, 740);
    }
    void cleanup() { m_test.reset(); }

    void atFirst()
    {
        QVERIFY(shown<InspectorPanel>());
        QVERIFY(!shown<LockWaitsPanel>() && !shown<EventsPanel>() && !shown<SimulationPanel>());
        QVERIFY(!m_test->commands().showWaits->isChecked());
    }

    void theNextWindowIsTheSame()
    {
        m_test->commands().showEvents->trigger();
        m_test->commands().showWaits->trigger();
        m_test->commands().showInspector->setChecked(false);
        dock<EventsPanel>()->setFloating(true);
        m_test->window().close();
        QVERIFY(m_test->connect());
        QTRY_VERIFY(shown<LockWaitsPanel>() && shown<EventsPanel>());
        QVERIFY(dock<EventsPanel>()->isFloating());
        QVERIFY(!shown<InspectorPanel>());
        QVERIFY(m_test->commands().showEvents->isChecked() && m_test->commands().showWaits->isChecked());
        QVERIFY(!m_test->commands().showInspector->isChecked());

        m_test->commands().restoreLayout->trigger();
        QTRY_VERIFY(shown<InspectorPanel>() && !shown<EventsPanel>() && !shown<LockWaitsPanel>());
    }

    /// Quitting closes the windows before the panels that float: these are not remembered as closed.
    void quittingKeepsWhatFloats()
    {
        m_test->commands().showEvents->trigger();
        dock<EventsPanel>()->setFloating(true);
        m_test->commands().quit->trigger();
        QVERIFY(m_test->connect());
        QTRY_VERIFY(shown<EventsPanel>());
        QVERIFY(dock<EventsPanel>()->isFloating());
    }

    /// As by a signal, or at the end of the session.
    void endingKeepsWhatFloats()
    {
        m_test->commands().showEvents->trigger();
        dock<EventsPanel>()->setFloating(true);
        QTimer::singleShot(0, qApp, &QApplication::quit);
        QApplication::exec();
        QVERIFY(m_test->connect());
        QTRY_VERIFY(shown<EventsPanel>());
        QVERIFY(dock<EventsPanel>()->isFloating());
    }

    void whatIsBrokenIsTheDefault()
    {
        m_test->commands().showInspector->setChecked(false);
        m_test->window().close();
        for (const QByteArray &broken :
             {QByteArray("noise"),
              QSettings().value(QStringLiteral("window/docks")).toByteArray().left(20)}) {
            QSettings().setValue(QStringLiteral("window/docks"), broken);
            QVERIFY(m_test->connect());
            QTRY_VERIFY(shown<InspectorPanel>());
            QVERIFY(m_test->page()->isVisible() && m_test->page()->width() > 300);
            m_test->window().close();
        }
    }

    /// On a smaller screen than it was made for.
    void restoredInASmallWindow()
    {
        m_test->commands().showWaits->trigger();
        m_test->commands().showTimeline->trigger();
        m_test->commands().showSimulation->trigger();
        m_test->window().close(); // what it shows is another page, and no part of the layout
        QSettings().remove(QStringLiteral("window/geometry"));
        QVERIFY(m_test->connect());
        m_test->window().resize(800, 600);
        QTRY_COMPARE(m_test->window().size(), QSize(800, 600));
        QVERIFY(!shown<SimulationPanel>() && shown<InspectorPanel>() && shown<TimelinePanel>());
        QVERIFY(m_test->page()->height() > 100 && m_test->page()->width() > 200);
    }

    void theBannerOffersWhatIsNotInSight()
    {
        const QByteArray a = "3b2c1a09-8f7e-4d6c-9b5a-493827160504:1",
                         b = "77777777-8f7e-4d6c-9b5a-493827160504:1";
        m_test->addFair("lock:order:1", a, {b});
        m_test->addFair("lock:order:2", b, {a});
        const auto offered = [this] {
            const auto buttons = m_test->find<Banner>()->findChildren<QToolButton *>();
            return std::ranges::any_of(buttons, [](const QToolButton *button) {
                return button->isVisible() && button->text() == QStringLiteral("Show lock waits");
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(offered(), 20'000);
        m_test->commands().showWaits->trigger();
        QTRY_VERIFY(!offered());
        m_test->commands().showEvents->trigger();
        QTRY_VERIFY(!shown<LockWaitsPanel>() && offered());
        emit m_test->find<Banner>()->stepChosen();
        QTRY_VERIFY(shown<LockWaitsPanel>() && !offered());
    }

    /// Hidden, the inspector follows nothing; what is shown or copied then is the chosen lock.
    void theHiddenInspectorIsCurrentOnceAsked()
    {
        m_test->server().cli({"SET", "lock:plain", "owner-1", "PX", "600000"});
        m_test->server().cli({"SET", "lock:other", "owner-2", "PX", "600000"});
        QTRY_COMPARE_WITH_TIMEOUT(m_test->page()->model().total(), 2, 20'000);
        const auto text = [this] {
            for (const QLabel *label : m_test->find<InspectorPanel>()->findChildren<QLabel *>()) {
                if (label->accessibleName() == QStringLiteral("Key"))
                    return label->text();
            }
            return QString();
        };
        m_test->page()->choose(LockKey("lock:plain"));
        QCOMPARE(text(), QStringLiteral("lock:plain"));
        m_test->commands().showInspector->setChecked(false);
        m_test->page()->choose(LockKey("lock:other"));
        QCOMPARE(text(), QStringLiteral("lock:plain"));
        const auto summary = m_test->find<InspectorPanel>()->summary(QStringLiteral("orders"));
        QVERIFY(summary && summary->key == QStringLiteral("lock:other"));
        m_test->page()->choose(LockKey("lock:plain"));
        QCOMPARE(text(), QStringLiteral("lock:other"));
        m_test->commands().showInspector->setChecked(true);
        QTRY_COMPARE(text(), QStringLiteral("lock:plain"));
    }

    /// What is within another word is said all the same.
    void aLabelSaysItsName()
    {
        QLabel label(QStringLiteral("monkey:1"));
        label.setAccessibleName(QStringLiteral("Key"));
        const auto said = [&label] {
            return QAccessible::queryAccessibleInterface(&label)->text(QAccessible::Name);
        };
        QCOMPARE(said(), QStringLiteral("Key: monkey:1"));
        label.setText(QStringLiteral("keys:1"));
        QCOMPARE(said(), QStringLiteral("Key: keys:1"));
        label.setText(QStringLiteral("key 7"));
        QCOMPARE(said(), QStringLiteral("key 7"));
    }

private:
    template <typename Panel>
    bool shown() const
    {
        return m_test->find<Panel>()->isVisible();
    }
    template <typename Panel>
    QDockWidget *dock() const
    {
        return qobject_cast<QDockWidget *>(m_test->find<Panel>()->parentWidget());
    }
    std::unique_ptr<TestWindow> m_test;
};

QTEST_MAIN(WindowLayoutTest)
#include "tst_windowlayout.moc"
