// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/laneview.h"

#include <QAccessible>
#include <QImage>
#include <QScrollBar>
#include <QWheelEvent>
#include <QtTest>

using namespace lockscope;

namespace {

constexpr qint64 origin = 1'760'000'000'000;
constexpr qint64 knownMs = 600'000;

/// Lanes of one bar each, and what is asked of it.
class PlainLanes : public LaneSource
{
public:
    int lanes = 40;
    int chosen = -1;
    mutable int filled = 0;
    TimeRange time{origin, origin + knownMs};
    LaneContent content;
    QList<LaneBand> gaps;
    QList<LaneArrow> messages;

    int laneCount() const override { return lanes; }
    QString laneName(int lane) const override { return QStringLiteral("lane %1").arg(lane); }
    StatusColor laneColor(int) const override { return StatusColor::Held; }
    bool isChosen(int lane) const override { return lane == chosen; }
    int barRows(int) const override { return 1; }
    int waitRows(int lane) const override { return lane % 3; }
    TimeRange known() const override { return time; }
    void fill(LaneContent &target, int, TimeRange, qint64) const override
    {
        ++filled;
        target = content;
    }
    QList<LaneBand> bands(TimeRange) const override { return gaps; }
    QList<LaneLine> lines(TimeRange) const override { return {}; }
    QList<LaneArrow> arrows(TimeRange) const override { return messages; }
    QString stateText(int, qint64) const override { return QStringLiteral("state"); }
    QString toolTip(int, qint64) const override { return QStringLiteral("tip"); }
    qint64 wallMs(qint64 atMs) const override { return atMs; }
};

} // namespace

class LaneViewTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        m_lanes = {};
        m_view = std::make_unique<LaneView>(m_lanes);
        m_view->resize(1000, 400);
        m_view->show();
        m_view->takeTime();
        m_view->takeLanes();
    }
    void cleanup() { m_view.reset(); }

    void keysMoveTheCursor()
    {
        QSignalSpy moved(m_view.get(), &LaneView::cursorChanged);
        press(Qt::Key_Left);
        QVERIFY(m_view->cursor());
        const qint64 first = *m_view->cursor();
        QVERIFY(first < origin + knownMs);
        press(Qt::Key_Left);
        QVERIFY(*m_view->cursor() < first);
        press(Qt::Key_Right);
        QCOMPARE(*m_view->cursor(), first);
        QCOMPARE(m_view->readMs(), first);
        QCOMPARE(moved.size(), 3);
        for (int i = 0; i < 300; ++i) // it stays in sight
            press(Qt::Key_Left);
        const TimeRange shown = m_view->scale().shown();
        QVERIFY(*m_view->cursor() >= shown.fromMs && *m_view->cursor() <= shown.toMs);
        press(Qt::Key_End);
        QVERIFY(!m_view->cursor() && m_view->scale().isFollowing());
        QCOMPARE(m_view->readMs(), origin + knownMs);
    }

    void keysMoveAndZoomTheTime()
    {
        const qint64 span = m_view->scale().spanMs();
        press(Qt::Key_Plus);
        QVERIFY(m_view->scale().spanMs() < span);
        press(Qt::Key_Minus);
        QVERIFY(std::abs(m_view->scale().spanMs() - span) < 10);
        const qint64 from = m_view->scale().shown().fromMs;
        press(Qt::Key_Left, Qt::ControlModifier);
        QVERIFY(m_view->scale().shown().fromMs < from && !m_view->scale().isFollowing());
        press(Qt::Key_Home);
        QVERIFY(m_view->scale().shown().fromMs <= origin);
        press(Qt::Key_0);
        QVERIFY(m_view->scale().spanMs() >= knownMs);
        QVERIFY(m_view->scale().isFollowing());
    }

    void keysSelectATime()
    {
        QSignalSpy selected(m_view.get(), &LaneView::selectionChanged);
        press(Qt::Key_Left);
        const qint64 anchor = *m_view->cursor();
        press(Qt::Key_Left, Qt::ShiftModifier);
        press(Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(selected.size(), 2);
        QVERIFY(m_view->selection());
        QCOMPARE(m_view->selection()->toMs, anchor);
        QCOMPARE(m_view->selection()->fromMs, *m_view->cursor());
        press(Qt::Key_Escape);
        QVERIFY(!m_view->selection() && m_view->cursor());
        press(Qt::Key_Escape);
        QVERIFY(!m_view->cursor());
    }

    void keysChooseALane()
    {
        QSignalSpy chosen(m_view.get(), &LaneView::laneChosen);
        connect(m_view.get(), &LaneView::laneChosen, this, [this](int lane) { m_lanes.chosen = lane; });
        QSignalSpy opened(m_view.get(), &LaneView::laneActivated);
        press(Qt::Key_Return); // of none
        press(Qt::Key_Down);
        press(Qt::Key_Down);
        QCOMPARE(m_lanes.chosen, 1);
        press(Qt::Key_PageDown);
        QVERIFY(m_lanes.chosen > 3);
        for (int i = 0; i < 50; ++i)
            press(Qt::Key_Down);
        QCOMPARE(m_lanes.chosen, 39);
        QVERIFY(m_view->verticalScrollBar()->value() > 0);
        press(Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toInt(), 39);
    }

    void theWheelZoomsAtThePointer()
    {
        const QPoint place(600, 100);
        const qint64 at = m_view->scale().atX(place.x());
        const qint64 span = m_view->scale().spanMs();
        m_view->setFollowing(false);
        turn(place, 120, Qt::ControlModifier);
        QVERIFY(m_view->scale().spanMs() < span);
        QVERIFY(std::abs(m_view->scale().xOf(at) - place.x()) < 1);
        const qint64 from = m_view->scale().shown().fromMs;
        turn(place, 120, Qt::ShiftModifier);
        QVERIFY(m_view->scale().shown().fromMs < from);
        turn(place, -120, Qt::NoModifier);
        QVERIFY(m_view->verticalScrollBar()->value() > 0);
    }

    void draggingMovesTheTime()
    {
        m_view->setFollowing(false);
        m_view->setSpan(60'000);
        const TimeRange shown = m_view->scale().shown();
        drag({500, 100}, {700, 100}, Qt::NoModifier);
        QVERIFY(m_view->scale().shown().fromMs < shown.fromMs);
        QVERIFY(!m_view->selection());
        drag({500, 100}, {700, 100}, Qt::ShiftModifier);
        QVERIFY(m_view->selection());
        QVERIFY(std::abs(m_view->scale().xOf(m_view->selection()->fromMs) - 500) < 2);
        QVERIFY(std::abs(m_view->scale().xOf(m_view->selection()->toMs) - 700) < 2);
    }

    void aClickChoosesALane()
    {
        QSignalSpy chosen(m_view.get(), &LaneView::laneChosen);
        QSignalSpy opened(m_view.get(), &LaneView::laneActivated);
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, {50, 60});
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toInt(), m_view->laneAt(60));
        QTest::mouseDClick(m_view->viewport(), Qt::LeftButton, {}, {50, 60});
        QCOMPARE(opened.size(), 1);
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, {500, 5}); // on the axis there is none
        QVERIFY(m_view->laneAt(5) < 0);
    }

    /// Only what is in sight is asked for.
    void paintingCostsByWhatIsSeen()
    {
        m_lanes.lanes = 1000;
        m_view->takeLanes();
        m_lanes.filled = 0;
        picture();
        QVERIFY2(m_lanes.filled < 20, qPrintable(QString::number(m_lanes.filled)));
    }

    /// Each part is seen, in its own texture, and what the legend leaves out is not.
    void partsAreDrawn_data()
    {
        QTest::addColumn<LanePart>("part");
        QTest::newRow("holds") << LanePart::Holds;
        QTest::newRow("waits") << LanePart::Waits;
        QTest::newRow("leases") << LanePart::Leases;
        QTest::newRow("renewals") << LanePart::Renewals;
        QTest::newRow("endings") << LanePart::Endings;
        QTest::newRow("unknown") << LanePart::Unknown;
    }
    void partsAreDrawn()
    {
        QFETCH(LanePart, part);
        m_lanes.lanes = 3;
        const TimeRange time{origin + knownMs - 40'000, origin + knownMs - 10'000};
        m_lanes.content.bars = {{.time = time, .depth = 2, .text = QStringLiteral("owner")}};
        m_lanes.content.waits = {
            {.time = time, .look = LaneBar::Look::Hatched, .color = StatusColor::Warning}};
        m_lanes.content.leases = {{time, 1, 0.2, false, true}};
        m_lanes.content.marks = {{time.toMs, Glyph::Bolt, StatusColor::Danger}};
        m_lanes.gaps = {{.time = {origin + knownMs - 8'000, origin + knownMs - 4'000}}};
        m_view->takeLanes();
        m_view->setParts({});
        const QImage without = picture();
        m_view->setParts(part);
        QVERIFY(picture() != without);
    }

    void wordsStandBesideMarks()
    {
        m_lanes.lanes = 1;
        m_view->takeLanes();
        const TimeRange time{origin + knownMs - 40'000, origin + knownMs - 10'000};
        const TimeScale &scale = m_view->scale();
        m_lanes.content.marks = {{scale.atX(scale.xOf(time.fromMs) + 4), Glyph::Bolt, StatusColor::Danger},
                                 {scale.atX(scale.xOf(time.fromMs) + 30), Glyph::Cross, StatusColor::Danger}};
        m_lanes.content.bars = {{.time = time}};
        const QImage wordless = picture();
        m_lanes.content.bars[0].text = QStringLiteral("owner");
        const QImage withWords = picture();
        QVERIFY(withWords != wordless);
        for (const LaneMark &mark : std::as_const(m_lanes.content.marks)) {
            const QRect place(qRound(scale.xOf(mark.atMs)) - 6, 0, 12, wordless.height());
            QVERIFY(withWords.copy(place) == wordless.copy(place));
        }
    }

    void theAxisHasNoHalfLabels()
    {
        m_lanes.lanes = 1;
        m_view->takeLanes();
        for (int width = 600; width < 700; width += 7) {
            m_view->resize(width, 200);
            const QImage axis = picture().copy(m_view->viewport()->width() - 2, 0, 2, 12);
            const QRgb ground = axis.pixel(0, 0);
            for (int y = 0; y < axis.height(); ++y)
                QCOMPARE(axis.pixel(1, y), ground);
        }
    }

    void arrowsGoFromLaneToLane()
    {
        const QImage without = picture();
        m_lanes.messages = {{0, 3, origin + knownMs - 20'000, origin + knownMs - 10'000},
                            {0, 99, origin, origin}}; // of no lane
        QVERIFY(picture() != without);
    }

private:
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(m_view.get(), key, modifiers);
    }
    void turn(const QPoint &place, int by, Qt::KeyboardModifiers modifiers)
    {
        QWheelEvent event(place, m_view->viewport()->mapToGlobal(place), {}, {0, by}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(m_view->viewport(), &event);
    }
    void drag(const QPoint &from, const QPoint &to, Qt::KeyboardModifiers modifiers)
    {
        QTest::mousePress(m_view->viewport(), Qt::LeftButton, modifiers, from);
        for (const QPoint &at : {(from + to) / 2, to}) {
            QMouseEvent moved(QEvent::MouseMove, at, m_view->viewport()->mapToGlobal(at), Qt::NoButton,
                              Qt::LeftButton, modifiers);
            QCoreApplication::sendEvent(m_view->viewport(), &moved);
        }
        QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, modifiers, to);
    }
    QImage picture() const { return m_view->viewport()->grab().toImage(); }

    PlainLanes m_lanes;
    std::unique_ptr<LaneView> m_view;
};

QTEST_MAIN(LaneViewTest)
#include "tst_laneview.moc"
