// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <initializer_list>

namespace lockscope {

/// Room that grows with what is left, by its share.
struct Stretch
{
    int share = 0;
};

/// Room of a fixed width or height.
struct Space
{
    int pixels;
};

/// What stands in a line or in a column; `share`: of what room is left. A widget that is null is left out.
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

/// Of spacing and margins: what the style has.
inline constexpr int usualSpacing = -1;
inline constexpr QMargins usualMargins{-1, -1, -1, -1};

/// Adds them behind what is there.
void addParts(QBoxLayout &box, std::initializer_list<BoxPart> parts);
/// One under the other, for a widget or for a part of its layout.
QVBoxLayout *columnOf(std::initializer_list<BoxPart> parts, int spacing = usualSpacing,
                      const QMargins &margins = usualMargins);
/// Side by side.
QHBoxLayout *lineOf(std::initializer_list<BoxPart> parts, int spacing = usualSpacing,
                    const QMargins &margins = usualMargins);

} // namespace lockscope
