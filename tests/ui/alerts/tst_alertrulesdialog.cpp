// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/alertrulesdialog.h"

#include "core/base/settings.h"
#include "tests/support/ownsettings.h"
#include "ui/alerts/desktopnotifications.h"
#include "ui/connect/serverprofile.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class AlertRulesDialogTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
    }
    void cleanup() { Settings().clear(); }

    void rulesStayWithTheirServer()
    {
        const QString one = QStringLiteral("redis://u@db.example:6379/2"),
                      other = QStringLiteral("redis://x");
        QCOMPARE(alertSettingsOf(one), AlertSettings());
        AlertSettings settings;
        settings.rules[AlertKind::NoExpiry].reset();
        settings.rules[AlertKind::HeldTooLong] = 90'000;
        settings.rules[AlertKind::HeldUnusuallyLong].reset();
        settings.rules[AlertKind::ManyWaiters] = 0;
        settings.rules[AlertKind::Deadlock].reset();
        settings.rules[AlertKind::ConnectionLost].reset();
        settings.notifies = false;
        settings.silent.set(size_t(AlertKind::ManyWaiters)).set(size_t(AlertKind::Reset));
        keepAlertSettings(one, settings);
        QCOMPARE(alertSettingsOf(one), settings);
        QCOMPARE(alertSettingsOf(other), AlertSettings());
        // Other notes about the server are kept apart, in either order.
        ServerProfile notes;
        notes.names.insert("client", QStringLiteral("orders"));
        keepNotes(one, notes);
        QCOMPARE(alertSettingsOf(one), settings);
        keepAlertSettings(one, AlertSettings());
        QCOMPARE(alertSettingsOf(one), AlertSettings());
        QCOMPARE(notesOf(one), notes);
        keepAlertSettings({}, settings);
        QCOMPARE(alertSettingsOf({}), AlertSettings());
    }

    void whatNobodyCouldChooseIsNotStored()
    {
        const QString uri = QStringLiteral("redis://x");
        Settings settings;
        settings.beginGroup(notesGroup(uri) + QStringLiteral("/alertRules"));
        for (const char *bad : {"-5", "0", "1.5", "99999999999999999999", "x", ""}) {
            settings.setValue(QStringLiteral("max-held"), QString::fromLatin1(bad));
            settings.setValue(QStringLiteral("unusual-hold"), QString::fromLatin1(bad));
            settings.setValue(QStringLiteral("silent"), QStringList{QString::fromLatin1(bad)});
            settings.sync();
            QCOMPARE(alertSettingsOf(uri), AlertSettings());
        }
    }

    void snoozesStayWithTheirServer()
    {
        const QString uri = QStringLiteral("redis://x");
        const QList<AlertSnooze> snoozes{
            {AlertSnooze::Of::Alert, AlertKind::HeldTooLong, LockKey("a\xff\0b"), "digest\x01",
             AlertSnooze::untilItEnds, 7},
            {AlertSnooze::Of::Rule, AlertKind::Reset, {}, {}, 1'700'000'000'000, 8},
            {AlertSnooze::Of::Lock, {}, LockKey("lock:b"), {}, 1'700'000'000'001, 9}};
        keepSnoozes(uri, snoozes);
        QCOMPARE(snoozesOf(uri), snoozes);
        keepNotes(uri, {});
        QCOMPARE(snoozesOf(uri), snoozes);
        keepSnoozes(uri, {});
        QVERIFY(snoozesOf(uri).isEmpty());
    }

    void anotherWindowsChangesStay()
    {
        const QString uri = QStringLiteral("redis://x");
        AlertSettings here, there;
        here.rules[AlertKind::HeldTooLong] = 90'000;
        here.silent.set(size_t(AlertKind::Reset));
        there.rules[AlertKind::NoExpiry].reset();
        there.silent.set(size_t(AlertKind::Deadlock));
        QCOMPARE(changeAlertSettings(uri, {}, here), here);
        AlertSettings both = here;
        both.rules[AlertKind::NoExpiry].reset();
        both.silent.set(size_t(AlertKind::Deadlock));
        QCOMPARE(changeAlertSettings(uri, {}, there), both);
        QCOMPARE(alertSettingsOf(uri), both);
        const AlertSnooze a{AlertSnooze::Of::Lock, {}, LockKey("a"), {}, 1'700'000'000'001, 9};
        const AlertSnooze b{AlertSnooze::Of::Lock, {}, LockKey("b"), {}, 1'700'000'000'001, 9};
        changeSnoozes(uri, {}, {a});
        changeSnoozes(uri, {}, {b});
        QCOMPARE(snoozesOf(uri), QList<AlertSnooze>({a, b}));
        changeSnoozes(uri, {a}, {});
        QCOMPARE(snoozesOf(uri), QList<AlertSnooze>({b}));
        keepSnoozes(uri, {});
    }

    void whatTheFieldsCannotShowStays()
    {
        AlertSettings before;
        before.rules[AlertKind::HeldTooLong] = milliseconds(24h * 200 + 1500ms).count();
        before.rules[AlertKind::ManyWaiters] = ruleOf(AlertKind::ManyWaiters).maxLimit;
        AlertRulesDialog dialog(before, true, m_desktop, nullptr);
        QCOMPARE(dialog.settings(), before);
        box(dialog, "Held longer than")->click();
        box(dialog, "Held longer than")->click();
        QCOMPARE(dialog.settings(), before);
        spin(dialog, "Held longer than")->setValue(30);
        QCOMPARE(dialog.settings().rules[AlertKind::HeldTooLong], std::optional(30'000LL));
    }

    void rulesAreEdited()
    {
        AlertSettings before;
        before.rules[AlertKind::HeldTooLong] = 42'000;
        AlertRulesDialog dialog(before, true, m_desktop, nullptr);
        dialog.show();
        QCOMPARE(dialog.settings(), before);
        QSignalSpy chosen(&dialog, &AlertRulesDialog::chosen);
        box(dialog, "No expiry")->click();
        box(dialog, "Held longer than usual")->click();
        auto *waiters = spin(dialog, "More waiters than");
        waiters->setFocus();
        waiters->selectAll();
        QTest::keyClicks(waiters, QStringLiteral("7"));
        dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->click();
        QCOMPARE(chosen.size(), 1);
        AlertSettings expected = before;
        expected.rules[AlertKind::NoExpiry].reset();
        expected.rules[AlertKind::HeldUnusuallyLong].reset();
        expected.rules[AlertKind::ManyWaiters] = 7;
        QCOMPARE(chosen.first().first().value<AlertSettings>(), expected);
    }

    void limitsAreOfRulesThatAreOn()
    {
        AlertRulesDialog dialog({}, true, m_desktop, nullptr);
        dialog.show();
        auto *held = spin(dialog, "Held longer than");
        QVERIFY(!held->isEnabled()); // off at first
        box(dialog, "Held longer than")->click();
        QVERIFY(held->isEnabled());
        QVERIFY(dialog.settings().rules[AlertKind::HeldTooLong]);
        QVERIFY(box(dialog, "Notify: Deadlock")->isEnabled());
        box(dialog, "Show desktop notifications")->click();
        QVERIFY(!box(dialog, "Notify: Deadlock")->isEnabled());
        QVERIFY(!dialog.settings().notifies);
        for (const char *rule : {"Deadlock",
                                 "Connection lost",
                                 "Locks gone at once",
                                 "Stalled holder with waiters",
                                 "No expiry",
                                 "No expiry, family ambiguous",
                                 "Held longer than",
                                 "Held longer than usual",
                                 "More waiters than",
                                 "More dead waiters than",
                                 "Several owners",
                                 "No quorum",
                                 "Orphaned queue",
                                 "Stalled holder without waiters",
                                 "Lock evicted",
                                 "Owners differ",
                                 "Invalid hold count",
                                 "Holder likely dead",
                                 "Rewritten after force-expire",
                                 "Opposite lock order"})
            box(dialog, rule)->setChecked(false);
        QVERIFY(says(dialog, "No rule is on:"));
        dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::RestoreDefaults)->click();
        QVERIFY(!says(dialog, "No rule is on:"));
        QCOMPARE(dialog.settings(), AlertSettings());
    }

    void itSaysWhereNothingCanBeShown()
    {
        AlertRulesDialog dialog({}, false, m_desktop, nullptr);
        dialog.show();
        QTRY_VERIFY_WITH_TIMEOUT(says(dialog, "No notification service:"), 30'000);
        QVERIFY(says(dialog, "not stored"));
    }

private:
    static QString plain(QString text) { return text.remove(u'&'); }
    static QCheckBox *box(const QDialog &dialog, const char *name)
    {
        for (auto *each : dialog.findChildren<QCheckBox *>()) {
            if (plain(each->text()) == QLatin1String(name) || each->accessibleName() == QLatin1String(name))
                return each;
        }
        qFatal("no box %s", name);
    }
    static QSpinBox *spin(const QDialog &dialog, const char *name)
    {
        for (auto *each : dialog.findChildren<QSpinBox *>()) {
            if (each->accessibleName() == QLatin1String(name))
                return each;
        }
        qFatal("no number %s", name);
    }
    static bool says(const QDialog &dialog, const char *words)
    {
        const auto labels = dialog.findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(), [words](const QLabel *label) {
            return label->isVisible() && label->text().contains(QLatin1String(words));
        });
    }

    OwnSettings m_files;
    DesktopNotifications m_desktop{QStringLiteral("unix:path=/nonexistent/bus")};
};

QTEST_MAIN(AlertRulesDialogTest)
#include "tst_alertrulesdialog.moc"
