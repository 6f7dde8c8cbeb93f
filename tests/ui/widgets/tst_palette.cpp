// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/palette.h"

#include <QtTest>

#include <cmath>

using namespace lockscope;

namespace {

/// Relative luminance and contrast as WCAG 2 defines them.
double luminance(const QColor &color)
{
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor &a, const QColor &b)
{
    const double light = std::max(luminance(a), luminance(b)), dark = std::min(luminance(a), luminance(b));
    return (light + 0.05) / (dark + 0.05);
}

} // namespace

class PaletteTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void themes_data()
    {
        QTest::addColumn<QPalette>("palette");
        QTest::addColumn<double>("text");
        QTest::addRow("light") << lightPalette() << 4.5;
        QTest::addRow("dark") << darkPalette() << 4.5;
        QTest::addRow("contrast") << highContrastPalette() << 7.0;
    }
    void themes()
    {
        QFETCH(const QPalette, palette);
        QFETCH(const double, text);
        QCOMPARE(isDark(palette), palette != lightPalette());
        QCOMPARE(isHighContrast(palette), text == 7.0);
        const QColor base = palette.color(QPalette::Base), window = palette.color(QPalette::Window);
        const QList<QColor> grounds{base, window, palette.color(QPalette::AlternateBase),
                                    selection(palette, true), selection(palette, false)};
        for (const QColor &ground : grounds)
            atLeast(7, palette.color(QPalette::Text), ground);
        for (const auto &[role, ground] :
             {std::pair(QPalette::HighlightedText, QPalette::Highlight),
              std::pair(QPalette::WindowText, QPalette::Window),
              std::pair(QPalette::ButtonText, QPalette::Button),
              std::pair(QPalette::ToolTipText, QPalette::ToolTipBase),
              std::pair(QPalette::PlaceholderText, QPalette::Base),
              std::pair(QPalette::PlaceholderText, QPalette::Window),
              std::pair(QPalette::Link, QPalette::Base), std::pair(QPalette::Link, QPalette::Window),
              std::pair(QPalette::LinkVisited, QPalette::Window)})
            atLeast(text, palette.color(role), palette.color(ground));
        // A chosen row keeps the colors of its words, a checked chip has text on its tint; bars and glyphs have the same colors.
        for (int color = 0; color <= int(StatusColor::Good); ++color) {
            const auto status = static_cast<StatusColor>(color);
            for (const QColor &ground : grounds + QList{tintColor(status, palette)})
                atLeast(text, textColor(status, palette), ground);
            atLeast(text, palette.color(QPalette::Text), tintColor(status, palette));
            atLeast(3, textColor(status, palette), borderColor(palette)); // the lease bar on its ground
        }
        for (const QColor &ground : {base, window}) {
            atLeast(3, outlineColor(palette), ground);
            // The mark of a chosen row, and the frame of what has the focus.
            atLeast(3, palette.color(QPalette::Highlight), ground);
            if (!isHighContrast(palette))
                continue;
            atLeast(3, borderColor(palette), ground);
            for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
                atLeast(text, palette.color(QPalette::Disabled, role), ground);
        }
    }

    /// A field takes its colors from its palette's base: a banner has a window color of its own.
    void highContrastOnABanner()
    {
        QPalette palette = highContrastPalette();
        const QColor before = textColor(StatusColor::Danger, palette);
        palette.setColor(QPalette::Window, tintColor(StatusColor::Danger, palette));
        QCOMPARE(textColor(StatusColor::Danger, palette), before);
    }

private:
    static void atLeast(double least, const QColor &color, const QColor &ground)
    {
        const double found = contrast(color, ground);
        if (found < least)
            QTest::qFail(
                qPrintable(QStringLiteral("%1 on %2: %3").arg(color.name(), ground.name()).arg(found)),
                __FILE__, __LINE__);
    }
};

QTEST_MAIN(PaletteTest)
#include "tst_palette.moc"
