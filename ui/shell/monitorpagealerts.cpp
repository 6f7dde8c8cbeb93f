// SPDX-License-Identifier: GPL-3.0-or-later
// Of a monitor's page: what needs attention, in a panel, in the title and on the desktop.
#include "ui/shell/monitorpage.h"

#include "ui/actions/mainactions.h"
#include "ui/alerts/alertcontroller.h"
#include "ui/alerts/alertrulesdialog.h"
#include "ui/alerts/alertspanel.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/statusbar.h"

#include <QApplication>
#include <QLocale>

namespace lockscope {

void MonitorPage::addAlerts()
{
    m_alerts = new AlertController(m_serverName, m_notes.uri(), DesktopNotifications::instance(), this);
    m_alerts->setPatterns([this] { return watchedPatterns(); });
    m_alertsPanel = new AlertsPanel(*m_alerts, *m_commands.alertRules, this);
    m_docks->add(QStringLiteral("alerts"), m_alertsPanel, m_commands.showAlerts,
                 [panel = m_alertsPanel] { panel->focusContents(); }, {});
    connect(this, &QObject::destroyed, m_commands.showAlerts, [show = m_commands.showAlerts] {
        show->setIconText(tr("Alerts"));
        show->setPriority(QAction::NormalPriority);
    });
    connect(m_commands.alertRules, &QAction::triggered, this, &MonitorPage::editAlertRules);
    connect(m_alertsPanel, &AlertsPanel::chosen, this, &MonitorPage::goTo);
    connect(m_alertsPanel, &AlertsPanel::noLock, this,
            [this] { m_statusLine->flash(tr("This alert is of the server, not of one lock")); });
    connect(m_alerts, &AlertController::snoozesFull, this, [this] {
        m_statusLine->flash(
            tr("At most %1 snoozes can be in force: nothing was snoozed").arg(AlertList::mostSnoozes));
    });
    const auto showCount = [this] {
        const int count = m_alerts->list().unattended();
        m_commands.showAlerts->setIconText(count > 0 ? tr("Alerts (%1)").arg(QLocale().toString(count))
                                                     : tr("Alerts"));
        m_commands.showAlerts->setPriority(count > 0 ? QAction::HighPriority : QAction::NormalPriority);
        emit standingChanged();
    };
    showCount();
    connect(m_alerts, &AlertController::countChanged, this, showCount);
    connect(m_alerts, &AlertController::told, this, [this] { QApplication::alert(window()); });
    connect(m_alerts, &AlertController::openRequested, this, [this](quint64 number) {
        window()->setWindowState(window()->windowState() & ~Qt::WindowMinimized);
        window()->raise();
        window()->activateWindow();
        const AlertList::Entry *entry = m_alerts->list().find(number);
        if (entry && !entry->alert.key.isEmpty())
            return goTo(entry->alert.key);
        m_docks->reveal(m_alertsPanel);
        m_alertsPanel->reveal(number);
    });
}

/// Also while the picture is held still.
void MonitorPage::feedAlerts()
{
    connect(m_session, &Session::changed, m_alerts, &AlertController::take);
    connect(m_session, &Session::deadlocksChanged, m_alerts, &AlertController::takeDeadlocks);
    connect(m_session, &Session::serverReset, m_alerts, &AlertController::takeReset);
    connect(m_session, &Session::clusterChanged, m_alerts, &AlertController::takeCluster);
    connect(m_session, &Session::scanFinished, m_alerts,
            [this](const ScanStats &stats) { m_alerts->takeScan(stats.complete, stats.unreadable); });
    connect(m_session, &Session::feedChanged, m_alerts, &AlertController::takeFeed);
    connect(m_session, &Session::confirmed, m_alerts, &AlertController::takeConfirmed);
    connect(m_session, &Session::errorOccurred, m_alerts, &AlertController::takeError);
    connect(m_session, &Session::statusChanged, m_alerts, [this](const ConnectionStatus &status) {
        m_alerts->takeConnection(status.state == Link::State::Ready);
    });
}

void MonitorPage::editAlertRules()
{
    auto *dialog =
        new AlertRulesDialog(m_alerts->settings(), m_alerts->keepsSettings(), m_alerts->desktop(), this);
    connect(dialog, &AlertRulesDialog::chosen, this, [this](const AlertSettings &settings) {
        m_commands.pause->setChecked(false); // the locks are judged as they are now
        QList<WatchedLock> locks;
        m_locks->model().visit([&locks](const WatchedLock &lock) {
            locks.append(lock);
            return true;
        });
        m_alerts->setSettings(settings, locks);
    });
    present(dialog);
}

} // namespace lockscope
