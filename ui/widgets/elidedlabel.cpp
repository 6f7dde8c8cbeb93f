// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/elidedlabel.h"

#include "ui/widgets/plaintext.h"

#include <QPainter>

namespace lockscope {

ElidedLabel::ElidedLabel(QWidget *parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void ElidedLabel::setFullText(const QString &text)
{
    if (text == this->text())
        return;
    setText(text);
    setPlainToolTip(*this, text);
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    // A word's first letters say less than an empty place.
    constexpr int fewestLetters = 8;
    const int width = contentsRect().width();
    if (width < fewestLetters * fontMetrics().averageCharWidth() &&
        fontMetrics().horizontalAdvance(text()) > width)
        return;
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, width));
}

} // namespace lockscope
