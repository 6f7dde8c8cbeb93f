// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/extenddialog.h"

#include "ui/lockactions/locksummary.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockscope {

namespace {

/// As long as it was the last time, in whole seconds.
QString usualLease(const WatchedLock &lock)
{
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(lock.maxObservedTtl).count();
    return QString::number(seconds > 0 ? seconds : 30);
}

} // namespace

ExtendDialog::ExtendDialog(const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names,
                           Run run, QString serverName, QWidget *parent)
    : ActionDialog(tr("Extend a lock"), tr("Extend"), std::move(run), std::move(serverName), parent),
      m_seen(seen),
      m_owner(ownerChoice(seen.lock, names, this)),
      m_lease(new QLineEdit(usualLease(seen), this))
{
    m_lease->setObjectName(QStringLiteral("lease"));
    body().addWidget(new LockSummary(seen, clock, names, this));
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(14);
    addField(*form, tr("Owner"), m_owner);
    m_leaseMessage = addField(*form, tr("&Lease in seconds"), m_lease);
    body().addLayout(form);
    actButton().setDefault(true);
    m_lease->setFocus();
    m_lease->selectAll();
}

std::optional<ActionRequest> ExtendDialog::request()
{
    if (!setFieldError(m_leaseMessage, leaseProblem(m_lease->text()))) {
        m_lease->setFocus();
        return std::nullopt;
    }
    ActionRequest asked;
    asked.action = Action::Extend;
    asked.family = m_seen.lock.family;
    asked.key = m_seen.key();
    asked.owner = chosenOwner(*m_owner);
    asked.lease = Lease::fromSeconds(m_lease->text().trimmed().toUtf8());
    asked.seen = m_seen.lock;
    return asked;
}

} // namespace lockscope
