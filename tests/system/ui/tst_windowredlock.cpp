// SPDX-License-Identifier: GPL-3.0-or-later
// The window at a Redlock group: each lock once, what its servers say, and a forced end on all of them.
#include "core/model/names.h"
#include "core/state/lockstate.h"
#include "tests/support/ownsettings.h"
#include "tests/support/redlockgroup.h"
#include "tests/support/resulttext.h"
#include "ui/actions/mainactions.h"
#include "ui/inspector/lockdetails.h"
#include "ui/lockactions/forceexpiredialog.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/mainwindow.h"
#include "ui/shell/statusbar.h"
#include "ui/widgets/banner.h"

#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QtTest>

using namespace lockscope;

class WindowRedlockTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        m_group = std::make_unique<RedlockGroup>();
        m_group->hold("lock:all", "one", {0, 1, 2});
        m_group->hold("lock:lost", "two", {1});
        open();
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
        actions()->copyCli->trigger();
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
        QTRY_VERIFY2_WITH_TIMEOUT(find<Banner>()->text().contains(QStringLiteral("none can be acquired")),
                                  qPrintable(find<Banner>()->text()), 10'000);
        QTRY_COMPARE(state("lock:all"), LockState::QuorumUnknown);
    }

    void forceExpireEverywhere()
    {
        QTRY_COMPARE_WITH_TIMEOUT(servers("lock:all"), QStringLiteral("3 of 3"), 10'000);
        choose("lock:all");
        actions()->forceExpire->trigger();
        auto *dialog = find<ForceExpireDialog>();
        QVERIFY(dialog);
        QVERIFY2(dialog->findChild<QLabel *>(QStringLiteral("seenServers"))
                     ->text()
                     .contains(QStringLiteral("Held on 3 of 3 servers")),
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
    void open()
    {
        WindowOptions options;
        options.server = m_group->address();
        options.auditPath = m_files.filePath(QStringLiteral("audit.jsonl"));
        m_window = std::make_unique<MainWindow>(options);
        m_window->resize(1280, 800);
        m_window->show();
    }
    template <typename T>
    T *find() const
    {
        return m_window->findChild<T *>();
    }
    LocksPage *page() const { return find<LocksPage>(); }
    MainActions *actions() const { return find<MainActions>(); }
    int rows() const { return page() ? page()->model().rowCount() : -1; }
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
    void choose(const char *key) { page()->findChild<QTableView *>()->selectRow(row(key).row()); }
    QString details() const
    {
        QStringList texts;
        for (const QLabel *label : find<LockDetails>()->findChildren<QLabel *>())
            texts.append(label->text());
        return texts.join(u'\n');
    }
    QString status() const
    {
        QStringList texts;
        for (const QLabel *label : find<StatusBar>()->findChildren<QLabel *>())
            texts.append(label->text());
        return texts.join(u'\n');
    }

    OwnSettings m_files;
    std::unique_ptr<RedlockGroup> m_group;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(WindowRedlockTest)
#include "tst_windowredlock.moc"
