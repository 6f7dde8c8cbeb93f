// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a recording, without a server: the locks as they were, times of then, and nothing that could act.
#include "tests/support/recordedfile.h"
#include "tests/system/ui/testwindow.h"
#include "ui/connect/connectpage.h"
#include "ui/events/eventspanel.h"
#include "ui/replay/replaybar.h"
#include "ui/replay/replaytime.h"
#include "ui/replay/scrubslider.h"
#include "ui/shell/monitorpage.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/emptystate.h"

#include <QLabel>
#include <QLineEdit>
#include <QtTest>

#include <algorithm>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// A quarter of an hour: a lock that is held, one that comes and goes, and two minutes of which nothing is known.
void record(RecordedFile &file)
{
    file.setWatched(true);
    file.acquire("lock:report", "worker-1", 600s);
    for (int i = 0; i < 10; ++i) {
        file.pass(30s);
        file.acquire("lock:import", "worker-" + QByteArray::number(i));
        file.pass(10s);
        file.release("lock:import");
    }
    file.setWatched(false); // at 6:40
    file.pass(120s);
    file.setWatched(true);
    file.pass(60s);
    file.acquire("lock:late", "worker-2"); // at 9:40
    file.pass(60s);
    file.finish();
}

} // namespace

class WindowReplayTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { TestWindow::failOnWarning(); }
    void cleanup()
    {
        m_window.reset();
        m_settings.reset();
    }

    void opensWhereLocksAre();
    void theLocksAreAsTheyWere();
    void nothingCanBeDone();
    void timesAreThoseOfThen();
    void aGapIsShownAsUnknown();
    void aLargeMomentIsNotTakenForWhole();
    void eventsAndTimelineAreOfThen();
    void atTheKeyboard();
    void stepsAreThoseOfEvents();
    void aTimeIsTypedWhileItPlays();
    void typedTimes();
    void aClockThatWasSetBack();
    void whatCannotBeOpened();

private:
    [[nodiscard]] bool open(const QString &path)
    {
        m_settings = std::make_unique<OwnSettings>();
        WindowOptions options;
        options.replayPath = path;
        m_window = std::make_unique<MainWindow>(options);
        m_window->resize(1200, 800);
        m_window->show();
        return QTest::qWaitFor([this] { return page() && page()->isVisible(); });
    }
    LocksPage *page() { return m_window->findChild<LocksPage *>(); }
    MainActions &commands() { return *m_window->findChild<MainActions *>(); }
    /// Types a time, as a user does, and waits until it is shown.
    [[nodiscard]] bool goTo(milliseconds moment)
    {
        auto *time = m_window->findChild<ReplayBar *>()->findChild<QLineEdit *>();
        const QString text = QDateTime::fromMSecsSinceEpoch(RecordedFile::wallBegin + moment.count())
                                 .time()
                                 .toString(QStringLiteral("HH:mm:ss.zzz"));
        commands().goToTime->trigger();
        time->setText(text);
        QTest::keyClick(time, Qt::Key_Return);
        const auto slider = m_window->findChild<ScrubSlider *>();
        return QTest::qWaitFor([&] { return slider->moment() == moment && !isReading(); });
    }
    bool isReading() { return barSays(QStringLiteral("reading")); }
    bool barSays(const QString &words)
    {
        const QList<QLabel *> labels = m_window->findChild<ReplayBar *>()->findChildren<QLabel *>();
        return std::ranges::any_of(labels,
                                   [&words](const QLabel *label) { return label->text().contains(words); });
    }
    QByteArrayList keys()
    {
        QByteArrayList keys;
        for (int row = 0; row < page()->model().rowCount(); ++row)
            keys.append(page()->model().at(row).key().bytes);
        std::ranges::sort(keys);
        return keys;
    }
    QString bannerText()
    {
        for (const Banner *banner : m_window->findChildren<Banner *>()) {
            if (banner->isVisible())
                return banner->text();
        }
        return {};
    }

    std::unique_ptr<OwnSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

