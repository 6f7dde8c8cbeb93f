// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/removewaiterdialog.h"

#include "core/base/printable.h"
#include "core/words/actionpreview.h"
#include "ui/lockactions/locksummary.h"
#include "ui/locks/waitertext.h"
#include "ui/widgets/propertygrid.h"

#include <QDateTime>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockscope {

RemoveWaiterDialog::RemoveWaiterDialog(const WatchedLock &seen, const Waiter &waiter,
                                       const DisplayClock &clock, const OwnerNames &names, Run run,
                                       QString serverName, QWidget *parent)
    : ActionDialog(tr("Remove a waiter"), tr("Remove"), std::move(run), std::move(serverName), parent),
      m_seen(seen),
      m_waiter(waiter.id)
{
    auto *facts = new LockSummary(seen, clock, names, this);
    const QString id = printable(waiter.id.bytes);
    const QString named = names.text(seen.lock.family, seen.key(), waiter.id);
    QLabel *who = facts->add(tr("Waiter to remove"));
    who->setObjectName(QStringLiteral("waiter"));
    facts->set(who, named == id ? id : named + u'\n' + id);
    QLabel *state = facts->add(tr("State"));
    const StatusMessage statement = waiterState(waiter, QDateTime::currentMSecsSinceEpoch());
    facts->set(state, statement.text);
    applyTextColor(state, statement.statusColor);
    body().addWidget(facts);
    auto *effect = plainLabel(this);
    effect->setObjectName(QStringLiteral("consequence"));
    effect->setText(removeWaiterEffect(seen.lock, waiter.id, names.callersOf(seen.lock)));
    body().addWidget(effect);
    actButton().setAutoDefault(false);
    closeButton().setDefault(true);
    closeButton().setFocus();
}

std::optional<ActionRequest> RemoveWaiterDialog::request()
{
    ActionRequest asked;
    asked.action = Action::RemoveWaiter;
    asked.family = m_seen.lock.family;
    asked.key = m_seen.key();
    asked.owner = m_waiter;
    asked.seen = m_seen.lock;
    return asked;
}

} // namespace lockscope
