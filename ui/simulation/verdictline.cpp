// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/verdictline.h"

#include "ui/widgets/boxes.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/propertygrid.h"

#include <QPainter>

namespace lockscope {

namespace {

constexpr int verdictGlyphSize = 14;

} // namespace

VerdictLine::VerdictLine(StatusColor statusColor, Glyph glyph, const QString &text, QWidget *parent)
    : QWidget(parent), m_statusColor(statusColor), m_glyph(glyph), m_text(plainLabel(this))
{
    setText(text);
    applyTextColor(m_text, statusColor);
    setLayout(lineOf({m_text}, usualSpacing, {verdictGlyphSize + 6, 0, 0, 0}));
}

void VerdictLine::makeStrong(double scale)
{
    m_text->setFont(strong(m_text->font(), scale));
}

void VerdictLine::setText(const QString &text)
{
    m_text->setText(text);
    setAccessibleName(text);
}

QString VerdictLine::text() const
{
    return m_text->text();
}

void VerdictLine::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int line = m_text->fontMetrics().height();
    drawGlyph(painter, m_glyph,
              QRect(0, std::max(0, (line - verdictGlyphSize) / 2), verdictGlyphSize, verdictGlyphSize),
              textColor(m_statusColor, palette()));
}

} // namespace lockscope
