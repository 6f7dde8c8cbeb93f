// SPDX-License-Identifier: GPL-3.0-or-later
// Alerts in the window on a real server: raised, in sight while the panel is closed, acknowledged, snoozed; also during a pause.
#include "tests/system/ui/testwindow.h"
#include "ui/alerts/alertcontroller.h"
#include "ui/alerts/alertrulesdialog.h"
#include "ui/alerts/alertspanel.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QTableView>
#include <QtTest>

using namespace lockscope;

class WindowAlertsTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        TestWindow::failOnWarning();
        m_world = std::make_unique<TestWindow>();
        addEndless("lock:endless");
        QVERIFY(m_world->connect());
        QTRY_COMPARE(badge(), QStringLiteral("Alerts (1)"));
    }
    void cleanup() { m_world.reset(); }

    void whatNeedsAttentionIsInSight()
    {
        QVERIFY(!panel().isVisible());
        QVERIFY2(m_world->window().windowTitle().startsWith(QStringLiteral("(1) ")),
                 qPrintable(m_world->window().windowTitle()));
        m_world->commands().showAlerts->trigger();
        QTRY_VERIFY(panel().isVisible());
        QCOMPARE(panel().model().rowCount(), 1);
        QTRY_VERIFY(panel().table().hasFocus());
        QTest::keyClick(&panel().table(), Qt::Key_Return);
        QCOMPARE(m_world->page()->chosen(), LockKey("lock:endless"));
        QTest::keyClick(&panel().table(), Qt::Key_A);
        QCOMPARE(badge(), QStringLiteral("Alerts"));
        QVERIFY(!m_world->window().windowTitle().startsWith(u'('));
        m_world->server().cli({"DEL", "lock:endless"});
        QTRY_VERIFY_WITH_TIMEOUT(!panel().model().at(0).isOpen(), 20'000);
    }

    void aPauseHoldsThemNot()
    {
        m_world->commands().pause->setChecked(true);
        addEndless("lock:later");
        QTRY_COMPARE(badge(), QStringLiteral("Alerts (2)"));
        QCOMPARE(m_world->page()->model().rowCount(), 1);
    }

    void aSnoozeOutlivesTheWindow()
    {
        m_world->commands().showAlerts->trigger();
        QTRY_COMPARE(panel().model().rowCount(), 1);
        panel().table().selectRow(0);
        auto *menu = panel().findChild<QMenu *>(QStringLiteral("snoozes"));
        emit menu->aboutToShow();
        menu->actions().first()->trigger();
        QCOMPARE(badge(), QStringLiteral("Alerts"));
        QVERIFY(m_world->connect());
        m_world->commands().showAlerts->trigger();
        QTRY_COMPARE(panel().model().rowCount(), 1);
        QCOMPARE(badge(), QStringLiteral("Alerts"));
        addEndless("lock:other");
        QTRY_COMPARE(badge(), QStringLiteral("Alerts (1)"));
    }

    /// By a click on what the desktop shows of it.
    void theDesktopOpensTheLock()
    {
        m_world->commands().pause->setChecked(true);
        auto *alerts = m_world->find<AlertController>();
        emit alerts->openRequested(alerts->list().entries().first().alert.number);
        QCOMPARE(m_world->page()->chosen(), LockKey("lock:endless"));
        QVERIFY(!panel().isVisible());
        emit alerts->openRequested(0); // of many
        QTRY_VERIFY(panel().isVisible());
    }

    void rulesAreOfTheServer()
    {
        chooseRule(false);
        QTRY_COMPARE(badge(), QStringLiteral("Alerts"));
        QVERIFY(m_world->connect()); // anew
        addEndless("lock:other");
        QTRY_COMPARE(m_world->page()->model().rowCount(), 2);
        QCOMPARE(badge(), QStringLiteral("Alerts"));
        chooseRule(true);
        QTRY_COMPARE(badge(), QStringLiteral("Alerts (2)"));
    }

private:
    /// No expiry.
    void chooseRule(bool isOn)
    {
        m_world->commands().alertRules->trigger();
        QTRY_VERIFY(m_world->find<AlertRulesDialog>());
        auto *dialog = m_world->find<AlertRulesDialog>();
        for (QCheckBox *box : dialog->findChildren<QCheckBox *>()) {
            if (box->text().remove(u'&') == QStringLiteral("No expiry"))
                box->setChecked(isOn);
        }
        dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->click();
        QTRY_VERIFY(!m_world->find<AlertRulesDialog>());
    }
    void addEndless(const QByteArray &key)
    {
        m_world->server().cli({"HSET", key, "owner", "web-1", "locked_at", "1700000000"}); // left behind
    }
    AlertsPanel &panel() { return *m_world->find<AlertsPanel>(); }
    QString badge() { return m_world->commands().showAlerts->iconText(); }

    std::unique_ptr<TestWindow> m_world;
};

QTEST_MAIN(WindowAlertsTest)
#include "tst_windowalerts.moc"
