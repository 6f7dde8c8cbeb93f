// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace lockscope {

/// A quiet header: muted words over a hairline, aligned with the cells below them.
class LockHeader : public QHeaderView
{
    Q_OBJECT

public:
    explicit LockHeader(QWidget *parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;
    QSize sectionSizeFromContents(int section) const override;
};

} // namespace lockscope
