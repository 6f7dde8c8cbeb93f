// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timelinepanel.h"

#include "core/table/displayclock.h"
#include "tests/ui/samplelocks.h"
#include "ui/lanes/legendentry.h"

#include <QComboBox>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class TimelinePanelTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        m_clock = {};
        m_history = std::make_unique<LockHistory>();
        m_model = std::make_unique<LockTableModel>(m_clock, m_names);
        m_panel = std::make_unique<TimelinePanel>(*m_history, *m_model, m_clock, m_names);
        m_panel->resize(1200, 400);
        m_start = QDateTime::currentMSecsSinceEpoch() - 30'000;
    }
    void cleanup() { m_panel.reset(); }

    void aLaneForEachLockOfTheTable()
    {
        acquire("order:1", 0, "web-1:7");
        acquire("order:2", 1000, "web-2:1");
        m_panel->show();
        QTRY_COMPARE(m_panel->lanes().laneCount(), 2);
        QCOMPARE(names(), (QStringList{QStringLiteral("order:1"), QStringLiteral("order:2")}));
        m_model->setFilter(*LockFilter::parse(QStringLiteral("order:2")));
        QTRY_COMPARE(names(), QStringList{QStringLiteral("order:2")});
    }

    /// Its own locks are unknown then; of an owner anything may have been missed.
    void aLostNodeIsUnknown()
    {
        acquire("order:1", 0, "web-1:7");
        acquire("order:2", 0, "web-2:1");
        SlotSet lost;
        lost.set(size_t(slotOf("order:1")));
        m_history->setUnknownSlots(std::make_shared<const SlotSet>(lost), m_start + 5000);
        m_history->setUnknownSlots(nullptr, m_start + 10'000);
        m_panel->show();
        QTRY_COMPARE(m_panel->lanes().laneCount(), 2);
        QCOMPARE(m_panel->lanes().stateText(0, m_start + 7000), QStringLiteral("unknown"));
        QVERIFY(m_panel->lanes().stateText(0, m_start + 12'000).contains(QStringLiteral("web-1:7")));
        QVERIFY(m_panel->lanes().stateText(1, m_start + 7000).contains(QStringLiteral("web-2:1")));
        QVERIFY(m_panel->lanes().bands(m_panel->lanes().known()).isEmpty());
        emit combo("Lanes")->activated(1);
        QTRY_COMPARE(m_panel->lanes().laneCount(), 2);
        QCOMPARE(m_panel->lanes().bands(m_panel->lanes().known()).size(), 1);
        QCOMPARE(m_panel->lanes().stateText(1, m_start + 7000), QStringLiteral("unknown"));
    }

    /// Where it is, and what was so then; also for those who do not see it.
    void theCursorReadsTheLanes()
    {
        acquire("order:1", 0, "web-1:7", 2);
        m_panel->show();
        QTRY_COMPARE(m_panel->lanes().laneCount(), 1);
        m_panel->showChosen(LockKey("order:1"));
        const QString text = m_panel->lanes().stateText(0, m_start + 10'000);
        QVERIFY2(text.contains(QStringLiteral("×2 · web-1:7")), qPrintable(text)); // no figure is elided
        QVERIFY2(text.contains(QStringLiteral("left")), qPrintable(text));
        m_panel->view().setCursorAt(m_start + 10'000);
        const QString spoken = m_panel->view().accessibleDescription();
        QVERIFY2(spoken.contains(QStringLiteral("Held by web-1:7 for 10.0 s")) ||
                     spoken.contains(QStringLiteral("Held by web-1:7 for 10 s")),
                 qPrintable(spoken));
        m_panel->view().setCursorAt(m_start - 5'000);
        QVERIFY(m_panel->lanes().stateText(0, m_start - 5'000).contains(QStringLiteral("unknown")));
    }

    /// Where it was left, all lanes would say that nothing is known.
    void aCursorLaterThanTheMomentShownGoes()
    {
        acquire("order:1", 0, "web-1:7");
        m_clock.replay(now, m_start + 20'000);
        m_panel->show();
        QTRY_COMPARE(m_panel->lanes().laneCount(), 1);
        m_panel->view().keepCursorAt(m_start + 10'000);
        QVERIFY(m_panel->view().cursor());
        m_clock.replay(now, m_start + 5'000);
        QTRY_VERIFY(!m_panel->view().cursor());
    }

    void anOwnerThatLooksLikeAPlace()
    {
        acquire("order:1", 0, "job%1", 2);
        m_panel->show();
        QTRY_COMPARE(m_panel->lanes().laneCount(), 1);
        const QString text = m_panel->lanes().stateText(0, m_start + 10'000);
        QVERIFY2(text.contains(QStringLiteral("×2 · job%1")), qPrintable(text));
        LaneContent content;
        m_panel->lanes().fill(content, 0, {m_start, m_start + 20'000}, 1);
        QCOMPARE(content.bars.last().text, QStringLiteral("job%1 ×2"));
    }

    void whatIsGoneKeepsItsLane()
    {
        acquire("order:1", 0, "web-1:7");
        release("order:1", 5'000);
        acquire("order:2", 6'000, "web-1:7");
        m_panel->show();
        QTRY_COMPARE(m_panel->lanes().laneCount(), 2);
        QCOMPARE(m_panel->lanes().stateText(int(names().indexOf(QStringLiteral("order:1"))), m_start + 8'000),
                 QStringLiteral("no hold seen"));
        m_model->setFilter(*LockFilter::parse(QStringLiteral("order")));
        QTRY_COMPARE(m_panel->lanes().laneCount(), 1); // a filter asks what is not known of it
    }

    /// What has no lane is told, also of what is gone.
    void moreThanThereAreLanesFor()
    {
        constexpr int more = HistoryLanes::maxLanes + 5;
        for (int i = 0; i < more; ++i)
            acquire("order:" + QByteArray::number(i), 0, "web-" + QByteArray::number(i));
        for (int i = 0; i < more; ++i)
            release("order:" + QByteArray::number(i), 5'000);
        m_panel->show();
        QTRY_COMPARE(m_panel->lanes().laneCount(), HistoryLanes::maxLanes);
        QVERIFY2(m_panel->lanes().summary().contains(QStringLiteral("1,000 of ≥ 1,005")),
                 qPrintable(m_panel->lanes().summary()));
        emit combo("Lanes")->activated(1);
        QVERIFY2(m_panel->lanes().summary().contains(QStringLiteral("1,000 of 1,005 owners")),
                 qPrintable(m_panel->lanes().summary()));
    }

    /// Keys go over lanes of locks that nobody can choose any more, and they are read.
    void keysGoOverWhatIsGone()
    {
        for (const char *key : {"a", "b", "c"})
            acquire(key, 0, "x");
        release("b", 5'000);
        m_panel->show();
        QTRY_COMPARE(m_panel->lanes().laneCount(), 3);
        QStringList seen;
        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(&m_panel->view(), Qt::Key_Down);
            seen << m_panel->lanes().laneName(m_panel->view().currentLane());
            QVERIFY(m_panel->view().accessibleDescription().startsWith(seen.last()));
            m_panel->showChosen(std::nullopt); // as it was
        }
        QCOMPARE(seen, names());
    }

    void damageComesFirst()
    {
        acquire("a", 0, "x");
        acquire("b", 0, "x");
        m_panel->show();
        QTRY_COMPARE(m_panel->lanes().laneCount(), 2);
        LockDiff diff;
        diff.changed = {withProblem(reentrant("b"), Problem::Deadlock)};
        m_model->apply(diff);
        QTRY_COMPARE(names(), (QStringList{QStringLiteral("b"), QStringLiteral("a")}));
    }

    void aTimeIsSelected()
    {
        acquire("order:1", 0, "web-1:7");
        release("order:1", 5'000);
        acquire("order:2", 10'000, "web-1:7");
        m_panel->show();
        QSignalSpy selected(m_panel.get(), &TimelinePanel::timeSelected);
        m_panel->view().setSelection(TimeRange{m_start + 1'000, m_start + 2'000});
        QTRY_COMPARE(selected.size(), 1);
        QCOMPARE(m_panel->touched(), QSet<LockKey>{LockKey("order:1")});
        // The lock is gone, and had something then.
        m_model->setFilter(LockFilter::ofKeys(m_panel->touched()));
        QTRY_COMPARE(names(), QStringList{QStringLiteral("order:1")});
        m_panel->clearTime();
        QVERIFY(!m_panel->time());
        QCOMPARE(selected.size(), 2);
    }

    void theLegendLeavesOut()
    {
        m_panel->resize(690, 400); // beside the inspector in a window of 1024 pixels
        m_panel->show();
        const auto entries = m_panel->findChildren<LegendEntry *>();
        QCOMPARE(entries.size(), 6);
        for (LegendEntry *entry : entries) {
            QVERIFY(!entry->text().isEmpty() && !entry->accessibleDescription().isEmpty());
            QVERIFY(entry->width() >= entry->sizeHint().width()); // room for its word
            QTest::keyClick(entry, Qt::Key_Space);
            QVERIFY(!m_panel->view().parts().testFlag(entry->part()));
            QTest::keyClick(entry, Qt::Key_Space);
            QVERIFY(m_panel->view().parts().testFlag(entry->part()));
        }
    }

    void spansAndTheLiveButton()
    {
        acquire("a", 0, "x");
        m_panel->show();
        auto *spans = combo("Time shown");
        auto *live = m_panel->findChild<QToolButton *>();
        QCOMPARE(spans->currentText(), QStringLiteral("1 minute"));
        spans->setCurrentIndex(0);
        emit spans->activated(0);
        QCOMPARE(m_panel->view().scale().spanMs(), 10'000);
        QVERIFY(live->isChecked());
        QTest::keyClick(&m_panel->view(), Qt::Key_Left, Qt::ControlModifier);
        QVERIFY(!live->isChecked());
        live->click();
        QVERIFY(m_panel->view().scale().isFollowing());
        QTest::keyClick(&m_panel->view(), Qt::Key_Plus);
        QCOMPARE(spans->currentIndex(), -1);
    }

    /// Two threads of one process are two owners: each has its lane, and both are in one of their process.
    void lanesOfOwnersAndProcesses()
    {
        const QByteArray process = "f47ac10b-58cc-4372-a567-0e02b2c3d479";
        acquire("order:1", 0, process + ":7");
        acquire("order:2", 0, process + ":8");
        m_panel->show();
        QTRY_COMPARE(m_panel->lanes().laneCount(), 2);
        auto *kinds = combo("Lanes");
        emit kinds->activated(1);
        QCOMPARE(names(),
                 (QStringList{QString::fromLatin1(process + ":7"), QString::fromLatin1(process + ":8")}));
        QCOMPARE(m_panel->lanes().stateText(0, m_start + 5'000), QStringLiteral("holds order:1"));
        emit kinds->activated(2);
        QCOMPARE(names(), QStringList{QString::fromLatin1(process)});
        QCOMPARE(m_panel->lanes().stateText(0, m_start + 5'000), QStringLiteral("holds 2 lock(s)"));
        QCOMPARE(m_panel->lanes().barRows(0), 2);
        QSignalSpy chosen(m_panel.get(), &TimelinePanel::chosen);
        QTest::keyClick(&m_panel->view(), Qt::Key_Down);
        QCOMPARE(chosen.size(), 1);
    }

    /// A picture that is held still has no later moment.
    void itStandsStillWithThePicture()
    {
        acquire("a", 0, "x");
        m_panel->show();
        m_clock.holdAt(Clock::now() - 5s);
        const qint64 now = m_panel->lanes().known().toMs;
        QVERIFY(now <= QDateTime::currentMSecsSinceEpoch() - 4'900);
    }

    void aNameOfTheServerIsPlainText()
    {
        acquire("<b>\x1b[31m\xe2\x80\xae", 0, "x");
        m_panel->show();
        QTRY_COMPARE(m_panel->lanes().laneCount(), 1);
        const QString name = m_panel->lanes().laneName(0);
        QVERIFY(!name.contains(QChar(0x1b)) && !name.contains(QChar(0x202e)));
    }

private:
    QComboBox *combo(const char *name) const
    {
        for (QComboBox *each : m_panel->findChildren<QComboBox *>()) {
            if (each->accessibleName() == QLatin1String(name))
                return each;
        }
        return nullptr;
    }
    QStringList names() const
    {
        QStringList all;
        for (int lane = 0; lane < m_panel->lanes().laneCount(); ++lane)
            all << m_panel->lanes().laneName(lane);
        return all;
    }
    void acquire(const QByteArray &key, qint64 at, const QByteArray &owner, qint64 holds = 1)
    {
        LockDiff diff;
        diff.changed = {reentrant(key, 20s, owner, holds)};
        LockEvent event;
        event.kind = EventKind::Acquired;
        event.address.key = LockKey(key);
        event.family = diff.changed[0].lock.family = "redisson"_family;
        event.owners = diff.changed[0].lock.owners;
        event.ttl = 30'000ms;
        event.wallMs = m_start + at;
        diff.events = {event};
        take(diff, at);
    }
    void release(const QByteArray &key, qint64 at)
    {
        LockDiff diff;
        LockEvent event;
        event.kind = EventKind::Released;
        event.address.key = LockKey(key);
        event.wallMs = m_start + at;
        diff.events = {event};
        diff.removed = {LockKey(key)};
        take(diff, at);
    }
    void take(const LockDiff &diff, qint64 at)
    {
        m_history->apply(diff, m_start + at);
        m_model->apply(diff);
    }

    DisplayClock m_clock;
    OwnerNames m_names;
    std::unique_ptr<LockHistory> m_history;
    std::unique_ptr<LockTableModel> m_model;
    std::unique_ptr<TimelinePanel> m_panel;
    qint64 m_start = 0;
};

QTEST_MAIN(TimelinePanelTest)
#include "tst_timelinepanel.moc"
