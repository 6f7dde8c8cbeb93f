// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/familyliteral.h"
#include "ui/search/searchdialog.h"

#include <QtTest>
#include <QtWidgets>

using namespace lockscope;

namespace {

QList<Lock> locksNamed(const QByteArrayList &keys, Certainty certainty = Certainty::Certain)
{
    QList<Lock> locks;
    for (const QByteArray &key : keys) {
        Lock lock;
        lock.address.key = LockKey(key);
        lock.family = "redisson"_family;
        if (certainty == Certainty::Likely)
            lock.evidence = {Evidence::Content, Evidence::Lease};
        else if (certainty == Certainty::Certain)
            lock.evidence = {Evidence::Content, Evidence::Lease, Evidence::Listeners, Evidence::Companions};
        locks.append(lock);
    }
    return locks;
}

} // namespace

class TestSearchDialog : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
    }

    void searchesAndWatches()
    {
        SearchDialog dialog({"lock:*"}, true, 1'000'000, QStringLiteral("here"), nullptr);
        dialog.show();
        QSignalSpy started(&dialog, &SearchDialog::startWanted);
        QSignalSpy cancelled(&dialog, &SearchDialog::cancelWanted);
        QSignalSpy chosen(&dialog, &SearchDialog::patternsChosen);
        auto *search = dialog.findChild<QPushButton *>(QStringLiteral("search"));
        auto *watch = dialog.findChild<QPushButton *>(QStringLiteral("watch"));
        const auto *state = dialog.findChild<QLabel *>(QStringLiteral("state"));
        const auto *list = dialog.findChild<QTreeWidget *>();
        QVERIFY(!watch->isEnabled());
        QTest::mouseClick(search, Qt::LeftButton);
        QCOMPARE(started.size(), 1);

        dialog.take(locksNamed({"order:1", "order:2", "lock:3", "pay:9"}));
        dialog.showProgress({0.5, 500'000, 1'000'000, 4});
        QVERIFY2(state->text().contains(QStringLiteral("500,000")), qPrintable(state->text()));
        QVERIFY(!watch->isEnabled());
        QTest::mouseClick(search, Qt::LeftButton); // stops it
        QCOMPARE(cancelled.size(), 1);
        dialog.showEnd({true, {}, {1, 1'000'000, 1'000'000, 4}});

        QVERIFY2(state->text().startsWith(QStringLiteral("All 1,000,000 keys read in ")) &&
                     state->text().endsWith(QStringLiteral("locks found: 4.")),
                 qPrintable(state->text()));
        QVERIFY(watch->isDefault() && dialog.focusWidget() == watch); // one press adds them
        QCOMPARE(list->topLevelItemCount(), 3);
        QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("order:*"));
        QCOMPARE(list->topLevelItem(0)->childCount(), 2);
        QTreeWidgetItem *known = list->topLevelItem(1);
        QCOMPARE(known->text(0), QStringLiteral("lock:*"));
        QVERIFY(!known->data(0, Qt::CheckStateRole).isValid()); // watched already: nothing to choose
        list->topLevelItem(2)->setCheckState(0, Qt::Unchecked);
        QVERIFY(watch->isEnabled());
        QTest::mouseClick(watch, Qt::LeftButton);
        QCOMPARE(chosen.first().first().value<QList<QByteArray>>(), QList<QByteArray>{"order:*"});
        QVERIFY(!watch->isEnabled());
        QCOMPARE(state->text(), QStringLiteral("Patterns are stored with this server."));
    }

    /// Apart from those that are certain; ambiguous ones are not chosen unless the user does so.
    void likelyLocks()
    {
        SearchDialog dialog({}, false, 0, QStringLiteral("here"), nullptr);
        QSignalSpy chosen(&dialog, &SearchDialog::patternsChosen);
        dialog.take(locksNamed({"myLock1", "myLock2"}));
        dialog.take(locksNamed({"report:1", "report:2", "myLock3"}, Certainty::Likely));
        dialog.take(locksNamed({"mail:1"}, Certainty::Ambiguous));
        dialog.showEnd({true, {}, {1, 5, 5, 5}});
        const auto *list = dialog.findChild<QTreeWidget *>();
        QCOMPARE(list->topLevelItemCount(), 5);
        QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("myLock*"));
        QCOMPARE(list->topLevelItem(0)->childCount(), 3); // no pattern is listed twice
        QVERIFY(list->topLevelItem(1)->text(0).startsWith(QStringLiteral("Likely locks")));
        QCOMPARE(list->topLevelItem(2)->text(0), QStringLiteral("report:*"));
        QCOMPARE(list->topLevelItem(2)->checkState(0), Qt::Checked);
        QVERIFY(list->topLevelItem(3)->text(0).startsWith(QStringLiteral("Ambiguous")));
        QCOMPARE(list->topLevelItem(4)->text(0), QStringLiteral("mail:*"));
        QCOMPARE(list->topLevelItem(4)->checkState(0), Qt::Unchecked);
        dialog.findChild<QPushButton *>(QStringLiteral("watch"))->click();
        QCOMPARE(chosen.first().first().value<QList<QByteArray>>(),
                 (QList<QByteArray>{"myLock*", "report:*"}));
    }

    void saysWhatWentWrong()
    {
        SearchDialog dialog({}, false, 0, QStringLiteral("here"), nullptr);
        dialog.showEnd({false, Error{ErrorKind::NoPermission, "NOPERM scan"}, {}});
        const auto *state = dialog.findChild<QLabel *>(QStringLiteral("state"));
        QVERIFY2(state->text().contains(QStringLiteral("NOPERM scan")), qPrintable(state->text()));
        dialog.showEnd({true, {}, {1, 12, 12, 0}});
        QVERIFY2(state->text().contains(QStringLiteral("locks found: 0")), qPrintable(state->text()));
    }

    /// Who closes it does not want to go on searching.
    void closingEndsTheSearch()
    {
        SearchDialog dialog({}, false, 0, {}, nullptr);
        QSignalSpy cancelled(&dialog, &SearchDialog::cancelWanted);
        dialog.reject();
        QCOMPARE(cancelled.size(), 0);
        dialog.findChild<QPushButton *>(QStringLiteral("search"))->click();
        dialog.reject();
        QCOMPARE(cancelled.size(), 1);
    }
};

QTEST_MAIN(TestSearchDialog)
#include "tst_searchdialog.moc"
