// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/countdowncells.h"

#include "tests/ui/samplelocks.h"
#include "ui/locks/lockdelegate.h"

#include <QImage>
#include <QPainter>
#include <QTableView>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

using Column = LockTableModel::Column;

class TimedCellsTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_clock.stopAt(now);
        m_view = std::make_unique<QTableView>();
        m_view->setModel(&m_model);
        m_view->setItemDelegate(&m_delegate);
        m_view->resize(900, 120);
        m_view->show();
    }
    void cleanup()
    {
        m_view.reset();
        m_model.apply(changes({}, {"a", "b", "c"}));
    }

    void nothingChangesWhileTimeStands()
    {
        m_model.apply(changes({reentrant("a"), endless(token("b"))}));
        CountdownCells cells(*m_view, m_model, m_clock);
        QVERIFY(!cells.changed().isEmpty()); // seen for the first time
        QVERIFY(cells.changed().isEmpty());
    }

    void longLeasesChangeEachSecond()
    {
        m_model.apply(changes({reentrant("a", 1000s, "w", 1, 90s)}));
        m_clock.stopAt(now + 50ms);
        CountdownCells cells(*m_view, m_model, m_clock);
        cells.changed();
        m_clock.stopAt(now + 900ms);
        QVERIFY(cells.changed().isEmpty());
        m_clock.stopAt(now + 1100ms);
        const QRegion region = cells.changed();
        QVERIFY(region.contains(cell(0, Column::Ttl)) && region.contains(cell(0, Column::Held)));
        QVERIFY(!region.contains(cell(0, Column::State)) && !region.contains(cell(0, Column::Key)));
    }

    void theStateTurns()
    {
        m_model.apply(changes({reentrant("a", 20s), reentrant("b", 600s)}));
        CountdownCells cells(*m_view, m_model, m_clock);
        cells.changed();
        m_clock.stopAt(now + 15s); // less than a fifth of thirty
        const QRegion region = cells.changed();
        const int row = m_model.at(0).key().bytes == "a" ? 0 : 1;
        QVERIFY(region.contains(cell(row, Column::State)));
        QVERIFY(!region.contains(cell(1 - row, Column::State)));
    }

    /// Its state is the same.
    void aHoldBecomesUnusual()
    {
        WatchedLock lock = listenedTo(reentrant("a", 600s), 1);
        lock.unusualAfter = now + 5s;
        m_model.apply(changes({lock}));
        CountdownCells cells(*m_view, m_model, m_clock);
        cells.changed();
        m_clock.stopAt(now + 4s);
        QVERIFY(!cells.changed().contains(cell(0, Column::State)));
        m_clock.stopAt(now + 6s);
        QVERIFY(cells.changed().contains(cell(0, Column::State)));
        m_clock.stopAt(now + 7s);
        QVERIFY(!cells.changed().contains(cell(0, Column::State)));
    }

    void anEmptyTable()
    {
        CountdownCells cells(*m_view, m_model, m_clock);
        QVERIFY(cells.changed().isEmpty());
    }

    /// What is not repainted must look as if it had been.
    void nothingIsLeftOld()
    {
        m_model.apply(changes({reentrant("a", 3s), renewed(reentrant("b", 29s)), reentrant("c", 70s)}));
        CountdownCells cells(*m_view, m_model, m_clock);
        cells.changed();
        QImage shown = picture();
        for (milliseconds passed = 0ms; passed < 9s; passed += 300ms) {
            m_clock.stopAt(now + passed);
            const QRegion region = cells.changed();
            const QImage fresh = picture();
            for (int y = 0; y < fresh.height(); ++y) {
                for (int x = 0; x < fresh.width(); ++x) {
                    if (region.contains({x, y}))
                        shown.setPixel(x, y, fresh.pixel(x, y));
                    else
                        QVERIFY2(
                            isNear(shown.pixel(x, y), fresh.pixel(x, y)),
                            qPrintable(QStringLiteral("%1 ms: %2, %3").arg(passed.count()).arg(x).arg(y)));
                }
            }
        }
    }

private:
    QPoint cell(int row, Column column) const
    {
        return m_view->visualRect(m_model.index(row, int(column))).center();
    }
    QImage picture() const
    {
        return m_view->viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32);
    }
    static std::optional<QPoint> firstDifference(const QImage &a, const QImage &b)
    {
        for (int y = 0; y < a.height(); ++y) {
            const auto *lineA = reinterpret_cast<const QRgb *>(a.constScanLine(y));
            const auto *lineB = reinterpret_cast<const QRgb *>(b.constScanLine(y));
            for (int x = 0; x < a.width(); ++x) {
                if (!isNear(lineA[x], lineB[x]))
                    return QPoint(x, y);
            }
        }
        return std::nullopt;
    }
    /// But for the end of a bar that lies within half a pixel.
    static bool isNear(QRgb a, QRgb b)
    {
        constexpr int most = 140;
        return std::abs(qRed(a) - qRed(b)) <= most && std::abs(qGreen(a) - qGreen(b)) <= most &&
               std::abs(qBlue(a) - qBlue(b)) <= most;
    }

    DisplayClock m_clock;
    LockTableModel m_model{m_clock};
    LockDelegate m_delegate{m_model, m_clock};
    std::unique_ptr<QTableView> m_view;
};

QTEST_MAIN(TimedCellsTest)
#include "tst_countdowncells.moc"
