// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lanes/lanesource.h"

#include <QAbstractButton>

namespace lockscope {

/// A legend entry of a LaneView: explains a pattern and hides it on a click. Shows no word if space is short.
class LegendEntry : public QAbstractButton
{
    Q_OBJECT

public:
    LegendEntry(LanePart part, const QString &word, const QString &meaning, QWidget *parent = nullptr);

    LanePart part() const { return m_part; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    LanePart m_part;
};

} // namespace lockscope
