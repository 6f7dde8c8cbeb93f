// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/actionseriesdialog.h"

#include "tests/support/familyliteral.h"
#include "tests/support/resulttext.h"
#include "tests/ui/samplelocks.h"

#include <QCheckBox>
#include <QLabel>
#include <QPromise>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class ActionSeriesDialogTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        // The offscreen platform says of each window with a least size that it has none.
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        m_clock.stopAt(now);
        m_asked.clear();
        m_answers.clear();
        m_waits = false;
    }

    void eachIsListedAndHasItsOutcome()
    {
        m_clock.run(); // of the past nothing is known
        m_answers = {ending(Outcome::Expired), ending(Outcome::OwnerChanged)};
        auto dialog =
            make(Action::ForceExpire, {reentrant("lock:a", 20s, "web-1:7", 2), renewed(reentrant("lock:b")),
                                       withProblem(reentrant("lock:big"), Problem::TooBig)});
        QCOMPARE(dialog->windowTitle(), QStringLiteral("Force-expire 3 lock(s)"));
        QCOMPARE(cell(*dialog, 0, 0), QStringLiteral("lock:a"));
        QCOMPARE(cell(*dialog, 0, 1), QStringLiteral("web-1:7"));
        QCOMPARE(cell(*dialog, 0, 3), QStringLiteral("2"));
        QCOMPARE(cell(*dialog, 0, 2), QStringLiteral("unknown"));
        QCOMPARE(cell(*dialog, 1, 2), QStringLiteral("renewing"));
        QVERIFY(cell(*dialog, 2, 5).contains(QStringLiteral("Too big")));
        QVERIFY(dialog->findChild<QLabel *>(QStringLiteral("consequence"))
                    ->text()
                    .contains(QStringLiteral("may still be working")));
        QPushButton *act = button(*dialog, QStringLiteral("Force-expire 2 lock(s)"));
        QVERIFY(act && !act->isDefault());
        act->click();
        act->click();
        QTRY_VERIFY(!dialog->isUnderWay());
        QCOMPARE(m_asked.size(), 2);
        QCOMPARE(m_asked[0].expected, reentrant("lock:a", 20s, "web-1:7", 2).lock.owners);
        QCOMPARE(resultText(*dialog), QStringLiteral("Force-expired: 1, rejected: 1"));
        QVERIFY(!cell(*dialog, 0, 5).isEmpty() && cell(*dialog, 0, 5) != cell(*dialog, 1, 5));
    }

    void whatChangesIsLeftOut()
    {
        m_answers = {ending(Outcome::Expired)};
        auto dialog = make(Action::ForceExpire, {reentrant("a"), reentrant("b"), reentrant("c")});
        QHash<LockKey, WatchedLock> there{{LockKey("a"), reentrant("a", 19s)}, // renewed: as seen
                                          {LockKey("c"), reentrant("c", 20s, "other:1")}};
        const auto find = [&there](const LockKey &key) {
            const auto lock = there.constFind(key);
            return lock == there.constEnd() ? nullptr : &*lock;
        };
        dialog->observe(find);
        there[LockKey("c")] = reentrant("c"); // another look is needed
        dialog->observe(find);
        QPushButton *act = button(*dialog, QStringLiteral("Force-expire 1 lock(s)"));
        QVERIFY(act);
        act->click();
        QTRY_VERIFY(!dialog->isUnderWay());
        QCOMPARE(m_asked.size(), 1);
        QCOMPARE(m_asked[0].key.bytes, "a");
        QVERIFY(cell(*dialog, 1, 5).contains(QStringLiteral("Gone")));
        QVERIFY(cell(*dialog, 2, 5).contains(QStringLiteral("Changed")));
    }

    void itStopsAtALostConnection()
    {
        m_answers = {ending(Outcome::Expired), ending(Outcome::Unknown), ending(Outcome::Expired)};
        auto dialog = make(Action::ForceExpire, {reentrant("a"), reentrant("b"), reentrant("c")});
        button(*dialog, QStringLiteral("Force-expire 3 lock(s)"))->click();
        QTRY_VERIFY(!dialog->isUnderWay());
        QCOMPARE(m_asked.size(), 2);
        QCOMPARE(resultText(*dialog), QStringLiteral("Force-expired: 1, outcome unknown: 1, not sent: 1"));
        QCOMPARE(cell(*dialog, 2, 5), QStringLiteral("Not sent"));
    }

    void itIsStoppedAndClosed()
    {
        m_waits = true;
        auto dialog = make(Action::Release, {reentrant("a"), reentrant("b")});
        button(*dialog, QStringLiteral("Release 2 lock(s)"))->click();
        QTRY_COMPARE(m_asked.size(), 1);
        QCOMPARE(m_asked[0].owner.bytes, "web-1:7");
        QSignalSpy unseen(dialog.get(), &ActionSeriesDialog::answeredUnseen);
        dialog->reject();
        QVERIFY(dialog->isUnderWay() && !dialog->isVisible());
        m_promise.addResult(ending(Outcome::Released));
        m_promise.finish();
        QTRY_COMPARE(unseen.size(), 1);
        QCOMPARE(unseen[0][1].toString(), QStringLiteral("Release 2 lock(s): Released: 1, not sent: 1"));
        QCOMPARE(m_asked.size(), 1);
    }

    void levelsAndSeveralOwners()
    {
        m_answers = {ending(Outcome::Released)};
        WatchedLock several = reentrant("b");
        several.lock.owners.append({OwnerId("web-2:1"), "1", 1});
        auto dialog = make(Action::Release, {reentrant("a", 20s, "web-1:7", 3), several});
        auto *levels = dialog->findChild<QCheckBox *>();
        QVERIFY(levels);
        levels->setChecked(true);
        button(*dialog, QStringLiteral("Release 1 lock(s)"))->click();
        QTRY_VERIFY(!dialog->isUnderWay());
        QCOMPARE(m_asked.size(), 1);
        QVERIFY(m_asked[0].allLevels);
        QVERIFY(cell(*dialog, 1, 5).contains(QStringLiteral("Several owners")));
    }

    /// What is not free is not told as released.
    void oneLevelIsNotAll()
    {
        m_answers = {ending(Outcome::Unwound), ending(Outcome::Released)};
        auto dialog = make(Action::Release, {reentrant("a", 20s, "web-1:7", 3), reentrant("b")});
        button(*dialog, QStringLiteral("Release 2 lock(s)"))->click();
        QTRY_VERIFY(!dialog->isUnderWay());
        QCOMPARE(resultText(*dialog), QStringLiteral("Released: 1, in part: 1"));
    }

    /// Nor is what some servers of a group did not do.
    void someServersAreNotAll()
    {
        Result<ActionResult> partly = ending(Outcome::Expired);
        partly->servers = {{QStringLiteral("a"), Outcome::Expired, std::nullopt},
                           {QStringLiteral("b"), std::nullopt, Error(ErrorKind::NotConnected)}};
        m_answers = {partly};
        auto dialog = make(Action::ForceExpire, {reentrant("a")});
        button(*dialog, QStringLiteral("Force-expire 1 lock(s)"))->click();
        QTRY_VERIFY(!dialog->isUnderWay());
        QCOMPARE(resultText(*dialog), QStringLiteral("Force-expired: 0, in part: 1"));
    }

    /// The holds of others stay as they are, unless the user wants it otherwise and no script can.
    void locksOfOneOwner()
    {
        m_answers = {ending(Outcome::Expired), ending(Outcome::Expired)};
        const QByteArray other = otherClient + ":1", mine = client + ":12";
        WatchedLock readers = redisson("readers", mine, "redisson-read-write"_family);
        readers.lock.owners = {{OwnerId(mine), "1", 1, HoldMode::Read},
                               {OwnerId(other), "1", 1, HoldMode::Read}};
        WatchedLock both = reentrant("both", 20s, mine);
        both.lock.owners.append({OwnerId(other), "1", 1});
        auto dialog =
            make(Action::ForceExpire, {redisson("own", mine), readers, both, redisson("others", other)});
        dialog->setOwner(
            {.name = QStringLiteral("web"),
             .locks = {},
             .all = 9,
             .signs = [] { return OwnerSigns{QStringLiteral("Not known to be dead: no sign seen.")}; },
             .isTheirs = [&](const Lock &, const OwnerId &id) { return id.bytes == mine; }});
        const QString signs = dialog->findChild<QLabel *>(QStringLiteral("signs"))->text();
        QVERIFY2(signs.contains(QStringLiteral("Owner: web")) &&
                     signs.contains(QStringLiteral("no sign seen")) &&
                     signs.contains(QStringLiteral("continues without its locks")) &&
                     signs.contains(QStringLiteral("4 of its 9")),
                 qPrintable(signs));
        auto *table = dialog->findChild<QTableWidget *>();
        auto *effects = dialog->findChild<QLabel *>(QStringLiteral("consequence"));
        table->selectRow(1);
        QVERIFY(effects->text().contains(QStringLiteral("Ends only this owner's hold")));
        table->selectRow(2);
        QVERIFY2(effects->text().contains(QStringLiteral("Other owners lose the lock too")) &&
                     effects->text().contains(QString::fromLatin1(other)),
                 qPrintable(effects->text()));
        QVERIFY(cell(*dialog, 2, 5).contains(QStringLiteral("left out")));
        QVERIFY(cell(*dialog, 3, 5).contains(QStringLiteral("Changed")));
        auto *shared = dialog->findChild<QCheckBox *>(QStringLiteral("withShared"));
        QVERIFY(shared && !shared->isChecked());
        shared->setChecked(true);
        QVERIFY(button(*dialog, QStringLiteral("Force-expire 3 lock(s)")));
        shared->setChecked(false);
        // Another reader comes: nothing that is asked for has changed.
        WatchedLock more = readers;
        more.lock.owners.append({OwnerId("x:1"), "1", 1, HoldMode::Read});
        const QList<WatchedLock> there{redisson("own", mine), more, both};
        dialog->observe([&](const LockKey &key) {
            const auto at = std::ranges::find(there, key, &WatchedLock::key);
            return at == there.end() ? nullptr : &*at;
        });
        button(*dialog, QStringLiteral("Force-expire 2 lock(s)"))->click();
        QTRY_COMPARE(resultText(*dialog), QStringLiteral("Force-expired: 2"));
        QVERIFY(!m_asked[0].onlyExpected);
        QVERIFY(m_asked[1].onlyExpected);
        QCOMPARE(m_asked[1].expected, readers.lock.owners.first(1));
        QVERIFY(!shared->isEnabled());
    }

    /// Who has acted since is not dead, and what was decided about the dead is not done to it.
    void anOwnerComesToLife()
    {
        m_answers = {ending(Outcome::Expired)};
        const OwnerSigns dead{QStringLiteral("Likely dead: overdue"), true}, alive{QStringLiteral("Renewed")};
        OwnerSigns signs = dead;
        const OwnerEnd owner{.name = QStringLiteral("web"),
                             .locks = {},
                             .all = 1,
                             .signs = [&signs] { return signs; },
                             .isTheirs = [](const Lock &, const OwnerId &) { return true; }};
        const WatchedLock lock = redisson("own");
        const auto find = [&lock](const LockKey &) { return &lock; };
        auto watched = make(Action::ForceExpire, {lock}), unwatched = make(Action::ForceExpire, {lock});
        const auto said = [](const ActionSeriesDialog &dialog) {
            return dialog.findChild<QLabel *>(QStringLiteral("signs"))->text();
        };
        for (ActionSeriesDialog *dialog : {watched.get(), unwatched.get()}) {
            dialog->setOwner(owner);
            QVERIFY(said(*dialog).contains(dead.sentence));
        }
        signs = alive;
        watched->observe(find);
        QVERIFY(said(*watched).contains(alive.sentence) && !said(*watched).contains(dead.sentence));
        // Where nothing had told it before, the first click does, and sends nothing.
        QPushButton *act = button(*unwatched, QStringLiteral("Force-expire 1 lock(s)"));
        act->click();
        QVERIFY(said(*unwatched).contains(alive.sentence));
        QCOMPARE(m_asked.size(), 0);
        act->click();
        QTRY_COMPARE(resultText(*unwatched), QStringLiteral("Force-expired: 1"));
    }

    /// Of a lock with a reader that crashed and one that lives, the hold of the former ends, if it is still dead then.
    void holdersThatAreGone()
    {
        m_answers = {ending(Outcome::Expired), ending(Outcome::EvidenceChanged)};
        WatchedLock shared = reentrant("lockf1");
        shared.lock.family = "juicefs"_family;
        shared.lock.owners = {{OwnerId("7_0A"), "R", 1, HoldMode::Read, {}},
                              {OwnerId("8_0B"), "R", 1, HoldMode::Read, {}}};
        CompanionState companions;
        companions.heartbeat = {Heartbeat::State::Dead, {}, {{OwnerId("8_0B"), 1'795'737'600'000}}, false};
        shared.lock.companions = CompanionStatePtr(companions);
        const TimePoint before = Clock::now();
        auto dialog = make(Action::ForceExpire, {shared, reentrant("b")});
        QVERIFY(dialog->findChild<QLabel *>(QStringLiteral("consequence"))
                    ->text()
                    .contains(QStringLiteral("heartbeat is still stopped")));
        button(*dialog, QStringLiteral("Force-expire 2 lock(s)"))->click();
        QTRY_COMPARE(m_asked.size(), 2);
        QVERIFY(m_asked[0].onlyExpected && m_asked[0].orphanSince && *m_asked[0].orphanSince >= before);
        QCOMPARE(m_asked[0].expected, shared.lock.owners.mid(1));
        QVERIFY(!m_asked[1].onlyExpected && !m_asked[1].orphanSince);
        QTRY_COMPARE(resultText(*dialog), QStringLiteral("Force-expired: 1, rejected: 1"));
    }

    void enterStopsNothing()
    {
        m_waits = true;
        auto dialog = make(Action::Release, {reentrant("a"), reentrant("b")});
        button(*dialog, QStringLiteral("Release 2 lock(s)"))->click();
        QTRY_COMPARE(m_asked.size(), 1);
        QTest::keyClick(dialog->findChild<QTableWidget *>(), Qt::Key_Return);
        QVERIFY(button(*dialog, QStringLiteral("Stop"))->isEnabled());
        m_promise.addResult(ending(Outcome::Released));
        m_promise.finish();
        QTRY_COMPARE(m_asked.size(), 2);
        m_promise.addResult(ending(Outcome::Released));
        m_promise.finish();
        QTRY_COMPARE(resultText(*dialog), QStringLiteral("Released: 2"));
    }

