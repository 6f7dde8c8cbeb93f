// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace lockscope {

/// A strip below the data with a warning and a button for the next step. The data above stays in place.
class Banner : public QWidget
{
    Q_OBJECT

public:
    explicit Banner(QWidget *parent = nullptr, Glyph glyph = Glyph::Triangle);

    /// `step`: text of the button; empty hides it.
    void setMessage(StatusColor statusColor, const QString &text, const QString &detail = {},
                    const QString &step = {});
    /// Sets a second button, before the other; an empty text hides it.
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
