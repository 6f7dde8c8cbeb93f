// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/acquiredialog.h"

#include "core/words/familymessages.h"

#include "core/act/acquirerefusal.h"
#include "core/act/actionguard.h"
#include "core/family/registry.h"
#include "core/words/actionpreview.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QUuid>
#include <QVBoxLayout>

namespace lockscope {

AcquireDialog::AcquireDialog(FamilyOf familyOf, Run run, QString serverName, QWidget *parent)
    : ActionDialog(tr("Acquire a lock"), tr("&Acquire"), std::move(run), std::move(serverName), parent),
      m_familyOf(std::move(familyOf)),
      m_key(new QLineEdit(this)),
      m_ownId(QUuid::createUuid().toString(QUuid::WithoutBraces)),
      m_owner(new QLineEdit(m_ownId, this)),
      m_family(new QComboBox(this)),
      m_lease(new QLineEdit(QStringLiteral("30"), this))
{
    m_key->setObjectName(QStringLiteral("key"));
    m_owner->setObjectName(QStringLiteral("owner"));
    m_lease->setObjectName(QStringLiteral("lease"));
    m_key->setPlaceholderText(QStringLiteral("lock:order:123"));
    for (const Family family : familiesWith<&FamilySpec::offer>())
        m_family->addItem(inWords(Phrase(specOf(family).offer)), family.index());
    m_family->setCurrentIndex(m_family->findData(countedHash().index()));
    m_family->setObjectName(QStringLiteral("family"));
    auto *form = new QFormLayout;
    form->setVerticalSpacing(6);
    form->setHorizontalSpacing(14);
    m_keyMessage = addField(*form, tr("&Key"), m_key);
    m_ownerMessage = addField(*form, tr("&Owner"), m_owner);
    m_familyMessage = addField(*form, tr("&Family"), m_family);
    m_leaseMessage = addField(*form, Texts::tr("&Lease in seconds"), m_lease);
    body().addLayout(form);
    actButton().setDefault(true);
    m_key->setFocus();
    connect(m_key, &QLineEdit::textChanged, this, &AcquireDialog::considerKey);
    connect(m_family, &QComboBox::currentIndexChanged, this, &AcquireDialog::proposeOwner);
    considerKey();
}

/// Some families' owners also name a thread. Text typed by the user stays.
void AcquireDialog::proposeOwner()
{
    const QString proposal = m_ownId + QLatin1String(specOf(chosenFamily()).ownerSuffix);
    if (m_owner->text() == m_ownId || m_owner->text() == m_proposedOwner)
        m_owner->setText(proposal);
    m_proposedOwner = proposal;
}

Family AcquireDialog::chosenFamily() const
{
    return Family(m_family->currentData().toInt());
}

/// A known lock is acquired as its own family or not at all.
void AcquireDialog::considerKey()
{
    const auto known = m_familyOf ? m_familyOf(LockKey(m_key->text().toUtf8())) : std::nullopt;
    const int offered = known ? m_family->findData(known->index()) : -1;
    if (offered >= 0)
        m_family->setCurrentIndex(offered);
    m_family->setEnabled(!known);
    setFieldError(m_familyMessage, refusal());
    allow(refusal().isEmpty());
    fitHeight();
}

QString AcquireDialog::refusal() const
{
    const LockKey key(m_key->text().toUtf8());
    const auto known = m_familyOf ? m_familyOf(key) : std::nullopt;
    if (!known || known->isUnknown())
        return inWords(acquireRefusal(key, plainToken()));
    const QString reason = inWords(acquireRefusal(*known));
    return reason.isEmpty() ? inWords(acquireRefusal(key, *known))
                            : tr("This lock is of the family %1. %2").arg(describe(*known), reason);
}

std::optional<ActionRequest> AcquireDialog::request()
{
    const QByteArray key = m_key->text().toUtf8(), owner = m_owner->text().toUtf8();
    const bool keyGood = setFieldError(m_keyMessage, keyProblem(key));
    const bool ownerGood = setFieldError(m_ownerMessage, ownerProblem(owner));
    const bool leaseGood = setFieldError(m_leaseMessage, leaseProblem(m_lease->text()));
    if (!keyGood || !ownerGood || !leaseGood) {
        (!keyGood ? m_key : !ownerGood ? m_owner : m_lease)->setFocus();
        return std::nullopt;
    }
    ActionRequest asked;
    asked.action = Action::Acquire;
    asked.key = LockKey(key);
    const auto known = m_familyOf ? m_familyOf(asked.key) : std::nullopt;
    asked.family = known && !known->isUnknown() ? *known : chosenFamily();
    asked.owner = OwnerId(owner);
    asked.lease = Lease::fromSeconds(m_lease->text().trimmed().toUtf8());
    asked.consent = {Consent::Named,
                     ActionGuard::nameOf(asked.key)}; // the key was typed by the user, just now
    return asked;
}

} // namespace lockscope