private:
    static Result<ActionResult> ending(Outcome outcome)
    {
        ActionResult result;
        result.outcome = outcome;
        return result;
    }
    std::unique_ptr<ActionSeriesDialog> make(Action action, const QList<WatchedLock> &locks)
    {
        auto dialog = std::make_unique<ActionSeriesDialog>(
            action, locks, m_clock, m_names,
            [this](const ActionRequest &request) {
                m_asked.append(request);
                m_promise = QPromise<Result<ActionResult>>();
                m_promise.start();
                if (!m_waits) {
                    Result<ActionResult> answer = m_answers.takeFirst();
                    if (answer)
                        answer->action = request.action;
                    m_promise.addResult(answer);
                    m_promise.finish();
                }
                return m_promise.future();
            },
            QStringLiteral("server"), nullptr);
        dialog->show();
        return dialog;
    }
    static QString cell(const ActionSeriesDialog &dialog, int row, int column)
    {
        return dialog.findChild<QTableWidget *>()->item(row, column)->text();
    }
    static QPushButton *button(const QDialog &dialog, const QString &text)
    {
        for (QPushButton *candidate : dialog.findChildren<QPushButton *>()) {
            if (candidate->text().remove(u'&') == text)
                return candidate;
        }
        return nullptr;
    }

    DisplayClock m_clock;
    OwnerNames m_names;
    QList<ActionRequest> m_asked;
    QList<Result<ActionResult>> m_answers;
    QPromise<Result<ActionResult>> m_promise;
    bool m_waits = false;
};

QTEST_MAIN(ActionSeriesDialogTest)
#include "tst_actionseriesdialog.moc"
