// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/acquiredialog.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QUuid>
#include <QVBoxLayout>

namespace lockscope {

AcquireDialog::AcquireDialog(Run run, QString serverName, QWidget *parent)
    : ActionDialog(tr("Acquire a lock"), tr("Acquire"), std::move(run), std::move(serverName), parent),
      m_key(new QLineEdit(this)),
      m_owner(new QLineEdit(QUuid::createUuid().toString(QUuid::WithoutBraces), this)),
      m_family(new QComboBox(this)),
      m_lease(new QLineEdit(QStringLiteral("30"), this))
{
    m_key->setObjectName(QStringLiteral("key"));
    m_owner->setObjectName(QStringLiteral("owner"));
    m_lease->setObjectName(QStringLiteral("lease"));
    m_key->setPlaceholderText(QStringLiteral("lock:order:123"));
    m_family->addItem(tr("reentrant: a counted hash; its owner may take it again"), int(Family::Reentrant));
    m_family->addItem(tr("token: a string; not re-entrant"), int(Family::Token));
    auto *form = new QFormLayout;
    form->setVerticalSpacing(6);
    form->setHorizontalSpacing(14);
    m_keyMessage = addField(*form, tr("&Key"), m_key);
    m_ownerMessage = addField(*form, tr("&Owner"), m_owner);
    addField(*form, tr("&Family"), m_family);
    m_leaseMessage = addField(*form, tr("&Lease in seconds"), m_lease);
    body().addLayout(form);
    actButton().setDefault(true);
    m_key->setFocus();
}

std::optional<ActionRequest> AcquireDialog::request()
{
    const QByteArray key = m_key->text().toUtf8(), owner = m_owner->text().toUtf8();
    const bool keyGood = complain(m_keyMessage, keyProblem(key));
    const bool ownerGood = complain(m_ownerMessage, ownerProblem(owner));
    const bool leaseGood = complain(m_leaseMessage, leaseProblem(m_lease->text()));
    if (!keyGood || !ownerGood || !leaseGood) {
        (!keyGood ? m_key : !ownerGood ? m_owner : m_lease)->setFocus();
        return std::nullopt;
    }
    ActionRequest asked;
    asked.action = Action::Acquire;
    asked.family = static_cast<Family>(m_family->currentData().toInt());
    asked.key = LockKey(key);
    asked.owner = OwnerId(owner);
    asked.lease = Lease::fromSeconds(m_lease->text().trimmed().toUtf8());
    return asked;
}

} // namespace lockscope
