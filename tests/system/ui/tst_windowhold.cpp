// SPDX-License-Identifier: GPL-3.0-or-later
// The demo's busy locks under a hand that clicks now and then.
#include "tests/system/ui/testwindow.h"

#include <QtTest>

using namespace lockscope;

class WindowHoldTest : public QObject, private ShownWindow
{
    Q_OBJECT

private slots:
    void init() { failOnWarning(); }
    void cleanup() { m_window.reset(); }

    void noRowMovesBeforeAClick()
    {
        WindowOptions options;
        options.demo = true;
        open(options, {1600, 1000});
        QTRY_VERIFY_WITH_TIMEOUT(rows() > 20, 20'000);
        int changes = 0;
        connect(&page()->model(), &LockTableModel::dataChanged, this, [&] { ++changes; });
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, {50, 50});
        for (const int row : {4, 2, 7, 4, 9}) {
            const QPoint place = table()->visualRect(page()->model().index(row, 1)).center();
            const QByteArray key = keyAt(place);
            const int before = changes;
            for (int look = 0; look < 20; ++look) {
                QTest::qWait(60);
                QCOMPARE(keyAt(place), key);
            }
            QVERIFY(changes > before); // values go on
            QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, place);
            QCOMPARE(page()->chosen()->bytes, key);
        }
        // Gone from the table, the hand finds the chosen row where it was.
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(table(), &leave);
        const int chosen = page()->model().indexOf(*page()->chosen()).row();
        QTRY_VERIFY(!page()->model().isHeld());
        QCOMPARE(page()->model().indexOf(*page()->chosen()).row(), chosen);
    }

private:
    QByteArray keyAt(const QPoint &place) const
    {
        return table()->indexAt(place).data(LockTableModel::KeyRole).toByteArray();
    }
};

QTEST_MAIN(WindowHoldTest)
#include "tst_windowhold.moc"
