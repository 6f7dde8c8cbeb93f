// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/glyph.h"
#include "ui/palette.h"

#include <QAbstractButton>

#include <optional>

namespace lockscope {

/// A one-click filter that shows how many locks it would leave.
class FilterChip : public QAbstractButton
{
    Q_OBJECT

public:
    FilterChip(const QString &word, std::optional<Glyph> glyph, Tone tone, QWidget *parent = nullptr);

    void setCount(int count);
    int count() const { return m_count; }

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    QString label() const;

    std::optional<Glyph> m_glyph;
    Tone m_tone;
    int m_count = 0;
};

} // namespace lockscope
