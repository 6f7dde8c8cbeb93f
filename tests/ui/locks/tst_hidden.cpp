// SPDX-License-Identifier: GPL-3.0-or-later
// What looks like no lock is counted below the table, and shown with one click.
#include "core/family/certainty.h"
#include "core/state/lockstate.h"
#include "core/table/lockstatustext.h"
#include "core/table/locktext.h"
#include "tests/support/familyliteral.h"
#include "tests/ui/samplelocks.h"
#include "ui/locks/hiddenline.h"
#include "ui/locks/lockspage.h"

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

WatchedLock document(const QByteArray &key)
{
    WatchedLock watched = token(key);
    watched.lock.family = "unknown"_family;
    watched.lock.owners.clear();
    return watched;
}

} // namespace

class TestHidden : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
    }

    void oneClickShowsThem()
    {
        LocksPage page;
        page.setStale(now);
        page.resize(900, 400);
        page.show();
        auto *line = page.findChild<HiddenLine *>();
        QVERIFY(line && line->isHidden());
        page.apply(changes(
            {token("lock:a"), document("lock:b"), withProblem(document("lock:c"), Problem::WrongType)}));
        QTRY_VERIFY(line->isVisible());
        QVERIFY2(line->text().startsWith(QStringLiteral("2")), qPrintable(line->text()));
        const LockTableModel &model = page.model();
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.total(), 1);
        QCOMPARE(model.counts().all, 1);
        QCOMPARE(model.counts().problems, 0); // nor are they alarms
        QCOMPARE(model.counts().hidden, 2);

        line->findChild<QToolButton *>()->click();
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.total(), 3);
        QCOMPARE(model.counts().problems, 0);
        line->findChild<QToolButton *>()->click();
        QCOMPARE(model.rowCount(), 1);
    }

    /// Shown, they stand behind the locks, and no chip counts them; hidden again, none of them is chosen.
    void theyAreNoMoreThanShown()
    {
        LocksPage page;
        page.setStale(now);
        page.resize(900, 400);
        page.show();
        WatchedLock ending = withProblem(document("lock:c"), Problem::WrongType);
        ending.lock.deadline = Deadline{now + 1s, now + 1s};
        page.apply(changes({token("lock:a"), ending}));
        auto *line = page.findChild<HiddenLine *>();
        QTRY_VERIFY(line->isVisible());
        line->findChild<QToolButton *>()->click();
        QCOMPARE(page.model().at(0).key(), LockKey("lock:a"));
        QCOMPARE(page.model().counts().expiring, 0);
        page.choose(LockKey("lock:c"));
        QVERIFY(page.chosenLock());
        line->findChild<QToolButton *>()->click();
        QVERIFY(!page.chosen());
        QCOMPARE(page.hiddenChoice(), LockKey("lock:c"));
    }

    /// They are told as a number, and shown by whatever asks for them.
    void possibleLocksAreFolded()
    {
        LocksPage page;
        page.setStale(now);
        page.resize(900, 400);
        page.show();
        WatchedLock possible = document("lock:b");
        possible.lock.evidence = Evidence::Name;
        page.apply(changes({token("lock:a"), possible}));
        auto *line = page.findChild<HiddenLine *>();
        QTRY_VERIFY(line->isVisible());
        QVERIFY2(line->text().startsWith(QStringLiteral("1 possible lock")), qPrintable(line->text()));
        QCOMPARE(page.model().rowCount(), 1);
        QCOMPARE(page.model().total(), 1);
        auto *field = page.findChild<QLineEdit *>();
        field->setText(QStringLiteral("state:possible"));
        QTRY_COMPARE(page.model().at(0).key(), LockKey("lock:b"));
        QTRY_VERIFY(line->isHidden());
        field->clear();
        QTRY_COMPARE(page.model().rowCount(), 1);
        page.choose(LockKey("lock:b"));
        QVERIFY(page.chosenLock());
        QCOMPARE(page.model().rowCount(), 2);
    }

    /// It was renewed while somebody watched.
    void oneThatComesAliveIsShown()
    {
        LocksPage page;
        page.setStale(now);
        page.show();
        page.apply(changes({document("lock:b")}));
        QCOMPARE(page.model().rowCount(), 0);
        page.apply(changes({token("lock:b")}));
        QCOMPARE(page.model().rowCount(), 1);
        QCOMPARE(page.model().counts().hidden, 0);
    }

    void nothingIsClaimedOfThem()
    {
        const WatchedLock hidden = document("lock:b");
        QVERIFY(isHidden(hidden.lock));
        QCOMPARE(liveness(hidden, now).statusColor, StatusColor::Muted);
        WatchedLock open = endless(token("lock:a"));
        open.lock.problems = {};
        QCOMPARE(lastingState(open), LockState::Held); // it may be a lock, or none: no alarm
        QVERIFY(lastingState(endless(token("lock:a"))) == LockState::NoExpiry);
        WatchedLock fields = endless(reentrant("lock:h"));
        fields.lock.problems = {};
        fields.lock.leaseOf = LeaseOf::Unknown;
        QCOMPARE(lastingState(fields), LockState::Held);
        QCOMPARE(ttlText(fields.lock, now), QStringLiteral("unknown"));
        QVERIFY(!liveness(fields, now).text.contains(QStringLiteral("never")));
    }
};

QTEST_MAIN(TestHidden)
#include "tst_hidden.moc"
