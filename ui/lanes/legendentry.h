// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lanes/lanesource.h"

#include <QAbstractButton>

namespace lockscope {

/// Says what a pattern of a LaneView means; pressed, it leaves that out. Without its word where there is little room.
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
