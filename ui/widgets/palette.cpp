// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/palette.h"

namespace lockscope {

namespace {

QColor mixed(const QColor &over, const QColor &ground, double share)
{
    const auto channel = [share](int a, int b) { return qRound(a * share + b * (1 - share)); };
    return {channel(over.red(), ground.red()), channel(over.green(), ground.green()),
            channel(over.blue(), ground.blue())};
}

struct Ground
{
    QRgb window, base, alternate, text, muted, button, border, accent, link;
};

QPalette paletteOn(const Ground &ground)
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
    palette.setColor(QPalette::HighlightedText, QColor(Qt::white));
    palette.setColor(QPalette::Link, QColor(ground.link));
    palette.setColor(QPalette::LinkVisited, QColor(ground.link));
    palette.setColor(QPalette::Light, mixed(QColor(Qt::white), QColor(ground.button), 0.10));
    palette.setColor(QPalette::Midlight, mixed(QColor(Qt::white), QColor(ground.button), 0.05));
    palette.setColor(QPalette::Mid, border);
    palette.setColor(QPalette::Dark, mixed(QColor(Qt::black), border, 0.12));
    palette.setColor(QPalette::Shadow, QColor(Qt::black));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, mixed(text, window, 0.42));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, border);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, muted);
    return palette;
}

} // namespace

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightnessF() < 0.5F;
}

// After Okabe and Ito's colors for all kinds of color vision, each moved in lightness until it can be read
// as text.
QColor textColor(StatusColor statusColor, const QPalette &palette)
{
    const bool dark = isDark(palette);
    switch (statusColor) {
    case StatusColor::Muted:
        return QColor(dark ? 0xff9aa3ad : 0xff5d6670);
    case StatusColor::Held:
        return QColor(dark ? 0xff56b4e9 : 0xff00659e);
    case StatusColor::Warning:
        return QColor(dark ? 0xfff0d442 : 0xff7d5c00);
    case StatusColor::Endless:
        return QColor(dark ? 0xffe29cc4 : 0xff9b3a74);
    case StatusColor::Danger:
        return QColor(dark ? 0xffff8a50 : 0xffb34700);
    case StatusColor::Good:
        return QColor(dark ? 0xff3ecf9f : 0xff00704f);
    }
    return palette.color(QPalette::Text);
}

QColor tintColor(StatusColor statusColor, const QPalette &palette)
{
    return mixed(textColor(statusColor, palette), palette.color(QPalette::Base),
                 isDark(palette) ? 0.16 : 0.08);
}

QColor borderColor(const QPalette &palette)
{
    return mixed(palette.color(QPalette::Text), palette.color(QPalette::Base), isDark(palette) ? 0.20 : 0.14);
}

QColor outlineColor(const QPalette &palette)
{
    return mixed(palette.color(QPalette::Text), palette.color(QPalette::Base), isDark(palette) ? 0.46 : 0.52);
}

QColor selection(const QPalette &palette, bool focused)
{
    const QColor accent = focused ? palette.color(QPalette::Active, QPalette::Highlight)
                                  : textColor(StatusColor::Muted, palette);
    const double darkShare = focused ? 0.30 : 0.22; // what is muted has to be read on itself
    return mixed(accent, palette.color(QPalette::Base), isDark(palette) ? darkShare : 0.14);
}

QPalette lightPalette()
{
    return paletteOn({.window = 0xfff3f5f7,
                      .base = 0xffffffff,
                      .alternate = 0xfff8f9fb,
                      .text = 0xff1c2127,
                      .muted = 0xff6a737d,
                      .button = 0xfffafbfc,
                      .border = 0xffc9cfd6,
                      .accent = 0xff0a6ebd,
                      .link = 0xff0a6ebd});
}

QPalette darkPalette()
{
    return paletteOn({.window = 0xff1f2328,
                      .base = 0xff181b1f,
                      .alternate = 0xff1c2024,
                      .text = 0xffe3e7ec,
                      .muted = 0xff8b949e,
                      .button = 0xff2b3036,
                      .border = 0xff3a4048,
                      .accent = 0xff2a78bd, // white can be read on it
                      .link = 0xff56b4e9});
}

} // namespace lockscope
