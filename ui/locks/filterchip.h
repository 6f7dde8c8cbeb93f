// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

#include <QAbstractButton>

#include <optional>

namespace lockscope {

/// A one-click filter that shows how many locks it would leave.
class FilterChip : public QAbstractButton
{
    Q_OBJECT

public:
    FilterChip(const QString &word, std::optional<Glyph> glyph, StatusColor statusColor,
               QWidget *parent = nullptr);

    static constexpr int noCount = -1;
    void setCount(int count);
    int count() const { return m_count; }

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    QString label() const;
    void measure();

    std::optional<Glyph> m_glyph;
    StatusColor m_statusColor;
    int m_count = 0;
    // Measured once for each number: chips are fitted into their line whenever locks are counted.
    int m_width = 0;
};

} // namespace lockscope
