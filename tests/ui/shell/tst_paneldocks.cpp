// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/paneldocks.h"

#include "ui/events/eventspanel.h"
#include "ui/shell/docktitle.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtTest>

using namespace lockscope;

class PanelDocksTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin)")));
        m_log = std::make_unique<EventLog>(1000);
        make();
    }
    void cleanup()
    {
        m_window.reset();
        m_log.reset();
    }

    void byItsAction()
    {
        QVERIFY(m_table->isVisible() && m_inspector->isVisible() && !m_waits->isVisible());
        m_showWaits->trigger();
        QVERIFY(m_waits->isVisible());
        QCOMPARE(m_focused, QStringLiteral("waits"));
        m_showWaits->trigger();
        QVERIFY(!m_waits->isVisible());
        m_showInspector->setChecked(false);
        QVERIFY(!m_inspector->isVisible());
        QTRY_VERIFY(m_table->width() > 850);
    }

    /// With names that a screen reader can say; what is closed there is closed in the menu.
    void byItsTitle()
    {
        QCOMPARE(names(*dock(m_inspector)),
                 (QStringList{QStringLiteral("Move Inspector"),
                              QStringLiteral("Show Inspector in a window of its own"),
                              QStringLiteral("Close Inspector")}));
        button(*dock(m_inspector), 1)->click();
        QVERIFY(dock(m_inspector)->isFloating());
        QCOMPARE(names(*dock(m_inspector)).at(1), QStringLiteral("Put Inspector back into the window"));
        button(*dock(m_inspector), 1)->click();
        QVERIFY(!dock(m_inspector)->isFloating());
        button(*dock(m_inspector), 2)->click();
        QVERIFY(!m_inspector->isVisible() && !m_showInspector->isChecked());
        m_showInspector->trigger();
        QVERIFY(m_inspector->isVisible());
    }

    /// By keyboard: the panel keeps the focus.
    void byTheMenuOfItsTitle()
    {
        m_showWaits->trigger();
        m_inspector->setFocus();
        QTRY_VERIFY(m_inspector->hasFocus());
        place(*dock(m_inspector), QStringLiteral("left"))->trigger();
        QCOMPARE(m_docks->dockWidgetArea(dock(m_inspector)), Qt::LeftDockWidgetArea);
        QTRY_VERIFY(dock(m_inspector)->x() == 0 && dock(m_inspector)->width() < m_docks->width() / 2);
        QVERIFY(m_inspector->isVisible() && m_inspector->hasFocus());
        QVERIFY(title(*dock(m_inspector))->isVisible());

        // Where another is already it comes to stand before that, as a tab, which has its name.
        place(*dock(m_inspector), QStringLiteral("bottom"))->trigger();
        QTRY_VERIFY(m_inspector->isVisible() && !m_waits->isVisible());
        QVERIFY(m_inspector->hasFocus());
        QVERIFY(m_docks->tabifiedDockWidgets(dock(m_waits)).contains(dock(m_inspector)));
        QTRY_VERIFY(title(*dock(m_inspector))->isHidden() && title(*dock(m_waits))->isHidden());
        m_showWaits->trigger();
        m_showWaits->trigger();
        QTRY_VERIFY(!m_waits->isVisible() && !title(*dock(m_inspector))->isHidden());

        dock(m_inspector)->setFloating(true);
        place(*dock(m_inspector), QStringLiteral("right"))->trigger();
        QVERIFY(!dock(m_inspector)->isFloating());
        QCOMPARE(m_docks->dockWidgetArea(dock(m_inspector)), Qt::RightDockWidgetArea);
    }

    /// What is there is not offered.
    void aPanelIsNotMovedToWhereItIs()
    {
        QAction *right = place(*dock(m_inspector), QStringLiteral("right"));
        QVERIFY(!right->isEnabled() && place(*dock(m_inspector), QStringLiteral("top"))->isEnabled());
        dock(m_inspector)->setFloating(true);
        QVERIFY(place(*dock(m_inspector), QStringLiteral("right"))->isEnabled());
    }

    void whatComesIntoSightIsSaid()
    {
        QSignalSpy seen(m_docks, &PanelDocks::sightChanged);
        m_showWaits->trigger();
        QVERIFY(!seen.isEmpty());
        QCOMPARE(seen.last().first().value<const QWidget *>(), m_waits);
    }

    /// A panel behind another does nothing; its action brings it to the front instead of closing it.
    void behindAnotherItRests()
    {
        m_showEvents->trigger();
        QVERIFY(m_events->isVisible());
        m_log->append({}, {{MonitorEventKind::Disconnected, QString(), 0}});
        QTRY_COMPARE(m_events->model().rowCount(), 1);
        m_showWaits->trigger();
        QTRY_VERIFY(m_waits->isVisible() && !m_events->isVisible());
        QVERIFY(m_showEvents->isChecked());
        m_log->append({}, {{MonitorEventKind::Reconnected, QString(), 0}});
        QTest::qWait(3 * EventModel::pace.count()); // proves that nothing happens
        QCOMPARE(m_events->model().rowCount(), 1);

        m_focused.clear();
        m_showEvents->trigger();
        QTRY_VERIFY(m_events->isVisible() && !m_waits->isVisible());
        QVERIFY(m_showEvents->isChecked() && m_showWaits->isChecked());
        QCOMPARE(m_focused, QStringLiteral("events"));
        QCOMPARE(m_events->model().rowCount(), 2);

        m_docks->reveal(m_waits);
        QTRY_VERIFY(m_waits->isVisible());
        m_showWaits->trigger();
        QTRY_VERIFY(m_events->isVisible() && !m_showWaits->isChecked());
        // Closed while it was behind, it opens as others do.
        m_showWaits->trigger();
        QTRY_VERIFY(!m_events->isVisible());
        dock(m_events)->close();
        QVERIFY(!m_showEvents->isChecked());
        m_showEvents->trigger();
        QTRY_VERIFY(m_events->isVisible());
    }

    void aLayoutComesBack()
    {
        m_showWaits->trigger();
        m_showEvents->trigger();
        m_docks->addDockWidget(Qt::LeftDockWidgetArea, dock(m_waits));
        dock(m_events)->setFloating(true);
        m_showInspector->setChecked(false);
        QCoreApplication::processEvents();
        m_docks->resizeDocks({dock(m_waits)}, {260}, Qt::Horizontal);
        QCoreApplication::processEvents();
        const int width = dock(m_waits)->width();
        const QByteArray layout = m_docks->savedLayout();
        make();
        QVERIFY(m_docks->restoreLayout(layout));
        QTRY_VERIFY(m_waits->isVisible() && m_events->isVisible());
        QVERIFY(dock(m_events)->isFloating());
        QCOMPARE(m_docks->dockWidgetArea(dock(m_waits)), Qt::LeftDockWidgetArea);
        QTRY_COMPARE(dock(m_waits)->width(), width);
        QVERIFY(m_showWaits->isChecked() && m_showEvents->isChecked());
        QVERIFY(!m_showInspector->isChecked() && !m_inspector->isVisible());

        m_docks->restoreDefault();
        verifyDefault();
    }

    void whatIsNoLayout()
    {
        const QByteArray own = m_docks->savedLayout();
        for (const QByteArray &layout : {QByteArray(), QByteArray("not a layout"), own.left(own.size() / 2),
                                         own.mid(1), m_docks->saveState(4711)}) {
            m_showWaits->setChecked(true);
            dock(m_inspector)->setFloating(true);
            QVERIFY(!m_docks->restoreLayout(layout));
            QVERIFY(m_waits->isVisible() && m_inspector->isVisible() && dock(m_inspector)->isFloating());
        }
        m_docks->restoreDefault();
        verifyDefault();
    }

    /// Behind another panel it has no height before the layout gives it one.
    void aShareAmongTabs()
    {
        m_showWaits->trigger();
        m_docks->resizeDocks({dock(m_waits)}, {90}, Qt::Vertical);
        QTRY_VERIFY(dock(m_waits)->height() < 150);
        m_showLarge->trigger();
        QTRY_VERIFY(qAbs(dock(m_large)->height() - m_docks->height() / 2) < 40);
    }

    /// What asks for a share of the window gets it once; from then on it is as large as the user has made it.
    void theSizeIsTheUsers()
    {
        m_showLarge->trigger();
        QTRY_VERIFY(qAbs(dock(m_large)->height() - m_docks->height() / 2) < 40);
        m_docks->resizeDocks({dock(m_large)}, {120}, Qt::Vertical);
        QCoreApplication::processEvents();
        const int low = dock(m_large)->height();
        QVERIFY(low < m_docks->height() / 3);
        m_docks->reveal(m_large);
        QCoreApplication::processEvents();
        QCOMPARE(dock(m_large)->height(), low);
        m_showLarge->trigger();
        m_showLarge->trigger();
        QCoreApplication::processEvents();
        QCOMPARE(dock(m_large)->height(), low);
        QVERIFY(m_docks->restoreLayout(m_docks->savedLayout()));
        m_docks->reveal(m_large);
        QCoreApplication::processEvents();
        QCOMPARE(dock(m_large)->height(), low);
    }

    /// The keyboard goes with the panel, from one window to the other.
    void theFocusGoesAlong()
    {
        m_inspector->setFocus();
        QTRY_VERIFY(m_inspector->hasFocus());
        button(*dock(m_inspector), 1)->click();
        QTRY_VERIFY(m_inspector->hasFocus() && QApplication::activeWindow() == dock(m_inspector));
        m_showWaits->trigger();
        m_waits->setFocus();
        QTRY_VERIFY(m_waits->hasFocus() && QApplication::activeWindow() == m_window.get());
        m_docks->reveal(m_inspector);
        m_inspector->setFocus();
        QTRY_VERIFY(m_inspector->hasFocus());
        button(*dock(m_inspector), 1)->click();
        QTRY_VERIFY(m_inspector->hasFocus() && QApplication::activeWindow() == m_window.get());
    }

    /// Also where all that could be closed was closed or dragged away.
    void theTableStays()
    {
        for (QDockWidget *each : m_docks->findChildren<QDockWidget *>())
            each->close();
        QVERIFY(m_table->isVisible());
        QVERIFY(m_docks->centralWidget() == m_table);
        m_docks->restoreDefault();
        verifyDefault();
    }

    void shortcutsWorkInAFloatingPanel()
    {
        int done = 0;
        QAction step;
        step.setShortcut(Qt::Key_F5);
        m_window->addAction(&step);
        connect(&step, &QAction::triggered, this, [&done] { ++done; });
        dock(m_inspector)->setFloating(true);
        dock(m_inspector)->activateWindow();
        m_inspector->setFocus();
        QTRY_VERIFY(m_inspector->hasFocus());
        QTest::keyClick(m_inspector, Qt::Key_F5);
        QCOMPARE(done, 1);
    }

