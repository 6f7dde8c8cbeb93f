// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/alertcommands.h"

#include "ui/actions/commandbar.h"
#include "ui/alerts/alertcontroller.h"
#include "ui/alerts/alertrulesdialog.h"
#include "ui/alerts/alertspanel.h"
#include "ui/widgets/dialogs.h"

#include <QAction>
#include <QApplication>
#include <QLocale>

namespace lockscope {

AlertCommands::AlertCommands(AlertController &alerts, AlertsPanel &panel, QAction &show, QWidget *page)
    : QObject(page), m_alerts(alerts), m_panel(panel), m_show(show), m_page(page)
{
    connect(this, &QObject::destroyed, &show, [&show] {
        show.setIconText(tr("Alerts"));
        show.setProperty(CommandBar::widestText, {});
    });
    connect(&panel, &AlertsPanel::chosen, this, &AlertCommands::lockWanted);
    connect(&panel, &AlertsPanel::noLock, this,
            [this] { emit flashed(tr("This alert concerns the server")); });
    connect(&alerts, &AlertController::snoozesFull, this,
            [this] { emit flashed(tr("Not snoozed: at most %1 snoozes").arg(AlertList::maxSnoozes)); });
    connect(&alerts, &AlertController::countChanged, this, &AlertCommands::showCount);
    connect(&alerts, &AlertController::reported, this, [this] { QApplication::alert(m_page->window()); });
    connect(&alerts, &AlertController::openRequested, this, &AlertCommands::open);
    show.setProperty(CommandBar::widestText, tr("Alerts (%1)").arg(QLocale().toString(888)));
    showCount();
}

void AlertCommands::showCount()
{
    const int count = m_alerts.list().unattended();
    m_show.setIconText(count > 0 ? tr("Alerts (%1)").arg(QLocale().toString(count)) : tr("Alerts"));
}

void AlertCommands::open(quint64 number)
{
    QWidget *window = m_page->window();
    window->setWindowState(window->windowState() & ~Qt::WindowMinimized);
    window->raise();
    window->activateWindow();
    const AlertList::Entry *entry = m_alerts.list().find(number);
    if (entry && !entry->alert.key.isEmpty())
        return emit lockWanted(entry->alert.key);
    emit panelWanted();
    m_panel.reveal(number);
}

void AlertCommands::editRules(const AllLocks &locks)
{
    auto *dialog =
        new AlertRulesDialog(m_alerts.settings(), m_alerts.keepsSettings(), m_alerts.desktop(), m_page);
    connect(dialog, &AlertRulesDialog::chosen, this, [this, locks](const AlertSettings &settings) {
        const QList<WatchedLock> all = locks();
        m_alerts.setSettings(settings, all);
    });
    openDialog(dialog);
}

} // namespace lockscope
