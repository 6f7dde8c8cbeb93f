// SPDX-License-Identifier: GPL-3.0-or-later
// From the first look at a trouble to its end, by the mouse alone: the clicks are counted.
#include "tests/support/scriptserver.h"
#include "tests/system/ui/testwindow.h"
#include "ui/inspector/inspectorpanel.h"
#include "ui/inspector/overviewline.h"
#include "ui/lockactions/actiondialog.h"

using namespace lockscope;

class WayOutTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        TestWindow::failOnWarning();
        m_test = std::make_unique<TestWindow>();
        m_clicks = 0;
    }
    void cleanup() { m_test.reset(); }

    void noExpiry_data()
    {
        QTest::addColumn<QByteArrayList>("command");
        QTest::newRow("a known family") << QByteArrayList{"HSET", "lock:a", a, "1"};
        QTest::newRow("a record of no known family")
            << QByteArrayList{"HSET", "lock:a", "owner", "archiver-2", "locked_at", "1700000000"};
    }
    void noExpiry()
    {
        QFETCH(const QByteArrayList, command);
        server().cli(command);
        QVERIFY(m_test->connect());
        clickLine("lock:a");
        clickVerb("Force-expire");
        clickDialog("Force-expire");
        QTRY_COMPARE(server().cli({"EXISTS", "lock:a"}), "0");
        QVERIFY2(m_clicks <= 4, qPrintable(QString::number(m_clicks)));
    }

    void deadHolder()
    {
        server().cli({"HSET", "lockf1", "7_00000000DEADBEEF", "W"});
        server().cli({"ZADD", "allSessions", "1700000000", "7"});
        WindowOptions options;
        options.patterns = {"lock*"};
        QVERIFY(m_test->connect(options));
        clickLine("lockf1");
        clickVerb("Force-expire");
        clickDialog("Force-expire");
        QTRY_COMPARE(server().cli({"EXISTS", "lockf1"}), "0");
        QVERIFY2(m_clicks <= 4, qPrintable(QString::number(m_clicks)));
    }

    void deadWaiter()
    {
        m_test->addFair("lock:a", a, {b});
        QVERIFY(m_test->connect());
        clickLine("lock:a");
        clickVerb("Remove waiter");
        clickDialog("Remove");
        QTRY_COMPARE(server().cli({"LLEN", "redisson_lock_queue:{lock:a}"}), "0");
        QVERIFY2(m_clicks <= 5, qPrintable(QString::number(m_clicks)));
    }

    void deadlock()
    {
        m_test->addFair("lock:a", a, {b});
        m_test->addFair("lock:b", b, {a});
        QVERIFY(m_test->connect());
        clickLine("lock:b");
        QTRY_VERIFY(m_test->page()->chosenLock()->problems().testFlag(Problem::Deadlock));
        clickVerb("Force-expire");
        clickDialog("Force-expire");
        QTRY_COMPARE(server().cli({"EXISTS", "lock:b"}), "0");
        QVERIFY2(m_clicks <= 5, qPrintable(QString::number(m_clicks)));
    }

    /// The waiter at its head is dead: removing it wakes the next one.
    void orphanedQueue()
    {
        m_test->addFair("lock:a", "gone:1", {"web-1:7", "web-2:7"});
        server().cli({"DEL", "lock:a"});
        const Listener second(server(), "SUBSCRIBE", "redisson_lock__channel:{lock:a}:web-2:7");
        QVERIFY(m_test->connect());
        clickLine("lock:a");
        clickVerb("Wake the queue");
        clickDialog("Wake");
        clickVerb("Remove waiter");
        clickDialog("Remove");
        QTRY_COMPARE(server().cli({"LRANGE", "redisson_lock_queue:{lock:a}", "0", "-1"}), "web-2:7");
        QVERIFY2(m_clicks <= 5, qPrintable(QString::number(m_clicks)));
    }

private:
    RedisServer &server() { return m_test->server(); }

    static bool isInSight(const QWidget &widget)
    {
        const QWidget *window = widget.window();
        const QWidget *hit = window->childAt(widget.mapTo(window, widget.rect().center()));
        return widget.isVisible() && (hit == &widget || widget.isAncestorOf(hit));
    }

    void click(QWidget &widget)
    {
        QVERIFY(isInSight(widget) && widget.isEnabled());
        QTest::mouseClick(&widget, Qt::LeftButton, {}, widget.rect().center());
        ++m_clicks;
    }

    /// Clicks the overview's line of a lock.
    void clickLine(const QByteArray &key)
    {
        const auto line = [&]() -> OverviewLine * {
            for (OverviewLine *each : m_test->window().findChildren<OverviewLine *>()) {
                if (each->isVisible() && each->key() == LockKey(key))
                    return each;
            }
            return nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(line(), 20'000);
        click(*line());
        QTRY_VERIFY(m_test->page()->chosen() == LockKey(key));
    }

    /// Clicks the verb below the statement of the trouble.
    void clickVerb(const char *verb)
    {
        const auto find = [&]() -> QWidget * {
            for (QAbstractButton *each : m_test->find<InspectorPanel>()->findChildren<QAbstractButton *>()) {
                if (isInSight(*each) && each->isEnabled() &&
                    each->text().remove(u'&').startsWith(QLatin1String(verb)))
                    return each;
            }
            return nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(find(), 20'000);
        click(*find());
    }

    /// Confirms, and closes what is left of the dialog by a key.
    void clickDialog(const char *verb)
    {
        const auto dialog = [this] { return m_test->find<ConsentDialog>(); };
        QTRY_VERIFY_WITH_TIMEOUT(dialog(), 20'000);
        QPushButton *act = button(*dialog(), QLatin1String(verb));
        QVERIFY(act);
        click(*act);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog() || button(*dialog(), QStringLiteral("Close")), 20'000);
        if (dialog())
            dialog()->reject();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog(), 20'000);
    }

    const QByteArray a = "3b2c1a09-8f7e-4d6c-9b5a-493827160504:1",
                     b = "77777777-8f7e-4d6c-9b5a-493827160504:1";
    std::unique_ptr<TestWindow> m_test;
    int m_clicks = 0;
};

QTEST_MAIN(WayOutTest)
#include "tst_wayout.moc"
