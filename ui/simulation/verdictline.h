// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

#include <QWidget>

class QLabel;

namespace lockscope {

class VerdictLine : public QWidget
{
    Q_OBJECT

public:
    VerdictLine(StatusColor statusColor, Glyph glyph, const QString &text, QWidget *parent);

    void makeStrong(double scale);
    void setText(const QString &text);
    QString text() const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    StatusColor m_statusColor;
    Glyph m_glyph;
    QLabel *m_text;
};

} // namespace lockscope
