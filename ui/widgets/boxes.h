// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <initializer_list>

namespace lockscope {

struct Stretch
{
    int share = 0;
};

struct Space
{
    int pixels;
};

/// A part of a line or column. `share`: of the remaining space. A null widget is left out.
class BoxPart
{
public:
    BoxPart(QWidget *widget, int share = 0, Qt::Alignment alignment = {})
        : m_widget(widget), m_share(share), m_alignment(alignment)
    {
    }
    BoxPart(QLayout *layout, int share = 0) : m_layout(layout), m_share(share) {}
    BoxPart(Stretch stretch) : m_share(stretch.share), m_isStretch(true) {}
    BoxPart(Space space) : m_pixels(space.pixels) {}

    void addTo(QBoxLayout &box) const;

private:
    QWidget *m_widget = nullptr;
    QLayout *m_layout = nullptr;
    int m_share = 0;
    int m_pixels = 0;
    bool m_isStretch = false;
    Qt::Alignment m_alignment;
};

/// Spacing and margins of the style.
inline constexpr int usualSpacing = -1;
inline constexpr QMargins usualMargins{-1, -1, -1, -1};

void addParts(QBoxLayout &box, std::initializer_list<BoxPart> parts);
QVBoxLayout *columnOf(std::initializer_list<BoxPart> parts, int spacing = usualSpacing,
                      const QMargins &margins = usualMargins);
QHBoxLayout *lineOf(std::initializer_list<BoxPart> parts, int spacing = usualSpacing,
                    const QMargins &margins = usualMargins);

} // namespace lockscope
