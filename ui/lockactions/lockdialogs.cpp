// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/lockdialogs.h"

#include "core/act/actionnames.h"
#include "core/base/printable.h"
#include "core/family/registry.h"
#include "core/table/waitertext.h"
#include "core/words/actionpreview.h"
#include "core/words/texts.h"
#include "ui/lockactions/locksummary.h"

#include <QComboBox>
#include <QDateTime>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace lockscope {

namespace {

/// Returns the lease observed last, in whole seconds.
QString usualLease(const WatchedLock &lock)
{
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(lock.maxObservedTtl).count();
    return QString::number(seconds > 0 ? seconds : 30);
}

QString titleOf(Action action)
{
    return action == Action::Release  ? OwnerDialog::tr("Release a lock")
           : action == Action::Extend ? OwnerDialog::tr("Extend a lock")
           : action == Action::Wake   ? OwnerDialog::tr("Wake a queue")
                                      : OwnerDialog::tr("Remove a waiter");
}

QString verbOf(Action action)
{
    return action == Action::Release  ? OwnerDialog::tr("&Release")
           : action == Action::Extend ? OwnerDialog::tr("&Extend")
           : action == Action::Wake   ? OwnerDialog::tr("&Wake")
                                      : OwnerDialog::tr("Re&move");
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
    setProperty("helpTopic", QString::fromLatin1(actionName(action)));
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

OwnerDialog::OwnerDialog(Action action, const WatchedLock &seen, const DisplayClock &clock,
                         const OwnerNames &names, Run run, QString serverName, QWidget *parent,
                         const Waiter &waiter)
    : LockDialog(action, titleOf(action), verbOf(action), seen, clock, names, std::move(run),
                 std::move(serverName), parent),
      m_waiter(waiter.id)
{
    if (action == Action::RemoveWaiter) {
        addWaiter(names, waiter);
    } else if (action == Action::Wake) {
        addWaiter(names, seen.lock.companions->waiters.queue.value(0));
    } else {
        QFormLayout &form = addForm();
        m_owner = ownerChoice(seen.lock, names, this);
        addField(form, Texts::tr("Owner"), m_owner);
        if (action == Action::Release) {
            addLevels(form);
        } else {
            m_lease = new QLineEdit(usualLease(seen), this);
            m_lease->setObjectName(QStringLiteral("lease"));
            m_leaseMessage = addField(form, Texts::tr("&Lease in seconds"), m_lease);
        }
    }
    if (m_lease) {
        actButton().setDefault(true);
        m_lease->setFocus();
        m_lease->selectAll();
    } else {
        closeButton().setDefault(true);
        closeButton().setFocus();
    }
}

void OwnerDialog::addLevels(QFormLayout &form)
{
    if (specOf(m_seen.lock.family).countsHolds) {
        auto *one = new QRadioButton(tr("&One level; the lease is unchanged"), this);
        m_allLevels = new QRadioButton(tr("&All levels; the lock is free at once"), this);
        m_allLevels->setObjectName(QStringLiteral("allLevels"));
        one->setChecked(true);
        form.addRow(tr("Levels"), one);
        form.addRow(QString(), m_allLevels);
    }
    addText(holderEffect(m_seen.lock));
}

void OwnerDialog::addWaiter(const OwnerNames &names, const Waiter &waiter)
{
    const QString id = printable(waiter.id.bytes);
    const QString named = names.text(m_seen.lock.family, m_seen.key(), waiter.id);
    QLabel *who = m_facts->add(m_action == Action::Wake ? tr("Waiter to wake") : tr("Waiter to remove"));
    who->setObjectName(QStringLiteral("waiter"));
    m_facts->set(who, named == id ? id : named + u'\n' + id);
    QLabel *state = m_facts->add(Texts::tr("State"));
    const StatusMessage statement = waiterState(waiter, QDateTime::currentMSecsSinceEpoch());
    m_facts->set(state, statement.text);
    applyTextColor(state, statement.statusColor);
    const OwnerLabeler call = names.callersOf(m_seen.lock);
    addText(m_action == Action::Wake ? wakeEffect(m_seen.lock, call)
                                     : removeWaiterEffect(m_seen.lock, waiter.id, call))
        ->setObjectName(QStringLiteral("consequence"));
}

std::optional<ActionRequest> OwnerDialog::request()
{
    ActionRequest asked = asSeen();
    asked.owner = m_owner ? chosenOwner(*m_owner) : m_waiter;
    asked.allLevels = m_allLevels && m_allLevels->isChecked();
    if (!m_lease)
        return asked;
    if (!setFieldError(m_leaseMessage, leaseProblem(m_lease->text()))) {
        m_lease->setFocus();
        return std::nullopt;
    }
    asked.lease = Lease::fromSeconds(m_lease->text().trimmed().toUtf8());
    return asked;
}

} // namespace lockscope
