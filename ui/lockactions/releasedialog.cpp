// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/releasedialog.h"

#include "core/family/registry.h"
#include "ui/lockactions/locksummary.h"

#include <QComboBox>
#include <QFormLayout>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace lockscope {

ReleaseDialog::ReleaseDialog(const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names,
                             Run run, QString serverName, QWidget *parent)
    : ActionDialog(tr("Release a lock"), tr("Release"), std::move(run), std::move(serverName), parent),
      m_seen(seen),
      m_owner(ownerChoice(seen.lock, names, this))
{
    body().addWidget(new LockSummary(seen, clock, names, this));
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(14);
    addField(*form, tr("Owner"), m_owner);
    if (specOf(seen.lock.family).countsHolds) {
        auto *one = new QRadioButton(tr("&One level; the lease is unchanged"), this);
        m_allLevels = new QRadioButton(tr("&All levels; the lock is free at once"), this);
        m_allLevels->setObjectName(QStringLiteral("allLevels"));
        one->setChecked(true);
        form->addRow(tr("Levels"), one);
        form->addRow(QString(), m_allLevels);
    }
    body().addLayout(form);
    auto *consequence = plainLabel(this);
    consequence->setText(
        tr("The holder is not notified. If it is still working, it continues without the lock."));
    body().addWidget(consequence);
    closeButton().setDefault(true);
    closeButton().setFocus();
}

std::optional<ActionRequest> ReleaseDialog::request()
{
    ActionRequest asked;
    asked.action = Action::Release;
    asked.family = m_seen.lock.family;
    asked.key = m_seen.key();
    asked.owner = chosenOwner(*m_owner);
    asked.allLevels = m_allLevels && m_allLevels->isChecked();
    asked.seen = m_seen.lock;
    return asked;
}

} // namespace lockscope
