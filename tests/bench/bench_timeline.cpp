// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline of 1,000 locks and a million slices: memory a slice, what an event costs, and a frame while it is panned, beside
// QCustomPlot, which draws the holds alone; the statistics of all of them, and a hundred thousand owners put together, in parts
// between which a window goes on. --smoke: short.
#include "core/history/lockstatistics.h"
#include "core/table/displayclock.h"
#include "tests/bench/heap.h"
#include "tests/bench/series.h"
#include "tests/ui/samplelocks.h"
#include "ui/lanes/laneview.h"
#include "ui/owners/ownerindex.h"
#include "ui/timeline/locklanes.h"

#include <QApplication>
#include <QDateTime>
#include <QImage>
#include <QPainter>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>

// Its header needs a word that this program leaves to others.
#define foreach(variable, container) for (variable : container)
#include <qcustomplot.h>
#undef foreach

using namespace lockscope;
using namespace lockscope::sample;

namespace {

constexpr QSize pictureSize(1200, 600);

/// Of the processor, on this thread: what else the machine does is not in it.
double threadMs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

void printRow(const char *what, double value, const char *unit, double target)
{
    std::printf("%-64s %9.3f %-5s   <= %g %s: %s\n", what, value, unit, target, unit,
                value <= target ? "met" : "MISSED");
    std::fflush(stdout);
}

QByteArray keyOf(int lock)
{
    return "lock:order:" + QByteArray::number(lock);
}

/// One hold: its lock, and from when to when.
struct Hold
{
    int lock;
    qint64 from;
    qint64 to;
};

/// Of all locks in turn, each with pauses of another length.
std::vector<Hold> holdsOf(int locks, int perLock, qint64 spanMs, qint64 endMs)
{
    std::mt19937 random(1);
    std::vector<Hold> holds;
    const qint64 each = spanMs / perLock;
    for (int turn = 0; turn < perLock; ++turn) {
        for (int lock = 0; lock < locks; ++lock) {
            const qint64 from = endMs - spanMs + turn * each + qint64(random() % 100) * each / 400;
            holds.push_back({lock, from, from + each / 4 + qint64(random() % 100) * each / 200});
        }
    }
    return holds;
}

void tell(LockHistory &history, const std::vector<Hold> &holds)
{
    struct Told
    {
        qint64 at;
        EventKind kind;
        int lock;
        int owner;
    };
    std::vector<Told> all;
    for (size_t i = 0; i < holds.size(); ++i) {
        const Hold &hold = holds[i];
        const int owner = int(i % 500);
        all.push_back({hold.from, EventKind::Acquired, hold.lock, owner});
        all.push_back({(hold.from + hold.to) / 2, EventKind::Renewed, hold.lock, owner});
        all.push_back({hold.to, i % 50 == 0 ? EventKind::Expired : EventKind::Released, hold.lock, owner});
    }
    std::ranges::stable_sort(all, {}, &Told::at);
    for (const Told &told : all) {
        LockEvent event;
        event.kind = told.kind;
        event.address.key = LockKey(keyOf(told.lock));
        event.family = "reentrant"_family;
        event.owners = {
            {OwnerId("f47ac10b-58cc-4372-a567-0e02b2c3d479:" + QByteArray::number(told.owner)), "1", 1}};
        event.ttl = 30'000ms;
        event.wallMs = told.at;
        LockDiff diff;
        diff.events = {event};
        history.apply(diff, told.at);
    }
}

/// Each lock's holds as a thick line with gaps, as is usual with it.
class PlainPlot
{
public:
    PlainPlot(int locks, const std::vector<Hold> &holds)
    {
        m_plot.resize(pictureSize);
        m_plot.setNoAntialiasingOnDrag(true);
        m_plot.setNotAntialiasedElements(QCP::aeAll);
        std::vector<QSharedPointer<QCPGraphDataContainer>> data;
        for (int lock = 0; lock < locks; ++lock) {
            QCPGraph *graph = m_plot.addGraph();
            graph->setPen(QPen(Qt::blue, 14, Qt::SolidLine, Qt::FlatCap));
            data.push_back(graph->data());
        }
        for (const Hold &hold : holds) {
            const double y = -hold.lock;
            data[size_t(hold.lock)]->add({double(hold.from), y});
            data[size_t(hold.lock)]->add({double(hold.to), y});
            data[size_t(hold.lock)]->add({double(hold.to), std::nan("")});
        }
    }
    double frameMs(TimeRange time, int lanes)
    {
        m_plot.xAxis->setRange(double(time.fromMs), double(time.toMs));
        m_plot.yAxis->setRange(-lanes, 1);
        const double before = threadMs();
        m_plot.replot(QCustomPlot::rpImmediateRefresh);
        return threadMs() - before;
    }

private:
    QCustomPlot m_plot;
};

struct Parts
{
    double longest = 0;
    double all = 0;
};

/// What is done in parts, until nothing is left of it.
template <typename Work>
Parts inParts(Work work)
{
    Parts parts;
    for (bool isDone = false; !isDone;) {
        const double before = threadMs();
        isDone = work();
        const double took = threadMs() - before;
        parts.longest = std::max(parts.longest, took);
        parts.all += took;
    }
    return parts;
}

void reckonStatistics(const LockHistory &history, qint64 fromMs, qint64 toMs)
{
    StatisticsRun run(history, fromMs, toMs);
    const Parts parts = inParts([&run] { return run.work(5ms); });
    qint64 slices = 0;
    const double before = threadMs();
    history.visitStays(fromMs, toMs, toMs, history.store().slices(),
                       [&slices](const LockKey &, const HistorySlice &slice) { slices += slice.merged; });
    const double visited = threadMs() - before;
    printRow("statistics of all locks, the longest part", parts.longest, "ms", 8);
    std::printf("    all of them %.1f ms; a visit of the %lld holds alone %.1f ms, %.1f times\n", parts.all,
                slices, visited, parts.all / visited);
}

void putOwnersTogether(int locks)
{
    const DisplayClock clock;
    const OwnerNames names;
    LockTableModel model(clock, names);
    LockDiff all;
    for (int lock = 0; lock < locks; ++lock)
        all.changed.append(redisson(keyOf(lock), client + ':' + QByteArray::number(lock)));
    model.apply(all);
    OwnerIndex index(model, clock, names);
    index.start(OwnerGrouping::Owner);
    const Parts parts = inParts([&index] { return index.work(5ms); });
    double before = threadMs();
    const auto first = index.ranked(500);
    const double ranked = threadMs() - before;
    before = threadMs();
    LockDiff some;
    some.changed = all.changed.first(std::min<qsizetype>(all.changed.size(), 300));
    index.apply(some);
    std::printf("%d owners; %zu listed, 300 changes taken in %.2f ms\n", locks, first.size(),
                threadMs() - before);
    printRow("owners put together, the longest part", parts.longest, "ms", 8);
    printRow("owners put in order, twice a second", ranked, "ms", 16);
    std::printf("    all of them %.1f ms\n", parts.all);
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    const bool isSmoke = app.arguments().contains(QStringLiteral("--smoke"));
    const int locks = isSmoke ? 50 : 1000;
    const int perLock = isSmoke ? 20 : 333; // each hold is three slices
    const int frames = isSmoke ? 3 : 100;
    constexpr qint64 spanMs = 3'600'000;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const std::vector<Hold> holds = holdsOf(locks, perLock, spanMs, now - 1000);

    const double heapBefore = heapInUse();
    LockHistory history;
    const double fedFrom = threadMs();
    tell(history, holds);
    const double fedMs = threadMs() - fedFrom;
    const auto slices = double(history.store().slices());
    std::printf("%d locks, %.0f slices in %lld s\n", locks, slices, spanMs / 1000);
    printRow("memory a slice", (heapInUse() - heapBefore) / slices, "bytes", 40);
    printRow("an event taken, with its making", 1000 * fedMs / (3 * double(holds.size())), "us", 5);

    reckonStatistics(history, now - spanMs, now);
    putOwnersTogether(100 * locks);

    const DisplayClock clock;
    const OwnerNames names;
    LockTableModel model(clock, names);
    LockDiff all;
    for (int lock = 0; lock < locks; ++lock)
        all.changed.append(reentrant(keyOf(lock)));
    model.apply(all);
    LockLanes lanes(history, model, clock, names);
    const double updatedFrom = threadMs();
    lanes.update({now - spanMs, now});
    printRow("the lanes chosen and put in order, twice a second", threadMs() - updatedFrom, "ms", 8);

    LaneView view(lanes);
    view.resize(pictureSize);
    view.takeTime();
    view.takeLanes();
    PlainPlot plot(locks, holds);
    QImage image(pictureSize, QImage::Format_ARGB32_Premultiplied);
    for (const qint64 shown : {qint64(10'000), qint64(60'000), qint64(900'000), spanMs}) {
        Series ours, theirs;
        view.setSpan(shown);
        view.setFollowing(true);
        for (int frame = 0; frame < frames; ++frame) {
            QKeyEvent left(QEvent::KeyPress, Qt::Key_Left, Qt::ControlModifier);
            if (frame % 10 == 9)
                QCoreApplication::sendEvent(&view, &left);
            const double before = threadMs();
            QPainter painter(&image);
            view.render(&painter);
            painter.end();
            ours.add(threadMs() - before);
            const int seen = std::max(1, view.laneAt(pictureSize.height() - 1));
            theirs.add(plot.frameMs(view.scale().shown(), seen));
        }
        const QByteArray what = "a frame of " + QByteArray::number(shown / 1000) + " s, p95";
        printRow(what.constData(), ours.quantile(0.95), "ms", 8);
        std::printf("    median %s ms; QCustomPlot %s ms, %.1f times\n", ours.text(2).constData(),
                    theirs.text(2).constData(), theirs.median() / ours.median());
        std::fflush(stdout);
    }
    return 0;
}
