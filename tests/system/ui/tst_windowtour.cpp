// SPDX-License-Identifier: GPL-3.0-or-later
// The tour of the demo: from the first look to a mended lock, and nothing moves below it.
#include "tests/system/ui/testwindow.h"
#include "ui/lockactions/actiondialog.h"
#include "ui/shell/tour.h"

using namespace lockscope;

class TourTest : public QObject, private ShownWindow
{
    Q_OBJECT

private slots:
    void init() { failOnWarning(); }
    void cleanup() { m_window.reset(); }

    void itLeadsToAMendedLock()
    {
        WindowOptions options;
        options.demo = true;
        options.offersTour = true;
        open(options, {1200, 700});
        QTRY_VERIFY_WITH_TIMEOUT(find<Tour>() && rows() > 5, 20'000);
        QVERIFY(commands().tour->isVisible());
        const QPointer<Tour> tour(find<Tour>());
        const auto hasDeadWaiter = [this] {
            const WatchedLock *lock = page()->model().find(LockKey(Tour::stuckLock));
            return lock && lock->problems().testFlag(Problem::DeadWaiter);
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasDeadWaiter(), 30'000);
        const QRect table(this->table()->mapToGlobal(QPoint()), this->table()->size());
        for (int step = 0; step < Tour::steps; ++step) {
            QTRY_COMPARE(tour->step(), step);
            QVERIFY(m_window->rect().contains(tour->geometry()));
            QVERIFY(tour->marked().isValid() && m_window->rect().contains(tour->marked()));
            if (step == 0) // is the table
                QVERIFY(tour->marked().height() > m_window->height() / 3);
            if (step > 2)
                QVERIFY2(!tour->marked().intersects(tour->geometry()), qPrintable(QString::number(step)));
            if (step == 4) {
                QCOMPARE(page()->chosen(), LockKey(Tour::stuckLock));
                QTRY_VERIFY(tour->marked().height() < 60); // the button alone
                commands().removeWaiter->trigger();
                QTRY_VERIFY(find<ActionDialog>());
                const QPointer<ActionDialog> dialog(find<ActionDialog>());
                button(*dialog, QStringLiteral("Remove"))->click();
                QTRY_VERIFY_WITH_TIMEOUT(!hasDeadWaiter(), 20'000);
                if (dialog)
                    dialog->close();
            }
            QCOMPARE(QRect(this->table()->mapToGlobal(QPoint()), this->table()->size()), table);
            const int end = Tour::steps - 1;
            button(*tour, step < end ? QStringLiteral("Next") : QStringLiteral("Done"))->click();
        }
        QTRY_VERIFY(!tour);

        open(options); // was seen
        QTRY_VERIFY_WITH_TIMEOUT(this->table() && rows() > 5, 20'000);
        QVERIFY(!find<Tour>());
        commands().tour->trigger();
        QVERIFY(find<Tour>());
        commands().disconnect->trigger();
        QVERIFY(!find<Tour>());
        QVERIFY(!commands().tour->isVisible());
    }

    void itIsOfTheDemoAlone()
    {
        const RedisServer server;
        WindowOptions options;
        options.server = server.tcpAddress();
        options.offersTour = true;
        open(options);
        QTRY_VERIFY_WITH_TIMEOUT(table(), 20'000);
        QVERIFY(!find<Tour>());
        QVERIFY(!commands().tour->isVisible());
    }
};

QTEST_MAIN(TourTest)
#include "tst_windowtour.moc"
