// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/banner.h"

#include "ui/widgets/boxes.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/propertygrid.h"
#include "ui/widgets/spokenrole.h"

#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace lockscope {

namespace {

constexpr int glyphSize = 18;
constexpr int glyphSpace = 42;

} // namespace

Banner::Banner(QWidget *parent, Glyph glyph)
    : QWidget(parent),
      m_glyph(glyph),
      m_text(plainLabel(this)),
      m_detail(plainLabel(this)),
      m_step(new QToolButton(this)),
      m_otherStep(new QToolButton(this))
{
    setAccessibleName(tr("Notice"));
    m_text->setFont(strong(font()));
    m_step->setObjectName(QStringLiteral("bannerStep"));
    m_otherStep->setObjectName(QStringLiteral("bannerOtherStep"));
    m_otherStep->hide();
    for (QToolButton *step : {m_step, m_otherStep})
        step->setFocusPolicy(Qt::StrongFocus);
    auto *words = columnOf({m_text, m_detail}, 2);
    setLayout(lineOf({{words, 1}, m_otherStep, m_step}, 14, {glyphSpace, 10, 14, 10}));
    connect(m_step, &QToolButton::clicked, this, &Banner::stepChosen);
    connect(m_otherStep, &QToolButton::clicked, this, &Banner::otherStepChosen);
    hide();
}

void Banner::setMessage(StatusColor statusColor, const QString &text, const QString &detail,
                        const QString &step)
{
    if (isHidden() || m_text->text() != text)
        announce(window(), text + u' ' + detail);
    m_statusColor = statusColor;
    m_text->setText(text);
    m_detail->setText(detail);
    m_detail->setHidden(detail.isEmpty());
    m_step->setText(step);
    m_step->setHidden(step.isEmpty());
    applyTextColor(m_text, statusColor);
    show();
    update();
}

void Banner::setOtherStep(const QString &text)
{
    m_otherStep->setText(text);
    m_otherStep->setHidden(text.isEmpty());
}

QString Banner::text() const
{
    return m_text->text();
}

QString Banner::detail() const
{
    return m_detail->text();
}

void Banner::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), tintColor(m_statusColor, palette()));
    painter.fillRect(QRect(0, 0, 4, height()), textColor(m_statusColor, palette()));
    painter.setPen(borderColor(palette()));
    painter.drawLine(rect().topLeft(), rect().topRight());
    drawGlyph(painter, m_statusColor == StatusColor::Good ? Glyph::Check : m_glyph,
              QRect(14, (height() - glyphSize) / 2, glyphSize, glyphSize),
              textColor(m_statusColor, palette()));
}

} // namespace lockscope
