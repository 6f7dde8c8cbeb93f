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

    void inkCanBeRead_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<int>("statusColor");
        for (const bool dark : {false, true}) {
            for (int statusColor = 0; statusColor <= int(StatusColor::Good); ++statusColor)
                QTest::addRow("%s %d", dark ? "dark" : "light", statusColor) << dark << statusColor;
        }
    }
    void inkCanBeRead()
    {
        QFETCH(bool, dark);
        QFETCH(int, statusColor);
        const QPalette palette = dark ? darkPalette() : lightPalette();
        QCOMPARE(isDark(palette), dark);
        const QColor color = textColor(static_cast<StatusColor>(statusColor), palette);
        for (const QColor &ground :
             {palette.color(QPalette::Base), palette.color(QPalette::AlternateBase),
              palette.color(QPalette::Window), tintColor(static_cast<StatusColor>(statusColor), palette)})
            QVERIFY2(contrast(color, ground) >= 4.5, qPrintable(QString::number(contrast(color, ground))));
    }

    void textCanBeRead()
    {
        for (const QPalette &palette : {lightPalette(), darkPalette()}) {
            for (const QColor &ground : {palette.color(QPalette::Base), palette.color(QPalette::Window),
                                         selection(palette, true), selection(palette, false)})
                QVERIFY(contrast(palette.color(QPalette::Text), ground) >= 7);
            for (const auto &[role, ground] :
                 {std::pair(QPalette::HighlightedText, QPalette::Highlight),
                  std::pair(QPalette::WindowText, QPalette::Window),
                  std::pair(QPalette::ButtonText, QPalette::Button),
                  std::pair(QPalette::ToolTipText, QPalette::ToolTipBase),
                  std::pair(QPalette::PlaceholderText, QPalette::Base),
                  std::pair(QPalette::Link, QPalette::Base), std::pair(QPalette::Link, QPalette::Window),
                  std::pair(QPalette::LinkVisited, QPalette::Window)})
                atLeast(4.5, palette.color(role), palette.color(ground));
            for (const QColor &ground : {palette.color(QPalette::Base), palette.color(QPalette::Window)})
                QVERIFY2(contrast(outlineColor(palette), ground) >= 3,
                         qPrintable(QString::number(contrast(outlineColor(palette), ground))));
        }
    }

    /// A chosen row keeps the colors of its words, a checked chip has text on its tint; bars and glyphs are in the same colors.
    void wordsOfAnyColorOnAChosenRow()
    {
        for (const QPalette &palette : {lightPalette(), darkPalette()}) {
            for (int color = 0; color <= int(StatusColor::Good); ++color) {
                const auto status = static_cast<StatusColor>(color);
                for (const bool isFocused : {false, true})
                    atLeast(4.5, textColor(status, palette), selection(palette, isFocused));
                atLeast(4.5, palette.color(QPalette::Text), tintColor(status, palette));
                atLeast(3, textColor(status, palette), borderColor(palette)); // the lease bar on its ground
            }
            // The mark of a chosen row, and the frame of what has the focus.
            for (const auto ground : {QPalette::Base, QPalette::Window})
                atLeast(3, palette.color(QPalette::Highlight), palette.color(ground));
        }
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
