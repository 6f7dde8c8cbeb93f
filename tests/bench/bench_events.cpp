// SPDX-License-Identifier: GPL-3.0-or-later
// The list of events under 10,000 events a second: how long it keeps the event loop, and memory an event. --smoke: short.
#include "tests/bench/heap.h"
#include "tests/support/familyliteral.h"
#include "ui/events/eventspanel.h"
#include "ui/events/eventtable.h"

#include <QApplication>
#include <QDateTime>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QLineEdit>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr int eventsASecond = 10'000;
constexpr int keys = 5'000;
constexpr auto portion = 10ms; // in which a monitor tells

/// Of the processor, on this thread: what else the machine does is not in it.
double threadMs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// Times each event of the loop: nothing else can happen in the window so long.
class TimedApplication : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject *receiver, QEvent *event) override
    {
        if (m_depth > 0)
            return QApplication::notify(receiver, event);
        ++m_depth;
        const double before = threadMs();
        const bool taken = QApplication::notify(receiver, event);
        m_longest = std::max(m_longest, threadMs() - before);
        --m_depth;
        return taken;
    }
    double takeLongest() { return std::exchange(m_longest, 0); }

private:
    int m_depth = 0;
    double m_longest = 0;
};

/// As readings bring them, the bytes shared with nothing.
QList<LockEvent> nextEvents(int &number, int count)
{
    QList<LockEvent> events;
    for (; count > 0; --count, ++number) {
        LockEvent event;
        event.kind = number % 2 == 0 ? EventKind::Acquired : EventKind::Released;
        event.address.key = LockKey("lock:order:" + QByteArray::number(number / 2 % keys));
        event.family = "reentrant"_family;
        event.owners = {
            {OwnerId("f47ac10b-58cc-4372-a567-0e02b2c3d479:" + QByteArray::number(number / 2 % 500)), "1",
             1}};
        event.ttl = 30'000ms;
        event.wallMs = QDateTime::currentMSecsSinceEpoch();
        events.append(event);
    }
    return events;
}

void printRow(const char *what, double value, const char *unit, double target)
{
    std::printf("%-56s %9.2f %-5s   <= %g %s: %s\n", what, value, unit, target, unit,
                value <= target ? "met" : "MISSED");
    std::fflush(stdout);
}

struct Run
{
    double longestMs = 0; ///< of one event of the loop
    double share = 0;     ///< of a core
};

Run runFor(TimedApplication &app, EventLog &log, int &number, std::chrono::milliseconds duration)
{
    QTimer feed;
    feed.setTimerType(Qt::PreciseTimer);
    QElapsedTimer passed;
    qint64 told = 0;
    QObject::connect(&feed, &QTimer::timeout, &feed, [&] {
        // On a machine that is busy the timer is late, and its events are as many.
        const qint64 due = std::min(passed.elapsed(), qint64(duration.count())) * eventsASecond / 1000;
        log.append(nextEvents(number, static_cast<int>(due - told)));
        told = due;
    });
    app.takeLongest();
    const double before = threadMs();
    passed.start();
    feed.start(portion);
    QEventLoop loop;
    QTimer::singleShot(duration, &loop, &QEventLoop::quit);
    loop.exec();
    return {app.takeLongest(), (threadMs() - before) / static_cast<double>(duration.count())};
}

} // namespace

int main(int argc, char **argv)
{
    TimedApplication app(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    const bool isSmoke = QCoreApplication::arguments().contains(QStringLiteral("--smoke"));
    const std::chrono::milliseconds duration = isSmoke ? 300ms : 10'000ms;
    std::printf("Times are of the processor, on the window's thread.\n\n");
    const double before = heapInUse();
    EventLog log;
    int number = 0;
    while (log.end() < EventLog::usualMost)
        log.append(nextEvents(number, 100));
    printRow("memory an event, of 100,000 with 5,000 keys",
             (heapInUse() - before) / static_cast<double>(EventLog::usualMost), "bytes", 60);

    const OwnerNames names;
    EventsPanel panel(log, names);
    panel.resize(1280, 400);
    panel.show();
    const Run top = runFor(app, log, number, duration);
    printRow("10,000 events a second, newest shown: longest", top.longestMs, "ms", 50);
    printRow("    of the thread", 100 * top.share, "%", 50);
    auto *table = panel.findChild<EventTable *>();
    table->verticalScrollBar()->setValue(500);
    const Run away = runFor(app, log, number, duration);
    printRow("10,000 events a second, scrolled away: longest", away.longestMs, "ms", 50);
    panel.findChild<QLineEdit *>()->setText(QStringLiteral("order:77 released"));
    const Run filtered = runFor(app, log, number, duration);
    printRow("10,000 events a second, filtered: longest", filtered.longestMs, "ms", 50);
    const double typed = threadMs();
    panel.findChild<QLineEdit *>()->setText(QStringLiteral("order:77 rele"));
    printRow("a filter of 100,000 events", threadMs() - typed, "ms", 100);
    panel.hide();
    const Run hidden = runFor(app, log, number, duration);
    printRow("10,000 events a second, hidden: of the thread", 100 * hidden.share, "%", 10);
    return 0;
}