void WindowReplayTest::opensWhereLocksAre()
{
    RecordedFile late;
    late.setWatched(true);
    late.pass(60s);
    late.acquire("lock:late", "worker");
    late.pass(60s);
    late.finish();
    QVERIFY(open(late.path()));
    QTRY_COMPARE(keys(), QByteArrayList{"lock:late"});
    QTRY_COMPARE(m_window->findChild<ScrubSlider *>()->moment(), 60s);
    RecordedFile empty;
    empty.setWatched(true);
    empty.pass(60s);
    empty.finish();
    QVERIFY(open(empty.path()));
    QTRY_COMPARE(page()->emptyState().title(), QStringLiteral("No locks in this recording"));
}

void WindowReplayTest::theLocksAreAsTheyWere()
{
    RecordedFile file;
    record(file);
    QVERIFY(open(file.path()));
    QVERIFY(goTo(35s));
    QCOMPARE(keys(), (QByteArrayList{"lock:import", "lock:report"}));
    QVERIFY(goTo(45s));
    QCOMPARE(keys(), QByteArrayList{"lock:report"});
    QVERIFY(goTo(75s));
    QCOMPARE(page()->model().find(LockKey("lock:import"))->lock.owners.first().owner, OwnerId("worker-1"));
    QVERIFY(goTo(10s));
    QCOMPARE(keys(), QByteArrayList{"lock:report"});
    const QString time =
        QDateTime::fromMSecsSinceEpoch(RecordedFile::wallBegin + 10'000).toString(QStringLiteral("HH:mm:ss"));
    QCOMPARE(m_window->windowTitle(), QStringLiteral("Recording: incident — %1 — Lockscope").arg(time));
}

void WindowReplayTest::nothingCanBeDone()
{
    RecordedFile file;
    record(file);
    QVERIFY(open(file.path()));
    QVERIFY(goTo(35s));
    page()->choose(LockKey("lock:import"));
    for (const QAction *action :
         {commands().acquire, commands().release, commands().extend, commands().forceExpire,
          commands().removeWaiter, commands().wake, commands().scan, commands().findLocks,
          commands().patterns, commands().rules, commands().nameProcess, commands().findClients,
          commands().rawValue, commands().copyCli, commands().record, commands().showAlerts,
          commands().alertRules, commands().showAudit, commands().showSimulation}) {
        QVERIFY2(!action->isEnabled(), qPrintable(action->objectName()));
        QCOMPARE(action->toolTip(), MainActions::recordingReason());
    }
    QVERIFY(!commands().pause->isVisible());
    for (const QAction *action : {commands().play, commands().nextEvent, commands().previousEvent,
                                  commands().copyKey, commands().exportLocks, commands().showTimeline})
        QVERIFY2(action->isEnabled() && action->isVisible(), qPrintable(action->objectName()));
    commands().disconnect->trigger();
    QVERIFY(!commands().play->isVisible());
    QVERIFY(commands().pause->isVisible());
    QVERIFY(!commands().alertRules->isEnabled()); // there is no server
    QVERIFY(commands().alertRules->toolTip() != MainActions::recordingReason());
}

void WindowReplayTest::timesAreThoseOfThen()
{
    RecordedFile file;
    record(file);
    QVERIFY(open(file.path()));
    QVERIFY(goTo(35s));
    const WatchedLock *import = page()->model().find(LockKey("lock:import"));
    QVERIFY(import);
    const DisplayClock &clock = page()->clock();
    QVERIFY(!clock.isPast()); // not "as read days ago"
    QCOMPARE(clock.now() - import->heldSince, 5s);
    QCOMPARE(import->lock.deadline->latest - clock.now(), 25s);
    QCOMPARE(clock.wallMs(), RecordedFile::wallBegin + 35'000);
    QTest::qWait(300); // no time passes there
    QCOMPARE(clock.now() - import->heldSince, 5s);
}

void WindowReplayTest::aGapIsShownAsUnknown()
{
    RecordedFile file;
    record(file);
    QVERIFY(open(file.path()));
    QVERIFY(goTo(300s));
    QCOMPARE(bannerText(), QString());
    QVERIFY(!page()->clock().isStopped());
    QVERIFY(goTo(460s));
    QCOMPARE(bannerText(), QStringLiteral("Not all locks are known at this moment"));
    QVERIFY(page()->clock().isStopped()); // gray, as after a lost connection
    QVERIFY(page()->clock().pastFor() >= 59s);
    auto *timeline = m_window->findChild<TimelinePanel *>();
    QTRY_VERIFY(timeline->lanes().laneCount() > 0);
    // After it the timeline says of that time that it is not known.
    QVERIFY(goTo(570s));
    QCOMPARE(bannerText(), QString());
    const qint64 within = RecordedFile::wallBegin + 460'000;
    QVERIFY(!timeline->lanes().bands({within, within + 1000}).isEmpty());
    QVERIFY(timeline->lanes().bands({within - 100'000, within - 99'000}).isEmpty());
}

/// It is shown in several turns of the event loop: until then what is shown is gray, and said to be no moment.
void WindowReplayTest::aLargeMomentIsNotTakenForWhole()
{
    constexpr int many = 10'000;
    RecordedFile file;
    file.replaceMany(many);
    file.finish();
    const OwnSettings settings;
    QMainWindow window;
    MainActions actions(&window);
    auto source = std::make_unique<Replay>(file.path());
    Replay &replay = *source;
    const auto shown = std::make_unique<MonitorPage>(std::move(source), actions);
    window.setCentralWidget(shown.get());
    window.show();
    const auto *locks = shown->findChild<LocksPage *>();
    shown->open();
    QTRY_VERIFY(replay.isPastTold());
    replay.seek(5s);
    QTRY_VERIFY(replay.isPastTold() && replay.moment() == 5s);
    QCOMPARE(locks->model().total(), many);
    connect(&replay, &Replay::locksRestored, this, [] { QTest::qSleep(15); }); // as if there were more
    int halves = 0, known = 0, told = 0;
    connect(&replay, &Replay::partTold, shown.get(), [&] {
        if (!replay.isHalfTold())
            return;
        ++halves;
        known += locks->clock().isStopped() ? 0 : 1;
        const QList<Banner *> banners = shown->findChildren<Banner *>();
        told += std::ranges::any_of(banners,
                                    [](const Banner *banner) {
                                        return banner->isVisible() &&
                                               banner->text() == QStringLiteral("This moment is being read");
                                    })
                    ? 1
                    : 0;
    });
    replay.seek(15s);
    QTRY_VERIFY(replay.isPastTold() && replay.moment() == 15s);
    QVERIFY(halves > 0);
    QCOMPARE(told, halves);
    QCOMPARE(known, 0);
    QVERIFY(!locks->clock().isStopped());
    QCOMPARE(locks->model().total(), many);
    QVERIFY(locks->model().find(LockKey("lock:b:7")));
    QVERIFY(!locks->model().find(LockKey("lock:a:7")));
    window.takeCentralWidget();
}

void WindowReplayTest::eventsAndTimelineAreOfThen()
{
    RecordedFile file;
    record(file);
    QVERIFY(open(file.path()));
    QVERIFY(goTo(200s));
    commands().showEvents->setChecked(true);
    const auto *events = m_window->findChild<EventsPanel *>();
    QTRY_COMPARE(events->model().rowCount(), 11); // lock:report, and five times lock:import
    QVERIFY(goTo(85s));
    QTRY_COMPARE(events->model().rowCount(), 5);
    const auto *timeline = m_window->findChild<TimelinePanel *>();
    QCOMPARE(timeline->lanes().known().toMs, RecordedFile::wallBegin + 85'000);
}

void WindowReplayTest::atTheKeyboard()
{
    RecordedFile file;
    record(file);
    QVERIFY(open(file.path()));
    const QSize least = m_window->minimumSizeHint(); // on a small screen, too
    QVERIFY2(least.width() <= 800 && least.height() <= 600,
             qPrintable(QStringLiteral("%1 x %2").arg(least.width()).arg(least.height())));
    QVERIFY(goTo(100s));
    auto *slider = m_window->findChild<ScrubSlider *>();
    QTest::keyClick(m_window.get(), Qt::Key_Period);
    QTRY_COMPARE(slider->moment(), 110s);
    QTRY_COMPARE(keys(), (QByteArrayList{"lock:import", "lock:report"}));
    QTest::keyClick(m_window.get(), Qt::Key_Comma);
    QTRY_COMPARE(slider->moment(), 80s);
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    QTRY_COMPARE(slider->moment(), 81s);
    QTest::keyClick(slider, Qt::Key_PageUp);
    QTRY_COMPARE(slider->moment(), 141s);
    QVERIFY(goTo(141s));
    page()->focusTable();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QTRY_VERIFY(slider->moment() > 141s);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    const milliseconds stopped = slider->moment();
    QTest::qWait(200);
    QVERIFY(slider->moment() - stopped < 100ms);
}

/// From each that Events lists to the next, and back: also where the connection was lost.
void WindowReplayTest::stepsAreThoseOfEvents()
{
    RecordedFile file;
    record(file);
    QVERIFY(open(file.path()));
    const milliseconds end = file.now();
    QVERIFY(goTo(end));
    commands().showEvents->setChecked(true);
    auto *events = m_window->findChild<EventsPanel *>();
    QTRY_VERIFY(events->model().rowCount() > 20);
    QList<milliseconds> listed;
    for (int row = events->model().rowCount(); row-- > 0;) {
        const milliseconds moment(events->model().at(row)->event.wallMs - RecordedFile::wallBegin);
        if (moment > 1s && !listed.contains(moment))
            listed.append(moment);
    }
    QVERIFY(listed.contains(400s)); // lost
    QVERIFY(listed.contains(520s)); // and back
    const auto *slider = m_window->findChild<ScrubSlider *>();
    const auto step = [&](Qt::Key key) {
        const milliseconds before = slider->moment();
        QTest::keyClick(m_window.get(), key);
        return QTest::qWaitFor([&] { return slider->moment() != before && !isReading(); });
    };
    QList<milliseconds> back;
    while (slider->moment() > listed.first()) {
        QVERIFY(step(Qt::Key_Comma));
        back.prepend(slider->moment());
    }
    QCOMPARE(back, listed);
    QVERIFY(goTo(1s));
    QList<milliseconds> forth;
    while (slider->moment() < end) {
        QVERIFY(step(Qt::Key_Period));
        forth.append(slider->moment());
    }
    QCOMPARE(forth, listed + QList{end});
}

void WindowReplayTest::aTimeIsTypedWhileItPlays()
{
    RecordedFile file;
    record(file);
    QVERIFY(open(file.path()));
    QVERIFY(goTo(141s));
    const auto *slider = m_window->findChild<ScrubSlider *>();
    auto *time = m_window->findChild<ReplayBar *>()->findChild<QLineEdit *>();
    commands().play->trigger();
    QTRY_VERIFY(slider->moment() > 141s);
    commands().goToTime->trigger();
    QTRY_VERIFY(time->hasFocus());
    const milliseconds selected = slider->moment();
    QTRY_VERIFY(slider->moment() > selected + 100ms);
    const QString wrong = QStringLiteral("12:61");
    QTest::keyClicks(time, wrong); // in the place of what stood there
    const milliseconds typed = slider->moment();
    QTRY_VERIFY(slider->moment() > typed + 100ms);
    QCOMPARE(time->text(), wrong);
    QTest::keyClick(time, Qt::Key_Return);
    QTRY_VERIFY(barSays(QStringLiteral("Type a time")));
    QCOMPARE(time->text(), wrong);
    QVERIFY(goTo(45s)); // answered after whatever was asked for before
    QCOMPARE(slider->moment(), 45s);
    QVERIFY(time->text() != wrong);
}

void WindowReplayTest::typedTimes()
{
    const QDateTime begin(QDate(2026, 11, 23), QTime(22, 0));
    ReplayOutline outline;
    outline.wallFromMs = begin.toMSecsSinceEpoch();
    outline.wallToMs = begin.addSecs(30 * 3600).toMSecsSinceEpoch(); // until 4:00, the day after the next
    outline.wallFirstMs = outline.wallFromMs + 5'000;
    outline.wallLastMs = outline.wallToMs;
    const auto typed = [&](const char *text, const QDateTime &shown) {
        const auto wallMs = typedTime(QString::fromUtf8(text), outline, shown.toMSecsSinceEpoch());
        return wallMs ? QDateTime::fromMSecsSinceEpoch(*wallMs).toString(QStringLiteral("dd HH:mm:ss.zzz"))
                      : QString();
    };
    const QDateTime next = begin.addDays(1);
    QCOMPARE(typed("03:12", next), QStringLiteral("24 03:12:00.000"));
    QCOMPARE(typed("3:12:05", begin), QStringLiteral("25 03:12:05.000"));
    QCOMPARE(typed("23:00", next), QStringLiteral("24 23:00:00.000"));
    QCOMPARE(typed(" 2026-11-24 3:12 ", begin), QStringLiteral("24 03:12:00.000"));
    QCOMPARE(typed("2026-11-24T03:12:05.250", begin), QStringLiteral("24 03:12:05.250"));
    QCOMPARE(typed("2026-11-24", begin), QStringLiteral("24 00:00:00.000"));
    for (const char *text : {"", "soon", "25:00", "3", "2026-11-31"})
        QVERIFY2(typed(text, begin).isEmpty(), text);
    QVERIFY(hasTime(outline, outline.wallFromMs)); // within the minute that was typed
    QVERIFY(hasTime(outline, outline.wallToMs));
    QVERIFY(!hasTime(outline, outline.wallFromMs - 60'000));
    QVERIFY(!hasTime(outline, outline.wallToMs + 60'000));
    // The clock was set back before the end: it had shown later times.
    outline.wallToMs -= 2 * 3600 * 1000;
    QCOMPARE(typed("03:12", begin), QStringLiteral("25 03:12:00.000"));
    QCOMPARE(typed("03:12", next.addDays(1)), QStringLiteral("25 03:12:00.000"));
    // Or by more than the recording is long: none is between those of its begin and its end.
    outline.wallFromMs = outline.wallLastMs;
    QCOMPARE(typed("23:00", begin), QStringLiteral("23 23:00:00.000"));
}

/// It begins later than it ends: how long it is has to be said.
void WindowReplayTest::aClockThatWasSetBack()
{
    RecordedFile file;
    file.setWatched(true);
    file.pass(60s);
    file.acquire("lock:a", "owner");
    file.pass(60s);
    file.setClock(-1h);
    file.release("lock:a");
    file.pass(60s);
    file.acquire("lock:b", "owner");
    file.finish();
    QVERIFY(open(file.path()));
    QTRY_VERIFY(!isReading());
    QVERIFY(barSays(QStringLiteral("3 min 0 s long")));
    QVERIFY(barSays(QStringLiteral("the clock was set back 1 time")));
}

void WindowReplayTest::whatCannotBeOpened()
{
    m_settings = std::make_unique<OwnSettings>();
    const QString path = m_settings->filePath(QStringLiteral("notes"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("not a Lockscope recording");
    file.close();
    WindowOptions options;
    options.replayPath = path;
    m_window = std::make_unique<MainWindow>(options);
    m_window->show();
    for (QAction *action : {commands().play, commands().nextEvent, commands().goToTime})
        QVERIFY2(!action->isEnabled(), qPrintable(action->objectName())); // nothing is open yet
    const auto isTold = [&] {
        const QList<QLabel *> labels = m_window->findChild<ConnectPage *>()->findChildren<QLabel *>();
        return std::ranges::any_of(labels, [](const QLabel *label) {
            return label->isVisible() && label->text().contains(QStringLiteral("not a Lockscope recording"));
        });
    };
    QTRY_VERIFY(isTold());
    QVERIFY(!page());
    m_window.reset();
    const Ran ran =
        runProgram(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope"), {"--replay", QFile::encodeName(path)});
    QCOMPARE(ran.exitCode, 3);
    QVERIFY2(ran.err.startsWith("lockscope: ") && ran.err.contains("not a Lockscope recording"), ran.err);
}

QTEST_MAIN(WindowReplayTest)
#include "tst_windowreplay.moc"
