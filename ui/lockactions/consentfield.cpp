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
        QLabel *label = plainLabel(this, tr("This is production. To go on, type %1").arg(name));
        applyTextColor(label, StatusColor::Danger);
        m_typed = new QLineEdit(this);
        m_typed->setObjectName(QStringLiteral("typedName"));
        m_typed->setAccessibleName(label->text());
        connect(m_typed, &QLineEdit::textChanged, this, &ConsentField::changed);
        setLayout(columnOf({label, m_typed}, usualSpacing, {}));
        setFocusProxy(m_typed);
    } else if (guard.maySkip() && action != Action::Acquire && action != Action::Extend) {
        m_skip = new QCheckBox(tr("&Do not ask again for this action until the connection ends"), this);
        m_skip->setObjectName(QStringLiteral("skipQuestion"));
        setLayout(columnOf({m_skip}, usualSpacing, {}));
        setFocusProxy(m_skip);
    } else {
        hide();
    }
}

bool ConsentField::isGiven() const
{
    return !m_typed || ActionGuard::isName(m_typed->text(), m_name);
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
