// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/palette.h"

#include <array>

namespace lockscope {

namespace {

QColor mixed(const QColor &over, const QColor &ground, double share)
{
    const auto channel = [share](int a, int b) { return qRound(a * share + b * (1 - share)); };
    return {channel(over.red(), ground.red()), channel(over.green(), ground.green()),
            channel(over.blue(), ground.blue())};
}

/// The colors of a theme. Those of states are after Okabe and Ito's for all kinds of color vision, each moved in lightness until
/// it can be read as text. Shares are of a color mixed over the base.
struct Colors
{
    QRgb window, base, alternate, text, muted, button, border, accent, onAccent, link;
    std::array<QRgb, int(StatusColor::Good) + 1> states;
    double disabledShare, tintShare, borderShare, outlineShare, focusedShare, unfocusedShare;
};

constexpr Colors light{.window = 0xfff3f5f7,
                       .base = 0xffffffff,
                       .alternate = 0xfff8f9fb,
                       .text = 0xff1c2127,
                       .muted = 0xff5d6670,
                       .button = 0xfffafbfc,
                       .border = 0xffc9cfd6,
                       .accent = 0xff0a6ebd,
                       .onAccent = 0xffffffff,
                       .link = 0xff0a6ebd,
                       .states = {0xff5d6670, 0xff00659e, 0xff7d5c00, 0xff9b3a74, 0xffb34700, 0xff00704f},
                       .disabledShare = 0.42,
                       .tintShare = 0.08,
                       .borderShare = 0.14,
                       .outlineShare = 0.52,
                       .focusedShare = 0.14,
                       .unfocusedShare = 0.14};

constexpr Colors dark{.window = 0xff1f2328,
                      .base = 0xff181b1f,
                      .alternate = 0xff1c2024,
                      .text = 0xffe3e7ec,
                      .muted = 0xff9aa3ad,
                      .button = 0xff2b3036,
                      .border = 0xff3a4048,
                      .accent = 0xff2a78bd, // white can be read on it
                      .onAccent = 0xffffffff,
                      .link = 0xff56b4e9,
                      .states = {0xff9aa3ad, 0xff56b4e9, 0xfff0d442, 0xffe29cc4, 0xffff8a50, 0xff3ecf9f},
                      .disabledShare = 0.42,
                      .tintShare = 0.16,
                      .borderShare = 0.20,
                      .outlineShare = 0.46,
                      .focusedShare = 0.30,
                      .unfocusedShare = 0.22}; // the muted color is read on a mix with itself

constexpr Colors contrast{.window = 0xff000000,
                          .base = 0xff000000,
                          .alternate = 0xff0c0c0c,
                          .text = 0xffffffff,
                          .muted = 0xffd0d6dc,
                          .button = 0xff1c1c1c,
                          .border = 0xff8c8c8c,
                          .accent = 0xff6fc8ff,
                          .onAccent = 0xff000000,
                          .link = 0xff6fc8ff,
                          .states = {0xffd0d6dc, 0xff6fc8ff, 0xffffe14d, 0xffffb8dc, 0xffffb088, 0xff52efba},
                          .disabledShare = 0.68,
                          .tintShare = 0.14,
                          .borderShare = 0.37,
                          .outlineShare = 0.70,
                          .focusedShare = 0.24,
                          .unfocusedShare = 0.18};

/// Returns the theme of a palette, by its base: a widget may have a window color of its own.
const Colors &colorsOf(const QPalette &palette)
{
    return isHighContrast(palette) ? contrast : isDark(palette) ? dark : light;
}

QPalette paletteOf(const Colors &ground)
{
    QPalette palette;
    const QColor text(ground.text), muted(ground.muted), window(ground.window), border(ground.border);
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, QColor(ground.base));
    palette.setColor(QPalette::AlternateBase, QColor(ground.alternate));
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, muted);
    palette.setColor(QPalette::Button, QColor(ground.button));
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, QColor(Qt::white));
    palette.setColor(QPalette::ToolTipBase, QColor(ground.button));
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Highlight, QColor(ground.accent));
    palette.setColor(QPalette::HighlightedText, QColor(ground.onAccent));
    palette.setColor(QPalette::Link, QColor(ground.link));
    palette.setColor(QPalette::LinkVisited, QColor(ground.link));
    palette.setColor(QPalette::Light, mixed(QColor(Qt::white), QColor(ground.button), 0.10));
    palette.setColor(QPalette::Midlight, mixed(QColor(Qt::white), QColor(ground.button), 0.05));
    palette.setColor(QPalette::Mid, border);
    palette.setColor(QPalette::Dark, mixed(QColor(Qt::black), border, 0.12));
    palette.setColor(QPalette::Shadow, QColor(Qt::black));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, mixed(text, window, ground.disabledShare));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, border);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, muted);
    return palette;
}

} // namespace

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightnessF() < 0.5F;
}

bool isHighContrast(const QPalette &palette)
{
    return palette.color(QPalette::Base).rgb() == contrast.base;
}

QColor textColor(StatusColor statusColor, const QPalette &palette)
{
    return QColor(colorsOf(palette).states.at(size_t(statusColor)));
}

QColor tintColor(StatusColor statusColor, const QPalette &palette)
{
    return mixed(textColor(statusColor, palette), palette.color(QPalette::Base), colorsOf(palette).tintShare);
}

QColor borderColor(const QPalette &palette)
{
    return mixed(palette.color(QPalette::Text), palette.color(QPalette::Base), colorsOf(palette).borderShare);
}

QColor outlineColor(const QPalette &palette)
{
    return mixed(palette.color(QPalette::Text), palette.color(QPalette::Base),
                 colorsOf(palette).outlineShare);
}

QColor selection(const QPalette &palette, bool focused)
{
    const Colors &colors = colorsOf(palette);
    return mixed(QColor(focused ? colors.accent : colors.states[int(StatusColor::Muted)]),
                 palette.color(QPalette::Base), focused ? colors.focusedShare : colors.unfocusedShare);
}

QPalette lightPalette()
{
    return paletteOf(light);
}

QPalette darkPalette()
{
    return paletteOf(dark);
}

QPalette highContrastPalette()
{
    return paletteOf(contrast);
}

} // namespace lockscope