private:
    void make()
    {
        m_window = std::make_unique<QWidget>();
        m_table = new QLabel(QStringLiteral("locks"));
        m_table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
        m_docks = new PanelDocks(m_table);
        (new QVBoxLayout(m_window.get()))->addWidget(m_docks);
        m_inspector = panel(QStringLiteral("Inspector"));
        m_waits = panel(QStringLiteral("Lock waits"));
        m_events = new EventsPanel(*m_log, m_names, m_window.get());
        m_showInspector = action(true);
        m_showWaits = action(false);
        m_showEvents = action(false);
        m_large = panel(QStringLiteral("Simulation"));
        m_showLarge = action(false);
        add(QStringLiteral("inspector"), m_inspector, m_showInspector,
            {.area = Qt::RightDockWidgetArea, .share = 0.3, .isOpen = true});
        add(QStringLiteral("waits"), m_waits, m_showWaits, {});
        add(QStringLiteral("events"), m_events, m_showEvents, {});
        add(QStringLiteral("simulation"), m_large, m_showLarge, {.share = 0.5});
        m_window->resize(1000, 700);
        m_window->show();
        m_window->activateWindow();
    }
    void add(const QString &name, QWidget *panel, QAction *show, const PanelDocks::Place &place)
    {
        m_docks->add(
            name, panel, show, [this, name] { m_focused = name; }, place);
    }
    QWidget *panel(const QString &name)
    {
        auto *made = new QLabel(name, m_window.get());
        made->setAccessibleName(name);
        made->setFocusPolicy(Qt::StrongFocus);
        return made;
    }
    QAction *action(bool isChecked)
    {
        auto *made = new QAction(m_window.get());
        made->setCheckable(true);
        made->setChecked(isChecked);
        return made;
    }
    static QDockWidget *dock(QWidget *panel) { return qobject_cast<QDockWidget *>(panel->parentWidget()); }
    static QToolButton *button(const QDockWidget &dock, int index)
    {
        return dock.findChild<DockTitle *>()->findChildren<QToolButton *>().at(index);
    }
    static QLabel *title(const QDockWidget &dock)
    {
        return dock.findChild<DockTitle *>()->findChild<QLabel *>();
    }
    static QAction *place(const QDockWidget &dock, const QString &word)
    {
        auto *menu = dock.findChild<DockTitle *>()->findChild<QMenu *>();
        emit menu->aboutToShow();
        for (QAction *action : menu->actions()) {
            if (action->text().remove(u'&').endsWith(word))
                return action;
        }
        return nullptr;
    }
    static QStringList names(const QDockWidget &dock)
    {
        return {button(dock, 0)->accessibleName(), button(dock, 1)->accessibleName(),
                button(dock, 2)->accessibleName()};
    }
    void verifyDefault()
    {
        QTRY_VERIFY(m_inspector->isVisible() && !m_waits->isVisible() && !m_events->isVisible());
        QVERIFY(m_showInspector->isChecked() && !m_showWaits->isChecked() && !m_showEvents->isChecked());
        QVERIFY(m_table->isVisible());
        QVERIFY(!dock(m_inspector)->isFloating());
        QCOMPARE(m_docks->dockWidgetArea(dock(m_inspector)), Qt::RightDockWidgetArea);
        QTRY_VERIFY(qAbs(dock(m_inspector)->width() - m_docks->width() * 3 / 10) < 20);
        for (QWidget *each : {m_waits, static_cast<QWidget *>(m_events)})
            QCOMPARE(m_docks->dockWidgetArea(dock(each)), Qt::BottomDockWidgetArea);
    }

    std::unique_ptr<EventLog> m_log;
    OwnerNames m_names;
    std::unique_ptr<QWidget> m_window;
    QWidget *m_table = nullptr;
    PanelDocks *m_docks = nullptr;
    QWidget *m_inspector = nullptr;
    QWidget *m_waits = nullptr;
    EventsPanel *m_events = nullptr;
    QWidget *m_large = nullptr;
    QAction *m_showLarge = nullptr;
    QAction *m_showInspector = nullptr;
    QAction *m_showWaits = nullptr;
    QAction *m_showEvents = nullptr;
    QString m_focused;
};

QTEST_MAIN(PanelDocksTest)
#include "tst_paneldocks.moc"
