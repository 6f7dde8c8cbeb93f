// SPDX-License-Identifier: GPL-3.0-or-later
// The window's panels: where the user puts them they are again in the next window.
#include "tests/system/ui/testwindow.h"
#include "ui/events/eventspanel.h"
#include "ui/inspector/inspectorpanel.h"
#include "ui/shell/keptlayouts.h"
#include "ui/simulation/simulationpanel.h"
#include "ui/waits/lockwaitspanel.h"

#include <QDockWidget>
#include <QInputDialog>
#include <QMenu>

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
            QVERIFY(m_test->page().isVisible() && m_test->page().width() > 300);
            m_test->window().close();
        }
    }

    /// On a smaller screen than it was made for.
    void restoredInASmallWindow()
    {
        m_test->commands().showWaits->trigger();
        m_test->commands().showSimulation->trigger();
        m_test->window().close();
        QSettings().remove(QStringLiteral("window/geometry"));
        QVERIFY(m_test->connect());
        m_test->window().resize(800, 600);
        QTRY_COMPARE(m_test->window().size(), QSize(800, 600));
        QVERIFY(shown<SimulationPanel>() && shown<InspectorPanel>());
        QVERIFY(m_test->page().height() > 100 && m_test->page().width() > 200);
    }

    void layoutsHaveNames()
    {
        m_test->commands().showEvents->trigger();
        m_test->commands().saveLayout->trigger();
        auto *dialog = m_test->find<QInputDialog>();
        QVERIFY(dialog);
        dialog->setTextValue(QStringLiteral("night & day"));
        dialog->accept();
        QCOMPARE(keptlayouts::all().size(), 1);
        m_test->commands().restoreLayout->trigger();
        QTRY_VERIFY(!shown<EventsPanel>());

        QMenu *menu = layouts();
        QVERIFY(menu);
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().first()->text(), QStringLiteral("night && day"));
        menu->actions().first()->trigger();
        QTRY_VERIFY(shown<EventsPanel>());
        QVERIFY(m_test->commands().showEvents->isChecked());

        // There is none to arrange on the first page.
        m_test->commands().disconnect->trigger();
        QVERIFY(!m_test->commands().saveLayout->isEnabled());
        emit menu->aboutToShow();
        QVERIFY(!menu->actions().first()->isEnabled());
        for (const QMenu *below : menu->findChildren<QMenu *>())
            below->actions().first()->trigger();
        QVERIFY(keptlayouts::all().isEmpty());
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
    QMenu *layouts() const
    {
        for (QMenu *menu : m_test->window().findChildren<QMenu *>()) {
            if (menu->title() == QStringLiteral("La&youts"))
                return menu;
        }
        return nullptr;
    }

    std::unique_ptr<TestWindow> m_test;
};

QTEST_MAIN(WindowLayoutTest)
#include "tst_windowlayout.moc"
