// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with the alerts of the panel.
#include "ui/alerts/alertspanel.h"

#include "core/base/printable.h"
#include "core/words/alertmessages.h"
#include "ui/alerts/alertcontroller.h"
#include "ui/alerts/alerttext.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/rowkeys.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QTableView>

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr milliseconds shortSnooze = 15min;
constexpr milliseconds longSnooze = 1h;
constexpr qsizetype keyInMenu = 40;
constexpr qsizetype mostSnoozesInMenu = 12;

} // namespace

void AlertsPanel::open(const QModelIndex &index)
{
    if (!index.isValid())
        return;
    const LockKey key = m_model.at(index.row()).alert.key;
    key.isEmpty() ? emit noLock() : emit chosen(key);
}

void AlertsPanel::acknowledge()
{
    m_alerts.acknowledge(selected());
}

void AlertsPanel::addDurations(QMenu &menu, const std::function<void(milliseconds)> &snooze)
{
    connect(menu.addAction(tr("For 15 minutes")), &QAction::triggered, this,
            [snooze] { snooze(shortSnooze); });
    connect(menu.addAction(tr("For 1 hour")), &QAction::triggered, this, [snooze] { snooze(longSnooze); });
}

/// The selected alerts, the rule and the lock of the first of them, and the snoozes that are in force.
void AlertsPanel::fillSnoozes(QMenu &menu)
{
    menu.clear();
    QList<quint64> numbers = selected();
    numbers.removeIf([this](quint64 number) {
        const AlertList::Entry *entry = m_alerts.list().find(number);
        return !entry || !entry->isOpen();
    });
    if (!numbers.isEmpty()) {
        addDurations(menu, [this, numbers](milliseconds time) { m_alerts.snooze(numbers, time); });
        connect(menu.addAction(tr("Until it ends and comes again")), &QAction::triggered, this,
                [this, numbers] { m_alerts.snooze(numbers, std::nullopt); });
        const Alert &first = m_alerts.list().find(numbers.first())->alert;
        menu.addSeparator();
        QMenu *rule = menu.addMenu(tr("All alerts of this rule: %1").arg(describe(first.kind)));
        addDurations(*rule,
                     [this, kind = first.kind](milliseconds time) { m_alerts.snoozeRule(kind, time); });
        if (!first.key.isEmpty()) {
            QMenu *lock = menu.addMenu(
                tr("All alerts of this lock: %1").arg(plainMenuText(printable(first.key.bytes, keyInMenu))));
            addDurations(*lock,
                         [this, key = first.key](milliseconds time) { m_alerts.snoozeLock(key, time); });
        }
    }
    const QList<AlertSnooze> snoozes = m_alerts.list().snoozes();
    if (snoozes.isEmpty())
        return;
    menu.addSeparator();
    QMenu *ends = menu.addMenu(tr("End a snooze"));
    for (const AlertSnooze &snooze : snoozes.last(std::min(snoozes.size(), mostSnoozesInMenu)))
        connect(ends->addAction(plainMenuText(snoozeText(snooze))), &QAction::triggered, this,
                [this, snooze] { m_alerts.endSnoozes({snooze}); });
    ends->addSeparator();
    connect(ends->addAction(tr("End all snoozes")), &QAction::triggered, this,
            [this, snoozes] { m_alerts.endSnoozes(snoozes); });
}

void AlertsPanel::showMenu(const QPoint &position)
{
    const QList<quint64> numbers = selected();
    const bool isAcknowledged = std::ranges::any_of(numbers, [this](quint64 number) {
        const AlertList::Entry *entry = m_alerts.list().find(number);
        return entry && entry->acknowledgedMs != 0;
    });
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(m_open);
    menu->addAction(m_acknowledgeAction);
    if (isAcknowledged)
        connect(menu->addAction(tr("Take back the acknowledgement")), &QAction::triggered, this,
                [this, numbers] { m_alerts.unacknowledge(numbers); });
    QMenu *snoozes = menu->addMenu(tr("Snooze"));
    fillSnoozes(*snoozes);
    snoozes->setEnabled(!snoozes->isEmpty());
    menu->addSeparator();
    connect(menu->addAction(tr("Copy")), &QAction::triggered, this, &AlertsPanel::copyRows);
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

void AlertsPanel::copyRows() const
{
    if (const QString text = rowsText(*m_table); !text.isEmpty())
        QGuiApplication::clipboard()->setText(text);
}

} // namespace lockscope
