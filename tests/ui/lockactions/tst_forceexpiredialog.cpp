// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/forceexpiredialog.h"

#include "tests/support/familyliteral.h"
#include "tests/support/resulttext.h"
#include "tests/ui/lockactions/answerer.h"
#include "tests/ui/samplelocks.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

WatchedLock twoReaders()
{
    WatchedLock seen = redisson("rw", client + ":1", "redisson-read-write"_family);
    seen.lock.owners = {{OwnerId(otherClient + ":2"), "1", 1, HoldMode::Read},
                        {OwnerId(client + ":1"), "1", 1, HoldMode::Read}};
    return seen;
}

} // namespace

class ForceExpireDialogTest : public QObject
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

    void forceExpireStatesWhatItEnds()
    {
        Answerer answerer;
        ForceExpireDialog dialog(reentrant("lock:<i>a</i>", 20s, "web-1:7", 2), m_clock, m_names,
                                 answerer.run(), m_name, nullptr);
        dialog.show();
        QCOMPARE(text(dialog, "seenKey"), QStringLiteral("lock:<i>a</i>"));
        QCOMPARE(text(dialog, "seenOwner"), QStringLiteral("web-1:7"));
        QCOMPARE(text(dialog, "seenHolds"), QStringLiteral("2"));
        QCOMPARE(text(dialog, "seenTtl"), QStringLiteral("20 s"));
        QVERIFY(text(dialog, "consequence").contains(QStringLiteral("may still be working")));
        for (const QLabel *label : dialog.findChildren<QLabel *>())
            QVERIFY(label->textFormat() == Qt::PlainText || !label->text().contains(u'<'));
    }

    void forceExpireIsNotDoneByAccident()
    {
        Answerer answerer;
        ForceExpireDialog dialog(reentrant("a"), m_clock, m_names, answerer.run(), m_name, nullptr);
        dialog.show();
        dialog.activateWindow();
        QPushButton *cancel = button(dialog, QStringLiteral("Cancel"));
        QTRY_COMPARE(QApplication::focusWidget(), cancel);
        QVERIFY(cancel->isDefault());
        QVERIFY(!button(dialog, QStringLiteral("Force-expire"))->isDefault());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QCOMPARE(dialog.result(), int(QDialog::Rejected));
        QVERIFY(!dialog.isVisible());
        QCOMPARE(answerer.times(), 0);
    }

    void returnPressesTheFocusedButton()
    {
        Answerer answerer;
        ForceExpireDialog dialog(reentrant("a"), m_clock, m_names, answerer.run(), m_name, nullptr);
        dialog.show();
        dialog.activateWindow();
        QTRY_COMPARE(QApplication::focusWidget(), button(dialog, QStringLiteral("Cancel")));
        const auto press = [](QPushButton *focused) {
            focused->setFocus(Qt::TabFocusReason);
            QVERIFY(focused->isDefault()); // as which it is outlined
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        };
        auto *details = dialog.findChild<QLabel *>(QStringLiteral("details"));
        QVERIFY(!details->isVisible());
        press(button(dialog, QStringLiteral("Details")));
        QVERIFY(details->isVisible() && dialog.isVisible());
        press(button(dialog, QStringLiteral("Force-expire")));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return); // once more than was meant
        QVERIFY(dialog.isVisible());
        QCOMPARE(answerer.times(), 1);
        answerer.answer(Outcome::Expired);
    }

    void forceExpireSendsExactlyWhatWasSeen()
    {
        WatchedLock seen = reentrant("lock:\xff", 20s, "web\xfe", 2);
        seen.lock.owners = {{OwnerId("web\xfe"), "02", {}}, {OwnerId("other"), "1", 1}};
        Answerer answerer;
        ForceExpireDialog dialog(seen, m_clock, m_names, answerer.run(), m_name, nullptr);
        dialog.show();
        QTest::mouseClick(button(dialog, QStringLiteral("Force-expire")), Qt::LeftButton);
        QCOMPARE(answerer.times(), 1);
        QCOMPARE(answerer.asked().action, Action::ForceExpire);
        QCOMPARE(answerer.asked().key.bytes, QByteArray("lock:\xff"));
        QVERIFY(answerer.asked().expected == seen.lock.owners);
        QVERIFY(!answerer.asked().grace);
        QVERIFY(answerer.asked().seen);
        // Not twice, and the answer is said.
        QVERIFY(!button(dialog, QStringLiteral("Force-expire"))->isEnabled());
        answerer.answer(Outcome::OwnerChanged);
        QTRY_VERIFY(!dialog.isUnderWay());
        QVERIFY(button(dialog, QStringLiteral("Close")));
        QVERIFY(!resultText(dialog).isEmpty());
        QVERIFY(button(dialog, QStringLiteral("Close"))->isDefault());
        // What comes later does not overwrite the answer.
        const QString answer = resultText(dialog);
        dialog.observe({});
        QCOMPARE(resultText(dialog), answer);
    }

    void forceExpireWithGrace_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<qint64>("ms");
        QTest::newRow("whole") << QStringLiteral("10") << qint64(10'000);
        QTest::newRow("half") << QStringLiteral(" 0.5 ") << qint64(500);
        QTest::newRow("zero") << QStringLiteral("0") << qint64(-1);
        QTest::newRow("word") << QStringLiteral("soon") << qint64(-1);
        QTest::newRow("empty") << QString() << qint64(-1);
    }
    void forceExpireWithGrace()
    {
        QFETCH(QString, typed);
        QFETCH(qint64, ms);
        Answerer answerer;
        ForceExpireDialog dialog(reentrant("a"), m_clock, m_names, answerer.run(), m_name, nullptr);
        dialog.show();
        dialog.findChild<QCheckBox *>(QStringLiteral("later"))->setChecked(true);
        type(dialog, "grace", typed);
        button(dialog, QStringLiteral("Force-expire"))->click();
        QCOMPARE(answerer.times(), ms < 0 ? 0 : 1);
        if (ms >= 0) {
            QCOMPARE(answerer.asked().grace->count(), ms);
            answerer.answer(Outcome::Expired);
        } else {
            QVERIFY(shownText(dialog).contains(QStringLiteral("Type the grace period")));
        }
    }

    void forceExpireKeepsComparing_data()
    {
        QTest::addColumn<WatchedLock>("then");
        QTest::addColumn<bool>("gone");
        QTest::addColumn<QString>("says");
        QTest::newRow("the same") << reentrant("a", 5s) << false << QString();
        QTest::newRow("renewed") << renewed(reentrant("a", 30s)) << false << QString();
        QTest::newRow("owner") << reentrant("a", 20s, "web-2:9") << false
                               << QStringLiteral("The owner has changed");
        QTest::newRow("holds") << reentrant("a", 20s, "web-1:7", 2) << false
                               << QStringLiteral("The hold count has changed");
        QTest::newRow("gone") << WatchedLock() << true << QStringLiteral("The lock is gone");
    }
    void forceExpireKeepsComparing()
    {
        QFETCH(WatchedLock, then);
        QFETCH(bool, gone);
        QFETCH(QString, says);
        Answerer answerer;
        ForceExpireDialog dialog(reentrant("a"), m_clock, m_names, answerer.run(), m_name, nullptr);
        dialog.show();
        dialog.observe(gone ? std::nullopt : std::optional(then));
        QPushButton *act = button(dialog, QStringLiteral("Force-expire"));
        QCOMPARE(act->isEnabled(), says.isEmpty());
        QVERIFY2(resultText(dialog).contains(says), qPrintable(resultText(dialog)));
        // Back to what it was is another acquisition: the warning stays.
        dialog.observe(reentrant("a"));
        QCOMPARE(act->isEnabled(), says.isEmpty());
        QTest::mouseClick(act, Qt::LeftButton);
        QCOMPARE(answerer.times(), says.isEmpty() ? 1 : 0);
        if (says.isEmpty())
            answerer.answer(Outcome::Expired);
    }

    void forceExpireEndsAllOrOneReader()
    {
        m_names.setName(client, QStringLiteral("orders"));
        for (const bool one : {false, true}) {
            const WatchedLock seen = twoReaders();
            Answerer answerer;
            ForceExpireDialog dialog(seen, m_clock, m_names, answerer.run(), m_name, nullptr);
            dialog.show();
            auto *which = dialog.findChild<QComboBox *>(QStringLiteral("which"));
            QCOMPARE(which->count(), 3);
            QVERIFY(which->itemText(2).contains(QStringLiteral("orders · thread 1 (reader)")));
            which->setCurrentIndex(one ? 2 : 0);
            QCOMPARE(dialog.findChild<QCheckBox *>(QStringLiteral("later"))->isEnabled(), !one);
            // Another reader goes: that is nothing to the one.
            WatchedLock then = seen;
            then.lock.owners.removeFirst();
            dialog.observe(then);
            QCOMPARE(button(dialog, QStringLiteral("Force-expire"))->isEnabled(), one);
            button(dialog, QStringLiteral("Force-expire"))->click();
            QCOMPARE(answerer.times(), one ? 1 : 0);
            if (one) {
                QVERIFY(answerer.asked().onlyExpected);
                QCOMPARE(answerer.asked().expected, QList<LockOwner>{seen.lock.owners.last()});
                answerer.answer(Outcome::Expired);
            }
        }
        m_names.setAll({});
        Answerer answerer;
        ForceExpireDialog simple(redisson("a"), m_clock, m_names, answerer.run(), m_name, nullptr);
        QVERIFY(!simple.findChild<QComboBox *>(QStringLiteral("which")));
    }

    void forceExpireWarnsWhereItHarms()
    {
        Answerer answerer;
        const auto ground = [&](Family family) {
            WatchedLock seen = token("t");
            seen.lock.family = family;
            ForceExpireDialog dialog(seen, m_clock, m_names, answerer.run(), m_name, nullptr);
            return dialog.findChild<QLabel *>(QStringLiteral("consequence"))->autoFillBackground();
        };
        QVERIFY(!ground("redis-py"_family));
        for (const Family family : {"redlock-net"_family, "shedlock"_family, "bullmq"_family})
            QVERIFY(ground(family));
    }

    /// Its own end of the lock is seen before the answer comes: "nothing was done" would be a lie by then.
    void whatIsUnderWayIsNotSaidToBeRefused()
    {
        WatchedLock seen = reentrant("lock:r", 20s, "reader-1", 1);
        seen.lock.family = "redisson-read-write"_family;
        seen.lock.owners = {{OwnerId("reader-1"), "1", 1, HoldMode::Read},
                            {OwnerId("reader-2"), "1", 1, HoldMode::Read}};
        Answerer answerer;
        ForceExpireDialog dialog(seen, m_clock, m_names, answerer.run(), m_name, nullptr);
        dialog.show();
        button(dialog, QStringLiteral("Force-expire"))->click();
        const QString asking = resultText(dialog);
        dialog.observe({});
        QCOMPARE(resultText(dialog), asking);
        dialog.observe(seen); // back as it was, which would allow it
        auto *which = dialog.findChild<QComboBox *>(QStringLiteral("which"));
        QVERIFY(!which->isEnabled());
        which->setCurrentIndex(1);
        QVERIFY(!button(dialog, QStringLiteral("Force-expire"))->isEnabled());
        button(dialog, QStringLiteral("Force-expire"))->click();
        QCOMPARE(answerer.times(), 1);
        answerer.answer(Outcome::Expired);
    }

private:
    const QString m_name = QStringLiteral("test server");
    DisplayClock m_clock;
    OwnerNames m_names;
};

QTEST_MAIN(ForceExpireDialogTest)
#include "tst_forceexpiredialog.moc"
