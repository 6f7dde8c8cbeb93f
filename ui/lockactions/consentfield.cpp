// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/consentfield.h"

#include "ui/widgets/boxes.h"
#include "ui/widgets/propertygrid.h"

#include <QCheckBox>
#include <QLineEdit>

namespace lockscope {

ConsentField::ConsentField(const ActionGuard &guard, Action action, const QString &name, QWidget *parent)
    : QWidget(parent), m_asked(guard.asks(action)), m_name(name)
{
    if (m_asked == Consent::Named) {
        QLabel *label = plainLabel(this, tr("Production: type %1 to go on").arg(name));
        applyTextColor(label, StatusColor::Danger);
        m_typed = new QLineEdit(this);
        m_typed->setObjectName(QStringLiteral("typedName"));
        m_typed->setAccessibleName(label->text());
        connect(m_typed, &QLineEdit::textChanged, this, &ConsentField::changed);
        setLayout(columnOf({label, m_typed}, usualSpacing, {}));
    } else if (guard.maySkip() && action != Action::Acquire && action != Action::Extend) {
        m_skip = new QCheckBox(tr("&Do not ask again in this connection"), this);
        m_skip->setObjectName(QStringLiteral("skipQuestion"));
        setLayout(columnOf({m_skip}, usualSpacing, {}));
    } else {
        hide();
    }
}

bool ConsentField::isGiven() const
{
    return !m_typed || ActionGuard::isName(m_typed->text(), m_name);
}

QString ConsentField::question() const
{
    return m_typed ? m_typed->accessibleName() : QString();
}

Consent ConsentField::consent() const
{
    return m_typed ? Consent{Consent::Named, m_typed->text()} : Consent{Consent::Confirmed};
}

bool ConsentField::skipsNextQuestion() const
{
    return m_skip && m_skip->isChecked();
}

} // namespace lockscope
