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
    setToolTip(plainToolTip(text));
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

} // namespace lockscope
