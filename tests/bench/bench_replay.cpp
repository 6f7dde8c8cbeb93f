// SPDX-License-Identifier: GPL-3.0-or-later
// Jumps to random moments of a recording in the window's page, offscreen: how long until the moment is shown whole, and what came
// before it, and how long the event loop is busy with one thing. At every fifth moment another jump cancels one that is under way.
//     bench_replay [--locks N] [--events N] [--jumps N] [--seed N] [--file RECORDING] [--smoke]
// 100,000 locks held at once and 1,000,000 events unless given; 36,000,000 are an hour.
#include "core/recording/recording.h"
#include "core/recording/replay.h"
#include "tests/bench/recordedtraffic.h"
#include "tests/bench/scaletable.h"
#include "tests/bench/waituntil.h"
#include "ui/actions/mainactions.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/monitorpage.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QMainWindow>
#include <QSettings>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <random>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr auto longestTurn = 50ms;
constexpr QSize windowSize{1400, 900};
constexpr int jumpsPerCanceled = 5;

struct Task
{
    QString file; ///< empty: one is made
    int locks = 100'000;
    qint64 events = 1'000'000;
    int jumps = 100;
    quint32 seed = 1;
};

double msSince(TimePoint begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// The longest time between two chances of whatever else the event loop has to do.
class Pulse
{
public:
    Pulse()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.callOnTimeout([this] {
            m_longest = std::max(m_longest, msSince(m_last));
            m_last = Clock::now();
        });
    }
    void start()
    {
        m_last = Clock::now();
        m_timer.start(1);
    }
    double takeLongest() { return std::exchange(m_longest, 0); }

private:
    QTimer m_timer;
    TimePoint m_last;
    double m_longest = 0;
};

/// The page of a recording, in a window as the program has it.
class ReplayWindow
{
public:
    explicit ReplayWindow(const QString &path) : m_actions(&m_window)
    {
        auto source = std::make_unique<Replay>(path);
        m_replay = source.get();
        m_page = std::make_unique<MonitorPage>(std::move(source), m_actions);
        m_window.setCentralWidget(m_page.get());
        m_window.resize(windowSize);
        m_window.show();
        QObject::connect(m_replay, &Replay::arrived, m_page.get(), [this] {
            ++m_arrivals;
            m_lastArrival = Clock::now();
        });
    }
    ~ReplayWindow() { m_window.takeCentralWidget(); }

    [[nodiscard]] bool open()
    {
        m_page->open();
        return waitUntil([this] { return m_replay->isPastTold(); });
    }
    Replay &replay() { return *m_replay; }
    qsizetype locks()
    {
        qsizetype count = 0;
        m_page->findChild<LocksPage *>()->model().visitAll([&](const WatchedLock &) { ++count; });
        return count;
    }
    /// In ms, until the moment is shown, and until what came before it is; nothing: neither in a minute.
    [[nodiscard]] std::optional<std::pair<double, double>> jump(milliseconds moment)
    {
        const int before = m_arrivals;
        const TimePoint begin = Clock::now();
        m_replay->seek(moment);
        if (!waitUntil([&] { return m_arrivals > before; }))
            return std::nullopt;
        const double shown = std::chrono::duration<double, std::milli>(m_lastArrival - begin).count();
        if (!waitUntil([&] { return m_arrivals > before + 1; }))
            return std::nullopt;
        return std::pair(shown, std::chrono::duration<double, std::milli>(m_lastArrival - begin).count());
    }

private:
    QMainWindow m_window;
    MainActions m_actions;
    std::unique_ptr<MonitorPage> m_page;
    Replay *m_replay = nullptr;
    int m_arrivals = 0;
    TimePoint m_lastArrival;
};

QByteArray medianAndMax(const Series &times)
{
    return QByteArray::number(times.median(), 'f', 1) + " / " +
           QByteArray::number(times.quantile(1), 'f', 1) + " ms";
}

int run(const Task &task)
{
    const QTemporaryDir files;
    QString path = task.file;
    if (path.isEmpty()) {
        path = files.filePath(QStringLiteral("recording"));
        RecordedTraffic traffic(task.locks * 5 / 3, false);
        recordTraffic(traffic, path, task.events);
    }
    const auto recording = Recording::open(path);
    if (!recording) {
        std::fprintf(stderr, "%s\n", recording.error().text().constData());
        return 1;
    }
    ReplayWindow window(path);
    if (!window.open()) {
        printNotMeasured("jumps", "the recording did not open in a minute");
        return 1;
    }
    std::mt19937 random(task.seed);
    const auto anyMoment = [&] {
        return milliseconds(qint64(random() % quint64(std::max<qint64>(recording->length().count(), 1))));
    };
    Series shown, past, turns;
    qint64 wrong = 0, maxLocks = 0;
    Pulse pulse;
    pulse.start();
    for (int i = 0; i < task.jumps; ++i) {
        if (i % jumpsPerCanceled == 0) {
            window.replay().seek(anyMoment());
            waitUntil([&] { return window.replay().isHalfTold(); }, 200ms);
        }
        const milliseconds moment = anyMoment();
        const auto times = window.jump(moment);
        if (!times) {
            printNotMeasured("a jump", "the moment was not shown in a minute");
            return 1;
        }
        turns.add(pulse.takeLongest());
        shown.add(times->first);
        past.add(times->second);
        const auto locks = recording->pictureAt(moment, Clock::now()).locks.size();
        wrong += locks == window.locks() ? 0 : 1;
        maxLocks = std::max<qint64>(maxLocks, locks);
        pulse.start(); // without what was compared
        pulse.takeLongest();
    }
    const QByteArray what = QByteArray::number(maxLocks) + " locks at most, " +
                            QByteArray::number(recording->events()) + " events: ";
    printRow({what + "a moment is shown whole, median / max",
              medianAndMax(shown),
              "with what came before it: " + medianAndMax(past),
              {},
              "median <= 300 ms",
              shown.median() <= 300});
    printRow({"longest turn of the event loop in a jump, median / max",
              medianAndMax(turns),
              {},
              {},
              "max <= 50 ms",
              turns.quantile(1) <= double(longestTurn.count())});
    std::printf("not as recorded: %lld of %d (seed %u)\n", static_cast<long long>(wrong), task.jumps,
                task.seed);
    return wrong == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    const QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    QCommandLineParser options;
    options.addOptions({{QStringLiteral("locks"), {}, QStringLiteral("N")},
                        {QStringLiteral("events"), {}, QStringLiteral("N")},
                        {QStringLiteral("jumps"), {}, QStringLiteral("N")},
                        {QStringLiteral("seed"), {}, QStringLiteral("N")},
                        {QStringLiteral("file"), {}, QStringLiteral("RECORDING")},
                        {QStringLiteral("smoke"), {}}});
    options.process(application);
    Task task;
    if (options.isSet(QStringLiteral("smoke"))) {
        task.locks = 3'000;
        task.events = 20'000;
        task.jumps = 5;
    }
    const auto number = [&](const char *name, auto value) {
        const QString text = options.value(QLatin1String(name));
        return text.isEmpty() ? value : static_cast<decltype(value)>(std::max(1LL, text.toLongLong()));
    };
    task.locks = number("locks", task.locks);
    task.events = number("events", task.events);
    task.jumps = number("jumps", task.jumps);
    task.seed = number("seed", task.seed);
    task.file = options.value(QStringLiteral("file"));
    printScaleHeading("The window's own thread, offscreen.");
    return run(task);
}
