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

    void setCount(int count);
    int count() const { return m_count; }
    /// Without its word, where it has a glyph: the tool tip says it.
    void setCompact(bool compact);
    int fullWidth() const;
    int compactWidth() const;

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    QString label() const;
    int widthOf(const QString &text) const;
    bool showsWord() const { return !m_compact || !m_glyph; }

    std::optional<Glyph> m_glyph;
    StatusColor m_statusColor;
    int m_count = 0;
    bool m_compact = false;
};

} // namespace lockscope
