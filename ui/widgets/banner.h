// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace lockscope {

/// A strip above the data that says what is wrong and what comes next. Not a dialog: the data stays readable beneath it.
class Banner : public QWidget
{
    Q_OBJECT

public:
    explicit Banner(QWidget *parent = nullptr, Glyph glyph = Glyph::Triangle);

    /// `step` is the text of the button; empty: none.
    void setMessage(StatusColor statusColor, const QString &text, const QString &detail = {},
                    const QString &step = {});
    /// One more button, before the other; empty: none.
    void setOtherStep(const QString &text);
    QString text() const;
    QString detail() const;

signals:
    void stepChosen();
    void otherStepChosen();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Glyph m_glyph;
    StatusColor m_statusColor = StatusColor::Warning;
    QLabel *m_text;
    QLabel *m_detail;
    QToolButton *m_step;
    QToolButton *m_otherStep;
};

} // namespace lockscope
