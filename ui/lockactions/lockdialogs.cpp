// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/lockdialogs.h"

#include "core/base/printable.h"
#include "core/family/registry.h"
#include "core/words/actionpreview.h"
#include "ui/lockactions/locksummary.h"
#include "ui/locks/waitertext.h"

#include <QComboBox>
#include <QDateTime>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
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

LockDialog::LockDialog(Action action, const QString &title, const QString &verb, const WatchedLock &seen,
                       const DisplayClock &clock, const OwnerNames &names, Run run, QString serverName,
                       QWidget *parent)
    : ActionDialog(title, verb, std::move(run), std::move(serverName), parent),
      m_action(action),
      m_seen(seen),
      m_facts(new LockSummary(seen, clock, names, this))
{
    body().addWidget(m_facts);
}

QFormLayout &LockDialog::addForm()
{
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(14);
    body().addLayout(form);
    return *form;
}

QLabel *LockDialog::addText(const QString &text)
{
    auto *label = plainLabel(this, text);
    body().addWidget(label);
    return label;
}

ReleaseDialog::ReleaseDialog(const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names,
                             Run run, QString serverName, QWidget *parent)
    : LockDialog(Action::Release, tr("Release a lock"), tr("Release"), seen, clock, names, std::move(run),
                 std::move(serverName), parent),
      m_owner(ownerChoice(seen.lock, names, this))
{
    QFormLayout &form = addForm();
    addField(form, tr("Owner"), m_owner);
    if (specOf(seen.lock.family).countsHolds) {
        auto *one = new QRadioButton(tr("&One level; the lease is unchanged"), this);
        m_allLevels = new QRadioButton(tr("&All levels; the lock is free at once"), this);
        m_allLevels->setObjectName(QStringLiteral("allLevels"));
        one->setChecked(true);
        form.addRow(tr("Levels"), one);
        form.addRow(QString(), m_allLevels);
    }
    addText(tr("The holder is not notified. If it is still working, it continues without the lock."));
    closeButton().setDefault(true);
    closeButton().setFocus();
}

std::optional<ActionRequest> ReleaseDialog::request()
{
    ActionRequest asked = asSeen();
    asked.owner = chosenOwner(*m_owner);
    asked.allLevels = m_allLevels && m_allLevels->isChecked();
    return asked;
}

ExtendDialog::ExtendDialog(const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names,
                           Run run, QString serverName, QWidget *parent)
    : LockDialog(Action::Extend, tr("Extend a lock"), tr("Extend"), seen, clock, names, std::move(run),
                 std::move(serverName), parent),
      m_owner(ownerChoice(seen.lock, names, this)),
      m_lease(new QLineEdit(usualLease(seen), this))
{
    m_lease->setObjectName(QStringLiteral("lease"));
    QFormLayout &form = addForm();
    addField(form, tr("Owner"), m_owner);
    m_leaseMessage = addField(form, tr("&Lease in seconds"), m_lease);
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
    ActionRequest asked = asSeen();
    asked.owner = chosenOwner(*m_owner);
    asked.lease = Lease::fromSeconds(m_lease->text().trimmed().toUtf8());
    return asked;
}

RemoveWaiterDialog::RemoveWaiterDialog(const WatchedLock &seen, const Waiter &waiter,
                                       const DisplayClock &clock, const OwnerNames &names, Run run,
                                       QString serverName, QWidget *parent)
    : LockDialog(Action::RemoveWaiter, tr("Remove a waiter"), tr("Remove"), seen, clock, names,
                 std::move(run), std::move(serverName), parent),
      m_waiter(waiter.id)
{
    const QString id = printable(waiter.id.bytes);
    const QString named = names.text(seen.lock.family, seen.key(), waiter.id);
    QLabel *who = m_facts->add(tr("Waiter to remove"));
    who->setObjectName(QStringLiteral("waiter"));
    m_facts->set(who, named == id ? id : named + u'\n' + id);
    QLabel *state = m_facts->add(tr("State"));
    const StatusMessage statement = waiterState(waiter, QDateTime::currentMSecsSinceEpoch());
    m_facts->set(state, statement.text);
    applyTextColor(state, statement.statusColor);
    addText(removeWaiterEffect(seen.lock, waiter.id, names.callersOf(seen.lock)))
        ->setObjectName(QStringLiteral("consequence"));
    actButton().setAutoDefault(false);
    closeButton().setDefault(true);
    closeButton().setFocus();
}

std::optional<ActionRequest> RemoveWaiterDialog::request()
{
    ActionRequest asked = asSeen();
    asked.owner = m_waiter;
    return asked;
}

} // namespace lockscope
