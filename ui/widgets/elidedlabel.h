// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace lockscope {

/// One line of plain text that takes the room there is; what does not fit is read in its tool tip.
class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget *parent = nullptr);

    void setFullText(const QString &text);

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace lockscope
