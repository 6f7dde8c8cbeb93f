// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/alertspanel.h"

#include "tests/support/ownsettings.h"
#include "tests/ui/alerts/fedalertcontroller.h"
#include "tests/ui/samplelocks.h"
#include "ui/alerts/alertcontroller.h"
#include "ui/alerts/desktopnotifications.h"

#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QTableView>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class AlertsPanelTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        keepSnoozes(uri, {});
        start();
        m_panel->resize(1000, 300);
        m_panel->show();
    }
    void cleanup() { stop(); }

    void alertsAreListedWithTheirEvidence()
    {
        QVERIFY(says("No alerts yet."));
        Deadlock deadlock{{{LockKey("lock:a"), "1", "2"}, {LockKey("lock:b"), "2", "1"}}};
        m_alerts->tell(QList<Deadlock>{deadlock});
        take({endless(redisson("lock:c", "me:1"))});
        QTRY_COMPARE(rows().size(), 2);
        QVERIFY2(rows()[0].startsWith(QStringLiteral("Deadlock|lock:a|")), qPrintable(rows()[0]));
        QVERIFY2(rows()[0].endsWith(
                     QStringLiteral("|Open|The owners of these locks wait for each other: lock:a → lock:b")),
                 qPrintable(rows()[0]));
        QVERIFY2(rows()[1].startsWith(QStringLiteral("No expiry|lock:c|")), qPrintable(rows()[1]));
        table().selectRow(1);
        const auto labels = m_panel->findChildren<QLabel *>();
        const auto evidence = std::ranges::find(labels, QStringLiteral("Evidence"), &QLabel::accessibleName);
        QVERIFY(evidence != labels.end());
        QVERIFY((*evidence)->text().contains(QStringLiteral("Held by me:1 without expiry")));
        QCOMPARE((*evidence)->accessibleDescription(), (*evidence)->text());
        QVERIFY(says("open: 2"));
        m_alerts->tell(QList<Deadlock>{});
        QTRY_VERIFY2(rows()[1].contains(QStringLiteral("|Ended at ")), qPrintable(rows()[1]));
        QVERIFY(rows()[0].startsWith(QStringLiteral("No expiry")));
        QCOMPARE(m_panel->model().at(1).alert.kind, AlertKind::Deadlock);
    }

    void whyNothingIsJudgedIsSaid()
    {
        ScanStats partly = wholeScan();
        partly.unreadable = 7;
        m_alerts->tell(partly);
        QTRY_VERIFY(says("keys that cannot be read: 7"));
        m_alerts->tell(statusOf(Link::State::Backoff));
        QTRY_VERIFY(says("Locks are not judged: not connected."));
        m_alerts->tell(statusOf(Link::State::Ready));
        QTRY_VERIFY(says("Locks are not judged until all keys have been read."));
        m_alerts->tell(Error(ErrorKind::TooManyLocks));
        QTRY_VERIFY(says("Locks are not judged until all keys have been read: "));
        m_alerts->tell(wholeScan());
        QTRY_VERIFY(says("No alerts yet."));
    }

    void byKeyboard()
    {
        take({endless(redisson("lock:a")), endless(redisson("lock:b"))});
        QTRY_COMPARE(rows().size(), 2);
        m_panel->focusContents();
        QTRY_VERIFY(table().hasFocus());
        QSignalSpy chosen(m_panel.get(), &AlertsPanel::chosen);
        QTest::keyClick(&table(), Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        const LockKey first = m_panel->model().at(0).alert.key;
        QCOMPARE(chosen.first().first().value<LockKey>(), first);
        QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY2(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("No expiry\t") +
                                                                 QString::fromUtf8(first.bytes)),
                 qPrintable(QGuiApplication::clipboard()->text()));
        QCOMPARE(m_alerts->list().unattended(), 2);
        QTest::keyClick(&table(), Qt::Key_A);
        QCOMPARE(m_alerts->list().unattended(), 1);
        QVERIFY2(rows()[0].contains(QStringLiteral("|Acknowledged at ")), qPrintable(rows()[0]));
        QVERIFY(says("acknowledged or snoozed: 1"));
        QTest::keyClick(&table(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_alerts->list().unattended(), 2);
        QVERIFY(rows()[0].contains(QStringLiteral("|Open|")));
    }

    void aSelectionStaysWithItsAlert()
    {
        take({endless(redisson("lock:a"))});
        QTRY_COMPARE(rows().size(), 1);
        table().selectRow(0);
        m_alerts->tell([] {
            ServerReset reset;
            reset.at = Clock::now();
            return reset;
        }());
        QTRY_COMPARE(rows().size(), 2);
        QVERIFY(rows()[0].startsWith(QStringLiteral("Locks gone at once||"))); // above it
        QCOMPARE(table().selectionModel()->selectedRows().value(0).row(), 1);
        QSignalSpy none(m_panel.get(), &AlertsPanel::noLock);
        table().setCurrentIndex(m_panel->model().index(0, 0));
        QTest::keyClick(&table(), Qt::Key_Enter);
        QCOMPARE(none.size(), 1);
    }

    void snoozesAreChosenAndOutliveTheWindow()
    {
        take({endless(redisson("lock:a")), endless(redisson("lock:b"))});
        QTRY_COMPARE(rows().size(), 2);
        table().selectRow(0);
        snooze({"For 15 minutes"});
        QVERIFY2(rows()[0].contains(QStringLiteral("|Snoozed until ")), qPrintable(rows()[0]));
        QCOMPARE(m_alerts->list().unattended(), 1);
        table().selectRow(1);
        snooze({"All alerts of this rule: No expiry", "For 1 hour"});
        QCOMPARE(m_alerts->list().unattended(), 0);
        // In a window that is opened again.
        stop();
        start();
        QSignalSpy reported(m_alerts.get(), &AlertController::reported);
        take({endless(redisson("lock:a")), endless(redisson("lock:new"))});
        QCOMPARE(m_alerts->list().open(), 2);
        QCOMPARE(m_alerts->list().unattended(), 0);
        QCOMPARE(reported.size(), 0);
        m_panel->show();
        table().selectRow(0);
        snooze({"End a snooze", "End all snoozes"});
        QCOMPARE(m_alerts->list().unattended(), 2);
        QCOMPARE(reported.size(), 1);
        QVERIFY(snoozesOf(uri).isEmpty());
    }

    void kindsAreHidden()
    {
        take({endless(redisson("lock:a"))});
        QTRY_COMPARE(rows().size(), 1);
        table().selectRow(0);
        QVERIFY(says("Held by "));
        for (QAction *action : m_panel->findChildren<QAction *>()) {
            if (action->isCheckable() && action->text() == QStringLiteral("No expiry"))
                action->setChecked(false);
        }
        QCOMPARE(rows().size(), 0);
        QVERIFY(!says("Held by "));
        QVERIFY(says("No alert of the shown kinds."));
        QVERIFY(says("some kinds are hidden"));
        m_panel->reveal(m_alerts->list().entries().first().alert.number); // whoever asks for it sees it
        QCOMPARE(rows().size(), 1);
        QVERIFY(table().selectionModel()->isRowSelected(0));
    }

    /// Nobody has seen that it is over.
    void whatIsNotWatchedAnyMoreHasNotEnded()
    {
        m_alerts->setPatterns([] { return QList<QByteArray>{"lock:[b-z]"}; });
        take({endless(redisson("lock:a")), endless(redisson("lock:b")), endless(redisson("lock:c"))});
        m_alerts->tell(changes({}, {"lock:a", "lock:b"}));
        QTRY_VERIFY2_WITH_TIMEOUT(
            rows().filter(QStringLiteral("lock:a|")).value(0).contains(QStringLiteral("|Not watched since ")),
            qPrintable(rows().join(u'\n')), 10'000);
        QTRY_VERIFY(rows().filter(QStringLiteral("lock:b|")).value(0).contains(QStringLiteral("|Ended at ")));
        AlertSettings settings = m_alerts->settings();
        settings.rules[AlertKind::NoExpiry].reset();
        m_alerts->setSettings(settings, {endless(redisson("lock:c"))});
        QVERIFY2(
            rows().filter(QStringLiteral("lock:c|")).value(0).contains(QStringLiteral("|Rules changed at ")),
            qPrintable(rows().join(u'\n')));
        m_alerts->setSettings({}, {endless(redisson("lock:c"))});
        QVERIFY(rows()[0].contains(QStringLiteral("lock:c|")) &&
                rows()[0].contains(QStringLiteral("|Open|")));
    }

    void whatCannotBeReadIsAsLastKnown()
    {
        take({endless(redisson("lock:a"))});
        QTRY_VERIFY(says("open: 1"));
        QVERIFY(!says("as last known"));
        m_alerts->tell(statusOf(Link::State::Backoff));
        // One for the connection, none for each lock. That is told after a moment.
        QTRY_COMPARE_WITH_TIMEOUT(rows().size(), 2, 30'000);
        QVERIFY(rows()[0].startsWith(QStringLiteral("Connection lost|")));
        QVERIFY(says("as last known"));
    }

    void itRestsWhileItIsHidden()
    {
        m_panel->hide();
        take({endless(redisson("lock:a"))});
        QSignalSpy changed(m_alerts.get(), &AlertController::changed);
        QVERIFY(changed.wait());
        QCOMPARE(rows().size(), 0);
        m_panel->show();
        QCOMPARE(rows().size(), 1);
    }

private:
    void start()
    {
        m_alerts = std::make_unique<FedAlertController>(QStringLiteral("orders"), uri, m_desktop);
        m_panel = std::make_unique<AlertsPanel>(*m_alerts, m_rules);
    }
    void stop()
    {
        m_panel.reset();
        m_alerts.reset();
    }
    void take(const QList<WatchedLock> &locks) { m_alerts->tell(changes(locks)); }
    QTableView &table() { return m_panel->table(); }
    /// Cells, joined by "|".
    QStringList rows()
    {
        const AlertModel &model = m_panel->model();
        QStringList all;
        for (int row = 0; row < model.rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < model.columnCount(); ++column)
                cells << model.index(row, column).data().toString();
            all << cells.join(u'|');
        }
        return all;
    }
    bool says(const char *words)
    {
        const auto labels = m_panel->findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(), [words](const QLabel *label) {
            return (label->text() + label->toolTip()).contains(QLatin1String(words));
        });
    }
    /// The texts of the menus, one below the other.
    void snooze(std::initializer_list<const char *> way)
    {
        auto *menu = m_panel->findChild<QMenu *>(QStringLiteral("snoozes"));
        emit menu->aboutToShow();
        for (const char *text : way) {
            const auto actions = menu->actions();
            const auto found = std::ranges::find(actions, QString::fromLatin1(text), &QAction::text);
            QVERIFY2(found != actions.end(), text);
            (*found)->menu() ? void(menu = (*found)->menu()) : (*found)->trigger();
        }
    }

    const QString uri = QStringLiteral("redis://orders");
    OwnSettings m_files;
    DesktopNotifications m_desktop{QStringLiteral("unix:path=/nonexistent/bus")};
    QAction m_rules{QStringLiteral("Alert rules…")};
    std::unique_ptr<FedAlertController> m_alerts;
    std::unique_ptr<AlertsPanel> m_panel;
};

QTEST_MAIN(AlertsPanelTest)
#include "tst_alertspanel.moc"
