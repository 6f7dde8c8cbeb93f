// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/orderline.h"

#include "ui/locks/orderhold.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/propertygrid.h"

#include <QLabel>
#include <QLocale>
#include <QToolButton>

namespace lockscope {

OrderLine::OrderLine(QWidget *parent)
    : QWidget(parent), m_text(new QLabel(this)), m_button(new QToolButton(this))
{
    m_text->setTextFormat(Qt::PlainText);
    m_text->setToolTip(tr("Rows keep their places while the mouse is over the table, and the selected row "
                          "always does.\nTheir values are current."));
    applyTextColor(m_text, StatusColor::Muted);
    m_button->setAutoRaise(true);
    m_button->setObjectName(QStringLiteral("orderStep"));
    QSizePolicy policy = m_button->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_button->setSizePolicy(policy);
    m_button->setText(tr("Update order"));
    m_button->hide();
    setLayout(lineOf({Stretch{1}, m_text, m_button}, usualSpacing, {14, 2, 10, 2}));
    setMinimumWidth(1);
    connect(m_button, &QToolButton::clicked, this, [this] { emit stepChosen(m_step); });
}

QString OrderLine::text() const
{
    return m_text->text();
}

void OrderLine::say(const QString &text, const QString &stepText, Step step)
{
    m_step = step;
    m_text->setText(text);
    if (!stepText.isEmpty())
        m_button->setText(stepText);
    m_button->setVisible(!stepText.isEmpty());
}

void OrderLine::showOrder(const LockTableModel::Pending &pending, const OrderHold &hold)
{
    const auto count = [](int number) { return QLocale().toString(number); };
    QStringList parts;
    if (pending.moved > 0)
        parts << tr("%1 row(s) to move", nullptr, pending.moved).arg(count(pending.moved));
    if (pending.added > 0)
        parts << tr("%1 new", "locks").arg(count(pending.added));
    if (pending.addedAbove > 0)
        parts << tr("%1 new above", "locks").arg(count(pending.addedAbove));
    if (pending.addedProblems > 0)
        parts << tr("%1 new with problems", "locks").arg(count(pending.addedProblems));
    if (pending.leaving > 0)
        parts << tr("%1 to remove", "rows").arg(count(pending.leaving));
    if (!parts.isEmpty())
        return say(tr("Order kept: %1").arg(parts.join(QStringLiteral(" · "))), tr("Update order"),
                   Step::Update);
    if (hold.isChosenLost())
        return say(tr("The selected lock is out of view"), tr("Show lock"), Step::GoToChosen);
    if (hold.above() > 0)
        return say(tr("%1 more row(s) above", nullptr, hold.above()).arg(count(hold.above())),
                   tr("Go to top"), Step::GoUp);
    if (pending.isPinned)
        return say(tr("The selected row keeps its place"), tr("Update order"), Step::Update);
    say({}, {}, Step::Update);
}

} // namespace lockscope
