// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/acquiredialog.h"
#include "ui/lockactions/forceexpiredialog.h"
#include "ui/lockactions/lockdialogs.h"
#include "ui/lockactions/outcomenotice.h"

#include "tests/support/familyliteral.h"
#include "tests/support/resulttext.h"
#include "tests/ui/lockactions/answerer.h"
#include "tests/ui/samplelocks.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPromise>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class ActionDialogsTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        // The offscreen platform says of each window with a least size that it has none.
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        m_clock.stopAt(now);
    }

    /// Whoever agrees to it has read all of it.
    void longKeysAndOwnersAreReadWhole()
    {
        Answerer answerer;
        const QByteArray key = "lock:" + QByteArray(150, 'k') + ":end";
        const QByteArray owner = QByteArray(150, 'o') + ":end";
        OwnerDialog dialog(Action::Release, reentrant(key, 20s, owner), m_clock, m_names, answerer.run(),
                           m_name, nullptr);
        dialog.show();
        for (const auto &[name, whole] : {std::pair("seenKey", key), std::pair("seenOwner", owner)}) {
            const auto *label = dialog.findChild<QLabel *>(QString::fromLatin1(name));
            QCOMPARE(label->text().toUtf8(), whole);
            const int lines = label->fontMetrics().horizontalAdvance(label->text()) / label->width() + 1;
            QVERIFY2(lines > 1 && label->height() >= lines * label->fontMetrics().lineSpacing(), name);
        }
        const auto *choice = dialog.findChild<QComboBox *>(QStringLiteral("owner"));
        QVERIFY(choice->currentText().contains(u'…') &&
                choice->currentText().endsWith(QStringLiteral(":end")));
        QVERIFY(choice->toolTip().contains(QString::fromUtf8(owner)));
        QCOMPARE(choice->accessibleDescription().toUtf8(), owner);
        QVERIFY(choice->geometry().right() < dialog.width());
    }

    /// Neither cut nor with a gap: from the top to the buttons.
    void dialogsAreAsHighAsTheirWords_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("acquire") << 0;
        QTest::newRow("release") << 1;
        QTest::newRow("extend") << 2;
        QTest::newRow("force-expire") << 3;
    }
    void dialogsAreAsHighAsTheirWords()
    {
        QFETCH(int, kind);
        Answerer answerer;
        std::unique_ptr<ActionDialog> dialog;
        if (kind == 0)
            dialog =
                std::make_unique<AcquireDialog>(AcquireDialog::FamilyOf(), answerer.run(), m_name, nullptr);
        else if (kind == 1)
            dialog = std::make_unique<OwnerDialog>(Action::Release, reentrant("a"), m_clock, m_names,
                                                   answerer.run(), m_name, nullptr);
        else if (kind == 2)
            dialog = std::make_unique<OwnerDialog>(Action::Extend, reentrant("a"), m_clock, m_names,
                                                   answerer.run(), m_name, nullptr);
        else
            dialog = std::make_unique<ForceExpireDialog>(reentrant("a"), m_clock, m_names, answerer.run(),
                                                         m_name, nullptr);
        dialog->show();
        const QPushButton *last = button(*dialog, QStringLiteral("Cancel"));
        int lowest = 0;
        for (const QWidget *child : dialog->findChildren<QWidget *>()) {
            if (!child->isVisible())
                continue;
            const QRect area(child->mapTo(dialog.get(), QPoint()), child->size());
            QVERIFY2(dialog->rect().contains(area), child->metaObject()->className());
            if (!qobject_cast<const QPushButton *>(child) && !qobject_cast<const QDialogButtonBox *>(child))
                lowest = std::max(lowest, area.bottom());
        }
        const int gap = last->mapTo(dialog.get(), QPoint()).y() - lowest;
        QVERIFY2(gap >= 0 && gap < 2 * last->height(), QByteArray::number(gap).constData());
    }

    void acquireChecksItsFields_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("owner");
        QTest::addColumn<QString>("lease");
        QTest::addColumn<QString>("says");
        const QString key = QStringLiteral("lock:a"), owner = QStringLiteral("me"),
                      lease = QStringLiteral("30");
        QTest::newRow("good") << key << owner << lease << QString();
        QTest::newRow("fraction") << key << owner << QStringLiteral("0.1") << QString();
        QTest::newRow("no key") << QString() << owner << lease << QStringLiteral("Type the lock's key");
        QTest::newRow("no owner") << key << QString() << lease << QStringLiteral("Type an owner ID");
        for (const char *bad : {"0", "-1", "abc", "", "nan", "inf", "1e3", "0.0001"})
            QTest::addRow("lease %s", bad)
                << key << owner << QString::fromLatin1(bad) << QStringLiteral("Type the lease");
    }
    void acquireChecksItsFields()
    {
        QFETCH(QString, key);
        QFETCH(QString, owner);
        QFETCH(QString, lease);
        QFETCH(QString, says);
        Answerer answerer;
        AcquireDialog dialog({}, answerer.run(), m_name, nullptr);
        dialog.show();
        QVERIFY(!dialog.findChild<QLineEdit *>(QStringLiteral("owner"))->text().isEmpty());
        type(dialog, "key", key);
        type(dialog, "owner", owner);
        type(dialog, "lease", lease);
        button(dialog, QStringLiteral("Acquire"))->click();
        QCOMPARE(answerer.times(), says.isEmpty() ? 1 : 0);
        QVERIFY2(shownText(dialog).contains(says), qPrintable(shownText(dialog)));
        if (!says.isEmpty())
            return;
        QCOMPARE(answerer.asked().action, Action::Acquire);
        QCOMPARE(answerer.asked().owner.bytes, owner.toUtf8());
        QCOMPARE(answerer.asked().lease->inSeconds(), lease.toUtf8());
        answerer.answer(tl::unexpected(Error{ErrorKind::NoPermission, "NOPERM <b>"}));
        QTRY_VERIFY(resultText(dialog).contains(QStringLiteral("NOPERM <b>")));
    }

    void releaseOneLevelOrAll()
    {
        for (const bool all : {false, true}) {
            WatchedLock seen = reentrant("a", 20s, "web-1:7", 3);
            seen.lock.owners.append({OwnerId("web\xff"), "1", 1});
            Answerer answerer;
            OwnerDialog dialog(Action::Release, seen, m_clock, m_names, answerer.run(), m_name, nullptr);
            dialog.show();
            dialog.findChild<QRadioButton *>(QStringLiteral("allLevels"))->setChecked(all);
            dialog.findChild<QComboBox *>(QStringLiteral("owner"))->setCurrentIndex(1);
            button(dialog, QStringLiteral("Release"))->click();
            QCOMPARE(answerer.asked().action, Action::Release);
            QCOMPARE(answerer.asked().owner.bytes, QByteArray("web\xff"));
            QCOMPARE(answerer.asked().allLevels, all);
            answerer.answer(Outcome::Released);
        }
        Answerer answerer;
        OwnerDialog simple(Action::Release, token("t"), m_clock, m_names, answerer.run(), m_name, nullptr);
        QVERIFY(!simple.findChild<QRadioButton *>(QStringLiteral("allLevels")));
    }

    void extendProposesTheUsualLease()
    {
        Answerer answerer;
        OwnerDialog dialog(Action::Extend, token("t"), m_clock, m_names, answerer.run(), m_name, nullptr);
        dialog.show();
        QCOMPARE(dialog.findChild<QLineEdit *>(QStringLiteral("lease"))->text(), QStringLiteral("30"));
        type(dialog, "lease", QStringLiteral("0"));
        button(dialog, QStringLiteral("Extend"))->click();
        QCOMPARE(answerer.times(), 0);
        type(dialog, "lease", QStringLiteral("45"));
        button(dialog, QStringLiteral("Extend"))->click();
        QCOMPARE(answerer.asked().family, "token"_family);
        QCOMPARE(answerer.asked().lease->value().count(), 45'000);
        answerer.answer(Outcome::Extended);
        QTRY_VERIFY(!dialog.isUnderWay());
        QVERIFY(button(dialog, QStringLiteral("Close")));
    }

    void acquireIsRefusedWhereItWouldHarm()
    {
        const auto familyOf = [](const LockKey &key) -> std::optional<Family> {
            if (key.bytes == "job")
                return "bullmq"_family;
            if (key.bytes == "plain")
                return "redisson"_family;
            return std::nullopt;
        };
        Answerer answerer;
        AcquireDialog dialog(familyOf, answerer.run(), m_name, nullptr);
        dialog.show();
        QPushButton *act = button(dialog, QStringLiteral("Acquire"));
        type(dialog, "key", QStringLiteral("job"));
        QVERIFY(!act->isEnabled());
        QVERIFY2(shownText(dialog).contains(QStringLiteral("This lock is of the family")),
                 qPrintable(shownText(dialog)));
        // One that is known is taken as what it is.
        type(dialog, "key", QStringLiteral("plain"));
        QVERIFY(act->isEnabled());
        QVERIFY(!dialog.findChild<QComboBox *>(QStringLiteral("family"))->isEnabled());
        act->click();
        QCOMPARE(answerer.asked().family, "redisson"_family);
        QCOMPARE(answerer.asked().key, LockKey("plain"));
        answerer.answer(Outcome::Acquired);
    }

    void aDeadWaiterIsRemoved()
    {
        m_names.setName(otherClient, QStringLiteral("billing"));
        const WatchedLock seen = queued(redisson("fair", client + ":1", "redisson-fair"_family),
                                        {"!" + otherClient + ":7", client + ":3"});
        Answerer answerer;
        OwnerDialog dialog(Action::RemoveWaiter, seen, m_clock, m_names, answerer.run(), m_name, nullptr,
                           seen.lock.companions->waiters.queue.first());
        dialog.show();
        QVERIFY(text(dialog, "waiter").contains(QStringLiteral("billing · thread 7")));
        QVERIFY(text(dialog, "seenWaiters").contains(QStringLiteral("2 waiter(s) in the queue")));
        QVERIFY(text(dialog, "consequence")
                    .contains(QStringLiteral("billing · thread 7 is not subscribed, it is removed")));
        const ForceExpireDialog end(seen, m_clock, m_names, answerer.run(), m_name, nullptr);
        QVERIFY2(text(end, "details").contains(QStringLiteral("Queue head: billing · thread 7")),
                 qPrintable(text(end, "details")));
        QVERIFY(button(dialog, QStringLiteral("Cancel"))->isDefault());
        button(dialog, QStringLiteral("Remove"))->click();
        QCOMPARE(answerer.asked().action, Action::RemoveWaiter);
        QCOMPARE(answerer.asked().family, "redisson-fair"_family);
        QCOMPARE(answerer.asked().owner.bytes, otherClient + ":7");
        answerer.answer(Outcome::StillListens);
        QTRY_VERIFY(!dialog.isUnderWay());
        QVERIFY(button(dialog, QStringLiteral("Close")));
        m_names.setAll({});
    }

    void theFirstOfAnOrphanedQueueIsWoken()
    {
        WatchedLock orphan = queued(redisson("fair", client + ":1", "redisson-fair"_family),
                                    {otherClient + ":7", client + ":3"});
        orphan.lock.owners.clear();
        orphan.lock.problems |= Problem::Orphaned;
        Answerer answerer;
        OwnerDialog dialog(Action::Wake, orphan, m_clock, m_names, answerer.run(), m_name, nullptr);
        dialog.show();
        QVERIFY(text(dialog, "waiter").contains(QString::fromUtf8(otherClient + ":7")));
        QVERIFY(text(dialog, "consequence").contains(QStringLiteral("then wakes the first waiter, ")));
        QVERIFY(button(dialog, QStringLiteral("Cancel"))->isDefault());
        button(dialog, QStringLiteral("Wake"))->click();
        QCOMPARE(answerer.asked().action, Action::Wake);
        QCOMPARE(answerer.asked().family, "redisson-fair"_family);
        QVERIFY(answerer.asked().owner.isEmpty());
        answerer.answer(Outcome::Woken);
        QTRY_VERIFY(!dialog.isUnderWay());
    }

    void nothingIsAskedTwice()
    {
        Answerer answerer;
        AcquireDialog dialog({}, answerer.run(), m_name, nullptr);
        dialog.show();
        dialog.activateWindow();
        auto *key = dialog.findChild<QLineEdit *>(QStringLiteral("key"));
        QTRY_COMPARE(QApplication::focusWidget(), key);
        QTest::keyClicks(key, QStringLiteral("lock:a"));
        QTest::keyClick(key, Qt::Key_Return);
        QCOMPARE(answerer.times(), 1);
        // It is sent: it can't be called off, nor changed.
        QVERIFY(!button(dialog, QStringLiteral("Cancel")));
        QVERIFY(button(dialog, QStringLiteral("Close")));
        for (const char *field : {"key", "owner", "lease", "family"})
            QVERIFY2(!dialog.findChild<QWidget *>(QString::fromLatin1(field))->isEnabled(), field);
        type(dialog, "key", QStringLiteral("lock:b"));
        QVERIFY(!button(dialog, QStringLiteral("Acquire"))->isEnabled());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return); // once more than was meant
        QCOMPARE(answerer.times(), 1);
        QVERIFY(dialog.isVisible());
        answerer.answer(Outcome::HeldByOther);
        QTRY_VERIFY(resultText(dialog).contains(QStringLiteral("another owner")));
        type(dialog, "key", QStringLiteral("lock:c"));
        QVERIFY(!button(dialog, QStringLiteral("Acquire"))->isEnabled());
    }

    void anAnswerToAClosedDialogIsTold_data()
    {
        QTest::addColumn<int>("outcome");
        QTest::newRow("unknown") << int(Outcome::Unknown);
        QTest::newRow("refused") << int(Outcome::OwnerChanged);
        QTest::newRow("done") << int(Outcome::Expired);
    }
    void anAnswerToAClosedDialogIsTold()
    {
        QFETCH(const int, outcome);
        Answerer answerer;
        ForceExpireDialog dialog(reentrant("lock:a"), m_clock, m_names, answerer.run(), m_name, nullptr);
        QSignalSpy unseen(&dialog, &ActionDialog::answeredUnseen);
        dialog.show();
        button(dialog, QStringLiteral("Force-expire"))->click();
        QVERIFY(dialog.isUnderWay());
        QTest::keyClick(&dialog, Qt::Key_Escape);
        QVERIFY(!dialog.isVisible());
        answerer.answer(static_cast<Outcome>(outcome));
        QTRY_COMPARE(unseen.size(), 1);
        QVERIFY(!dialog.isUnderWay());
        QCOMPARE(unseen[0][1].toString(), QStringLiteral("lock:a: ") + resultText(dialog));
    }

    void anAnswerToAnOpenDialogIsTheDialogsOwn()
    {
        Answerer answerer;
        ForceExpireDialog dialog(reentrant("lock:a"), m_clock, m_names, answerer.run(), m_name, nullptr);
        QSignalSpy unseen(&dialog, &ActionDialog::answeredUnseen);
        dialog.show();
        button(dialog, QStringLiteral("Force-expire"))->click();
        answerer.answer(Outcome::Unknown);
        QTRY_VERIFY(resultText(dialog).contains(QStringLiteral("Outcome unknown: ")));
        dialog.reject();
        QVERIFY(unseen.isEmpty());
    }

    void whatNobodySawStaysUntilItIsDismissed()
    {
        OutcomeNotice notice;
        QVERIFY(!notice.isVisible());
        for (int i = 1; i <= 6; ++i)
            notice.add(i == 5 ? StatusColor::Danger : StatusColor::Good,
                       QStringLiteral("lock:%1: done").arg(i));
        QVERIFY(notice.isVisible());
        QVERIFY(notice.text().contains(QStringLiteral("lock:6")));
        QVERIFY(notice.detail().contains(QStringLiteral("lock:5")));
        QVERIFY(notice.detail().contains(QStringLiteral("lock:3")));
        QVERIFY(!notice.detail().contains(QStringLiteral("lock:2")));
        QVERIFY(notice.detail().contains(QStringLiteral("audit log")));
        notice.findChild<QToolButton *>()->click();
        QVERIFY(!notice.isVisible());
        notice.add(StatusColor::Good, QStringLiteral("lock:7: done"));
        QVERIFY(notice.isVisible());
        QCOMPARE(notice.detail(), QString());
    }

    void aDialogClosedTooEarlyHarmsNothing()
    {
        Answerer answerer;
        auto dialog = std::make_unique<ForceExpireDialog>(reentrant("a"), m_clock, m_names, answerer.run(),
                                                          m_name, nullptr);
        dialog->show();
        button(*dialog, QStringLiteral("Force-expire"))->click();
        dialog.reset();
        answerer.answer(Outcome::Expired);
        QCoreApplication::processEvents();
        QCOMPARE(answerer.times(), 1);
    }

private:
    const QString m_name = QStringLiteral("test server");
    DisplayClock m_clock;
    OwnerNames m_names;
};

QTEST_MAIN(ActionDialogsTest)
#include "tst_actiondialogs.moc"
