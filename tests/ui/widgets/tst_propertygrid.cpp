// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/propertygrid.h"

#include <QApplication>
#include <QtTest>

using namespace lockscope;

namespace {

QColor inkOf(const QWidget &widget)
{
    return widget.palette().color(QPalette::WindowText);
}

} // namespace

class PropertyGridTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QApplication::setPalette(lightPalette());
    }

    void rowsAreWhatIsShown()
    {
        PropertyGrid grid;
        QLabel *owner = grid.add(QStringLiteral("Owner"));
        QLabel *worker = grid.add(QStringLiteral("Worker"));
        grid.set(owner, QStringLiteral("web-1"));
        grid.set(worker, {});
        using Rows = QList<std::pair<QString, QString>>;
        QCOMPARE(grid.rows(), (Rows{{QStringLiteral("Owner"), QStringLiteral("web-1")}}));
    }

    /// Nobody has to color anything again.
    void colorsFollowTheTheme()
    {
        QWidget window;
        QLabel *text = plainLabel(&window);
        QLabel *banner = plainLabel(&window);
        QLabel *plain = plainLabel(&window);
        applyTextColor(text, StatusColor::Danger);
        applyTextColor(banner, StatusColor::Muted);
        applyBannerStyle(banner, StatusColor::Warning);
        applyTextColor(plain, StatusColor::Danger);
        clearTextColor(plain);
        window.show();
        for (const QPalette &palette : {darkPalette(), lightPalette(), darkPalette()}) {
            QApplication::setPalette(palette);
            QTRY_COMPARE(inkOf(*text), textColor(StatusColor::Danger, palette));
            QCOMPARE(inkOf(*banner), textColor(StatusColor::Warning, palette));
            QCOMPARE(banner->palette().color(QPalette::Window), tintColor(StatusColor::Warning, palette));
            QCOMPARE(inkOf(*plain), palette.color(QPalette::WindowText));
        }
    }

    /// The last color is the one that stays.
    void aColorIsReplaced()
    {
        QWidget window;
        QLabel *text = plainLabel(&window);
        applyTextColor(text, StatusColor::Danger);
        applyTextColor(text, StatusColor::Good);
        QApplication::setPalette(darkPalette());
        window.show();
        QTRY_COMPARE(inkOf(*text), textColor(StatusColor::Good, darkPalette()));
    }
};

QTEST_MAIN(PropertyGridTest)
#include "tst_propertygrid.moc"
