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
    /// Hides the word if the chip has a glyph; the tool tip shows it then.
    void setCompact(bool compact);
    int fullWidth() const { return m_fullWidth; }
    int compactWidth() const { return m_compactWidth; }

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QString label() const;
    void measure();
    int widthOf(const QString &text) const;
    bool showsWord() const { return !m_compact || !m_glyph; }

    std::optional<Glyph> m_glyph;
    StatusColor m_statusColor;
    int m_count = 0;
    bool m_compact = false;
    // Measured once for each number: chips are fitted into their line whenever locks are counted.
    int m_fullWidth = 0;
    int m_compactWidth = 0;
};

} // namespace lockscope
