// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace lockscope {

/// A line of plain text, elided to the available width; the tool tip has the full text.
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
