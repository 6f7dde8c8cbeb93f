// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/undismissedresets.h"

#include <QtTest>

using namespace lockscope;

namespace {

ServerReset reset(qint64 locks, qint64 wallMs)
{
    ServerReset reset;
    reset.cause = ServerReset::Cause::Flush;
    reset.locks = locks;
    reset.wallMs = wallMs;
    return reset;
}

} // namespace

class TestResetNotes : public QObject
{
    Q_OBJECT

private slots:
    /// A small flush must not hide the large one that nobody has seen yet.
    void keepsTheLargest()
    {
        UndismissedResets notes;
        QVERIFY(notes.isEmpty());
        notes.add(reset(49'000, 100));
        QCOMPARE(notes.largest().locks, 49'000);
        QCOMPARE(notes.others(), 0);
        notes.add(reset(2, 200));
        QCOMPARE(notes.largest().wallMs, 100);
        QCOMPARE(notes.others(), 1);
        QCOMPARE(notes.latestOtherMs(), 200);
        notes.add(reset(50'000, 300));
        QCOMPARE(notes.largest().wallMs, 300);
        QCOMPARE(notes.others(), 2);
        QCOMPARE(notes.latestOtherMs(), 200);
        notes.clear();
        QVERIFY(notes.isEmpty());
        notes.add(reset(0, 400));
        QCOMPARE(notes.largest().wallMs, 400);
        QCOMPARE(notes.others(), 0);
    }
};

QTEST_GUILESS_MAIN(TestResetNotes)
#include "tst_undismissedresets.moc"
