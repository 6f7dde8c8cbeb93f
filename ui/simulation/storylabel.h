// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/wrappedlabel.h"

namespace lockscope {

/// A selectable sentence about a moment of a run; a click, Return or Space shows that moment.
class StoryLabel : public WrappedLabel
{
    Q_OBJECT

public:
    StoryLabel(const QString &text, QWidget *parent);

signals:
    void activated();

protected:
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void underline(bool on);
};

} // namespace lockscope
