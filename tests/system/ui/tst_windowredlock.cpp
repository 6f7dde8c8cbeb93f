// SPDX-License-Identifier: GPL-3.0-or-later
// The window at a Redlock group: each lock once, what its servers say, and a forced end on all of them.
#include "core/model/names.h"
#include "core/state/lockstate.h"
#include "tests/support/redlockgroup.h"
#include "tests/support/resulttext.h"
#include "tests/system/ui/testwindow.h"
#include "ui/inspector/lockdetails.h"
#include "ui/lockactions/forceexpiredialog.h"
#include "ui/shell/statusbar.h"
#include "ui/widgets/banner.h"

#include <QClipboard>
#include <QtTest>

using namespace lockscope;

class WindowRedlockTest : public QObject, private ShownWindow
{
    Q_OBJECT

private slots:
    void init()
    {
        failOnWarning();
        m_group = std::make_unique<RedlockGroup>();
        m_group->hold("lock:all", "one", {0, 1, 2});
        m_group->hold("lock:lost", "two", {1});
        WindowOptions options;
        options.server = m_group->address();
        open(options, {1280, 800});
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 2, 20'000);
    }
    void cleanup()
    {
        m_window.reset();
        m_group.reset();
    }

    void eachLockOnceWithItsServers()
    {
        QTRY_COMPARE_WITH_TIMEOUT(servers("lock:all"), QStringLiteral("3 of 3"), 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(state("lock:lost"), LockState::NoQuorum, 10'000);
        QCOMPARE(servers("lock:lost"), QStringLiteral("1 of 3"));
        QCOMPARE(page()->model().headerData(int(LockTableModel::Column::Node), Qt::Horizontal).toString(),
                 QStringLiteral("Servers"));
        QVERIFY2(status().contains(QStringLiteral("servers: 3 of 3")), qPrintable(status()));
        // What is wrong stands first, and is found by its chip.
        QCOMPARE(page()->model().index(0, int(LockTableModel::Column::Key)).data().toString(),
                 QStringLiteral("lock:lost"));
        choose("lock:lost");
        QTRY_VERIFY2(details().contains(QStringLiteral("No quorum: held on 1 of 3 servers; 2 are needed.")),
                     qPrintable(details()));
        QVERIFY(details().contains(m_group->name(0) + QStringLiteral(": not there")));
        QVERIFY(details().contains(m_group->name(1) + QStringLiteral(": held, ")));
        // What is copied asks a server that has it.
        commands().copyCli->trigger();
        QVERIFY2(QGuiApplication::clipboard()->text().contains(
                     QStringLiteral("-p %1").arg(m_group->server(1).port())),
                 qPrintable(QGuiApplication::clipboard()->text()));
    }

    void aServerThatIsLost()
    {
        QTRY_COMPARE_WITH_TIMEOUT(servers("lock:all"), QStringLiteral("3 of 3"), 10'000);
        m_group->server(0).kill();
        QTRY_VERIFY2_WITH_TIMEOUT(find<Banner>()->isVisible() &&
                                      find<Banner>()->text().contains(QStringLiteral("Redlock group")),
                                  qPrintable(find<Banner>()->text()), 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(servers("lock:all"), QStringLiteral("2–3 of 3"), 10'000);
        QCOMPARE(state("lock:all"), LockState::Held);
        QTRY_COMPARE(state("lock:lost"), LockState::QuorumUnknown);
        QVERIFY2(status().contains(QStringLiteral("servers: 2 of 3")), qPrintable(status()));
        m_group->server(1).kill();
        QTRY_VERIFY2_WITH_TIMEOUT(find<Banner>()->text().contains(QStringLiteral("no lock can be acquired")),
                                  qPrintable(find<Banner>()->text()), 10'000);
        QTRY_COMPARE(state("lock:all"), LockState::QuorumUnknown);
    }

    void forceExpireEverywhere()
    {
        QTRY_COMPARE_WITH_TIMEOUT(servers("lock:all"), QStringLiteral("3 of 3"), 10'000);
        choose("lock:all");
        commands().forceExpire->trigger();
        auto *dialog = find<ForceExpireDialog>();
        QVERIFY(dialog);
        QVERIFY2(dialog->findChild<QLabel *>(QStringLiteral("seenServers"))
                     ->text()
                     .contains(QStringLiteral("Quorum: held on 3 of 3 servers")),
                 "the dialog says where the lock is");
        for (QPushButton *button : dialog->findChildren<QPushButton *>()) {
            if (button->text().contains(QStringLiteral("orce")))
                button->click();
        }
        QTRY_VERIFY2_WITH_TIMEOUT(resultText(*dialog).contains(QStringLiteral("Done on 3 of 3 servers.")),
                                  qPrintable(resultText(*dialog)), 10'000);
        for (int i = 0; i < 3; ++i)
            QVERIFY(resultText(*dialog).contains(m_group->name(i)));
        QCOMPARE(m_group->values("lock:all"), QByteArrayList(3, ""));
        dialog->reject();
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 1, 10'000);
    }

private:
    QModelIndex row(const char *key) const
    {
        return page()->model().indexOf(LockKey(QByteArray(key)), LockTableModel::Column::Node);
    }
    QString servers(const char *key) const { return row(key).data().toString(); }
    LockState state(const char *key) const
    {
        const WatchedLock *lock = page()->model().find(LockKey(QByteArray(key)));
        return lock ? stateOf(*lock, Clock::now()) : LockState::Ended;
    }
    void choose(const char *key) { table()->selectRow(row(key).row()); }
    QString details() const { return shownText(*find<LockDetails>()); }
    QString status() const { return shownText(*find<StatusBar>()); }

    std::unique_ptr<RedlockGroup> m_group;
};

QTEST_MAIN(WindowRedlockTest)
#include "tst_windowredlock.moc"
