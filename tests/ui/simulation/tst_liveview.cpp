// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/simulation/sampletrace.h"
#include "ui/simulation/liveview.h"
#include "ui/simulation/metricsbar.h"
#include "ui/simulation/plots.h"
#include "ui/simulation/runtimeline.h"
#include "ui/simulation/statecounts.h"
#include "ui/simulation/workersview.h"
#include "ui/widgets/theme.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QTabWidget>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class LiveViewTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        m_view = std::make_unique<LiveView>();
        m_view->resize(1000, 500);
        m_view->setVisible(true);
        m_view->begin(QStringLiteral("A run"), Plan());
        m_view->findChild<QTabWidget *>()->setCurrentIndex(1); // the workers
    }
    void cleanup() { m_view.reset(); }

    void aPictureIsShown()
    {
        m_view->show(samplePicture(40, 500ms, 80), keys());
        QCOMPARE(workers().model().rowCount(), 40);
        QCOMPARE(m_view->findChild<StateCounts *>()->text(),
                 QStringLiteral("1 holding, 37 waiting, 1 paused, 1 crashed"));
        QCOMPARE(m_view->figures().text(Metric::Kind::Acquired), QStringLiteral("80"));
        QCOMPARE(m_view->figures().text(Metric::Kind::Commands), QStringLiteral("3.00/acq."));
        QCOMPARE(m_view->throughput().points(), 1);
        QCOMPARE(m_view->progress(), QStringLiteral("500 ms of 5.00 s"));
        m_view->show(samplePicture(40, 1000ms, 200), keys());
        QCOMPARE(m_view->throughput().points(), 2);
        QCOMPARE(m_view->figures().text(Metric::Kind::Throughput), QStringLiteral("200/s"));
    }

    void figuresAreReadWithTheirNames()
    {
        m_view->show(samplePicture(40, 500ms, 80), keys());
        int read = 0;
        for (const QLabel *name : m_view->figures().findChildren<QLabel *>()) {
            if (!name->buddy())
                continue;
            auto *figure = QAccessible::queryAccessibleInterface(name->buddy());
            QCOMPARE(figure->text(QAccessible::Name), qobject_cast<QLabel *>(name->buddy())->text());
            QCOMPARE(figure->relations().value(0).first->text(QAccessible::Name), name->text());
            ++read;
        }
        QCOMPARE(read, 7);
    }

    void nothingIsDrawnWhileHidden()
    {
        QWidget *plot = nullptr;
        for (QWidget *widget : m_view->throughput().findChildren<QWidget *>()) {
            if (widget->inherits("QCustomPlot"))
                plot = widget;
        }
        QVERIFY(plot);
        QSignalSpy drawn(plot, SIGNAL(afterReplot()));
        QTRY_VERIFY(!drawn.isEmpty());
        m_view->hide();
        QCoreApplication::processEvents();
        drawn.clear();
        m_view->show(samplePicture(4, 500ms, 80), keys());
        m_view->show(samplePicture(4, 600ms, 90), keys());
        QCoreApplication::processEvents();
        QCOMPARE(drawn.size(), 0);
        m_view->setVisible(true);
        QTRY_VERIFY(!drawn.isEmpty());
        QCOMPARE(m_view->throughput().points(), 2);
    }

    void aWorkerIsToldInWords()
    {
        m_view->show(samplePicture(4, 500ms, 80), keys());
        const QString story = workers().model().story(0);
        QVERIFY2(story.contains(QStringLiteral("holding")) && story.contains(QStringLiteral("sim:a-1:1")) &&
                     story.contains(QStringLiteral("×2")) && story.contains(QStringLiteral("250 ms")),
                 qPrintable(story));
        const QModelIndex cell = workers().model().index(1);
        QCOMPARE(cell.data().toString(), QStringLiteral("W2"));
        QVERIFY(cell.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("crashed")));
        QVERIFY(cell.data(Qt::ToolTipRole).toString().contains(QStringLiteral("lease expires")));
    }

    void hostileKeysAreShownAsText()
    {
        m_view->show(samplePicture(4, 500ms, 80), {"sim:<b>\x1b[2J"});
        workers().choose(0);
        QVERIFY(!workers().model().story(0).contains(QChar(0x1b)));
        const QString tip = workers().model().index(0).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral("&lt;b&gt;")), qPrintable(tip));
        for (const QLabel *label : m_view->findChildren<QLabel *>())
            QCOMPARE(label->textFormat() == Qt::PlainText || !label->text().contains(u'<'), true);
    }

    void theChosenOneCanBeKilledAndPaused()
    {
        QSignalSpy kills(&workers(), &WorkersView::killWanted);
        QSignalSpy pauses(&workers(), &WorkersView::pauseWanted);
        m_view->show(samplePicture(8, 500ms, 80), keys());
        QVERIFY(!button("killWorker")->isEnabled() && !button("pauseWorker")->isEnabled());
        workers().choose(4);
        button("killWorker")->click();
        QCOMPARE(kills.takeFirst().first().toInt(), 4);
        button("pauseWorker")->click();
        QCOMPARE(pauses.first().first().toInt(), 4);
        QVERIFY(pauses.takeFirst().last().toBool());
        // A paused one goes on, a dead one can't be killed again.
        workers().choose(2);
        button("pauseWorker")->click();
        QVERIFY(!pauses.takeFirst().last().toBool());
        workers().choose(1);
        QVERIFY(!button("killWorker")->isEnabled());
    }

    /// A picture is too old to say who holds: the run chooses, and what it says is shown.
    void aHolderIsKilledByTheRun()
    {
        QSignalSpy kills(&workers(), &WorkersView::killWanted);
        QSignalSpy owners(&workers(), &WorkersView::killHolderWanted);
        QVERIFY(!button("killHolder")->isEnabled());
        SimulationSnapshot idle = samplePicture(8, 500ms, 80);
        for (WorkerView &worker : idle.workers)
            worker.state = WorkerState::Resting;
        m_view->show(idle, keys()); // nobody holds at the moment
        button("killHolder")->click();
        QCOMPARE(owners.size(), 1);
        QCOMPARE(kills.size(), 0);
        QVERIFY(workers().story().contains(QStringLiteral("Waiting")));
        workers().showKilled(6);
        m_view->show(samplePicture(8, 600ms, 80), keys());
        QVERIFY2(workers().story().startsWith(QStringLiteral("W7 was killed")),
                 qPrintable(workers().story()));
        workers().choose(4);
        QVERIFY2(workers().story().startsWith(QStringLiteral("W5")), qPrintable(workers().story()));
        workers().showNobodyKilled();
        QVERIFY2(workers().story().contains(QStringLiteral("No worker held")), qPrintable(workers().story()));
    }

    void theKeyboardReachesTheWorkers()
    {
        m_view->show(samplePicture(40, 500ms, 80), keys());
        auto *list = m_view->findChild<QListView *>();
        list->setFocus();
        workers().choose(3);
        QTest::keyClick(list, Qt::Key_Right);
        QCOMPARE(workers().chosen(), 4);
        QTest::keyClick(list, Qt::Key_Down);
        QVERIFY(workers().chosen() > 5);
        // The choice stays while the pictures change.
        const int chosen = workers().chosen();
        m_view->show(samplePicture(40, 600ms, 90), keys());
        QCOMPARE(workers().chosen(), chosen);
    }

    void afterTheEndNobodyIsKilled()
    {
        m_view->show(samplePicture(8, 500ms, 80), keys());
        workers().choose(4);
        m_view->end(QStringLiteral("ended"), {});
        for (const char *name : {"killWorker", "pauseWorker", "killHolder"})
            QVERIFY(!button(name)->isEnabled());
        QCOMPARE(workers().model().rowCount(), 8);
    }

    /// After the run the figures are those of the phase that the timeline shows.
    void figuresAreOfTheShownPhase()
    {
        Report first = sampleTraced(), second = sampleTraced();
        first.total.acquired = 11;
        second.total.acquired = 22;
        m_view->showTimeline();
        m_view->end(QStringLiteral("ended"),
                    {{QStringLiteral("one"), first}, {QStringLiteral("two"), second}});
        QCOMPARE(m_view->figures().text(Metric::Kind::Acquired), QStringLiteral("11"));
        QVERIFY(m_view->timeline().runs().isVisible());
        m_view->timeline().goTo(1, 5ms);
        QCOMPARE(m_view->figures().text(Metric::Kind::Acquired), QStringLiteral("22"));
    }

    void aRepeatedActBeginsAnew()
    {
        m_view->show(samplePicture(8, 800ms, 80), keys());
        m_view->show(samplePicture(8, 900ms, 90), keys());
        m_view->show(samplePicture(8, 100ms, 4), keys());
        QCOMPARE(m_view->throughput().points(), 0); // too short for a rate
        QCOMPARE(m_view->figures().text(Metric::Kind::Throughput), QStringLiteral("–"));
        QCOMPARE(m_view->figures().text(Metric::Kind::Acquired), QStringLiteral("4"));
    }

    void itFitsASmallPlaceInBothThemes()
    {
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            applyTheme(theme);
            m_view->show(samplePicture(256, 500ms, 80), keys());
            QVERIFY2(m_view->minimumSizeHint().width() <= 980,
                     qPrintable(QString::number(m_view->minimumSizeHint().width())));
            QVERIFY2(m_view->minimumSizeHint().height() <= 440,
                     qPrintable(QString::number(m_view->minimumSizeHint().height())));
            QVERIFY(!m_view->grab().isNull());
        }
    }

private:
    WorkersView &workers() const { return m_view->workers(); }
    static QList<QByteArray> keys() { return {"sim:a-1:1"}; }
    QToolButton *button(const char *name) const
    {
        return m_view->findChild<QToolButton *>(QString::fromLatin1(name));
    }

    std::unique_ptr<LiveView> m_view;
};

QTEST_MAIN(LiveViewTest)
#include "tst_liveview.moc"
