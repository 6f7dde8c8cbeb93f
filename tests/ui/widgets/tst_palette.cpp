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
            QVERIFY(contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >=
                    4);
            for (const QColor &ground : {palette.color(QPalette::Base), palette.color(QPalette::Window)})
                QVERIFY2(contrast(outlineColor(palette), ground) >= 3,
                         qPrintable(QString::number(contrast(outlineColor(palette), ground))));
        }
    }
};

QTEST_MAIN(PaletteTest)
#include "tst_palette.moc"
