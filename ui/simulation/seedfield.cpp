// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/seedfield.h"

#include "ui/widgets/boxes.h"
#include "ui/widgets/glyph.h"

#include <QLineEdit>
#include <QRandomGenerator>
#include <QRegularExpressionValidator>
#include <QToolButton>

namespace lockscope {

SeedField::SeedField(QWidget *parent) : QWidget(parent), m_text(new QLineEdit(QStringLiteral("1"), this))
{
    // Nine digits always fit 32 bits.
    m_text->setValidator(
        new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{0,9}")), m_text));
    m_text->setObjectName(QStringLiteral("seed"));
    m_text->setAccessibleName(tr("Seed"));
    m_text->setMinimumWidth(1);
    auto *other = new QToolButton(this);
    other->setIcon(glyphIcon(Glyph::Scan));
    other->setToolTip(tr("Another seed, at random"));
    other->setAccessibleName(other->toolTip());
    other->setFocusPolicy(Qt::StrongFocus);
    setLayout(lineOf({{m_text, 1}, other}, 4, {}));
    setFocusProxy(m_text);
    connect(other, &QToolButton::clicked, this,
            [this] { setSeed(QRandomGenerator::global()->bounded(1U, 1'000'000U)); });
    connect(m_text, &QLineEdit::textChanged, this, &SeedField::changed);
}

quint32 SeedField::seed() const
{
    return m_text->text().isEmpty() ? 1 : m_text->text().toUInt();
}

void SeedField::setSeed(quint32 seed)
{
    m_text->setText(QString::number(seed));
}

} // namespace lockscope
