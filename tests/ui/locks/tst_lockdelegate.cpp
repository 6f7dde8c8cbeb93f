// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockdelegate.h"

#include "tests/support/machineclock.h"
#include "tests/ui/samplelocks.h"

#include <QImage>
#include <QPainter>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

using Column = LockTableModel::Column;

/// One cell as it is painted.
QImage painted(const LockTableModel &model, const DisplayClock &clock, Column column, const QPalette &palette,
               bool selected = false)
{
    LockDelegate delegate(model, clock);
    delegate.setFont(QGuiApplication::font());
    QImage image(260, delegate.rowHeight(), QImage::Format_ARGB32);
    image.fill(palette.color(QPalette::Base));
    QPainter painter(&image);
    QStyleOptionViewItem option;
    option.rect = image.rect();
    option.palette = palette;
    if (selected)
        option.state |= QStyle::State_Selected | QStyle::State_Active;
    delegate.paint(&painter, option, model.index(0, int(column)));
    return image;
}

int pixelsOf(const QImage &image, const QColor &color)
{
    int pixels = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            pixels += image.pixelColor(x, y).rgb() == color.rgb();
    }
    return pixels;
}

/// How far the bar at the foot of a cell reaches in a color.
int barLength(const QImage &image, const QColor &color)
{
    int length = 0;
    for (int x = 0; x < image.width(); ++x)
        length += image.pixelColor(x, image.height() - 5).rgb() == color.rgb();
    return length;
}

} // namespace

class LockDelegateTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_clock.stopAt(now);
    }

    void theBarIsTheShareLeft()
    {
        // The clock runs: a stopped one fades the colors. The sample ends far in its past or future.
        DisplayClock running;
        WatchedLock lock = reentrant("a");
        const auto end = Clock::now() + 15s;
        lock.lock.deadline = Deadline{end, end};
        LockTableModel model(running);
        model.apply(changes({lock}));
        const QPalette palette = lightPalette();
        const int half =
            barLength(painted(model, running, Column::Ttl, palette), textColor(StatusColor::Held, palette));
        model.apply(changes({endless(lock)}));
        const int whole = barLength(painted(model, running, Column::Ttl, palette),
                                    textColor(StatusColor::Endless, palette));
        QVERIFY2(whole > 200, qPrintable(QString::number(whole)));
        QVERIFY2(std::abs(half - whole / 2) <= 4, qPrintable(QString::number(half)));
    }

    void oldDataLosesItsColors()
    {
        LockTableModel model(m_clock);
        model.apply(changes({endless(token("a"))}));
        for (const QPalette &palette : {lightPalette(), darkPalette()}) {
            const DisplayClock running;
            QVERIFY(pixelsOf(painted(model, running, Column::State, palette),
                             textColor(StatusColor::Endless, palette)) > 0);
            const QImage faded = painted(model, m_clock, Column::State, palette);
            QCOMPARE(pixelsOf(faded, textColor(StatusColor::Endless, palette)), 0);
            QVERIFY(pixelsOf(faded, textColor(StatusColor::Muted, palette)) > 0);
        }
    }

    void aChosenRowIsMarked()
    {
        LockTableModel model(m_clock);
        model.apply(changes({reentrant("a")}));
        const QPalette palette = darkPalette();
        const QImage chosen = painted(model, m_clock, Column::State, palette, true);
        QCOMPARE(chosen.pixelColor(chosen.width() - 1, 0).rgb(), selection(palette, true).rgb());
        QCOMPARE(chosen.pixelColor(0, 0).rgb(), palette.color(QPalette::Highlight).rgb());
    }

    void hugeNamesAreCutBeforeTheyAreMeasured_data()
    {
        QTest::addColumn<QByteArray>("name");
        constexpr qsizetype size = 64 * 1024 * 1024;
        QTest::newRow("letters") << QByteArray(size, 'x');
        QTest::newRow("control characters") << QByteArray(size, '\1');
        QTest::newRow("combining marks") << "a" + QByteArray("\xcc\x81").repeated(size / 2);
    }
    void hugeNamesAreCutBeforeTheyAreMeasured()
    {
        QFETCH(QByteArray, name);
        LockTableModel model(m_clock);
        model.apply(changes({reentrant(name, 20s, name)}));
        painted(model, m_clock, Column::Key, lightPalette());
        const auto painting = workTime([&] {
            for (const Column column : {Column::Key, Column::Owner, Column::Holds})
                painted(model, m_clock, column, lightPalette());
        });
        // Measuring a letter takes far longer than looking at its byte.
        QVERIFY2(painting < walkTime(name), qPrintable(QString::number(painting.count())));
    }

private:
    DisplayClock m_clock;
};

QTEST_MAIN(LockDelegateTest)
#include "tst_lockdelegate.moc"
