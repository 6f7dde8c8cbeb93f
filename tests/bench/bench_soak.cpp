// SPDX-License-Identifier: GPL-3.0-or-later
// The window with every panel open, over a server whose locks change all the time: how long its event loop is busy with one
// thing, and whether its memory stays. --seconds N: so long; --smoke: seconds, figures without a meaning.
#include "core/simulation/model/histogram.h"
#include "tests/bench/dataset.h"
#include "tests/bench/everypanel.h"
#include "tests/bench/heap.h"
#include "tests/bench/scaletable.h"
#include "tests/bench/waituntil.h"
#include "tests/support/redisserver.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/mainwindow.h"

#include <QApplication>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdio>
#include <iostream>
#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr auto longestGap = 50ms;
constexpr double maxGrowth = 0.02;
constexpr double warmUpShare = 0.3; ///< of the time: until then, what is bounded fills up
constexpr int looksInAll = 600;     ///< at the heap
constexpr int looksInLine = 15;     ///< of what is printed meanwhile
constexpr QSize largeWindow{1880, 1000};

struct Scale
{
    int locks = 100'000;
    int changesPerSecond = 10'000;
    std::chrono::seconds time{600};
};

QByteArray ms(microseconds time)
{
    return QByteArray::number(static_cast<double>(time.count()) / 1000, 'f', 1);
}

QByteArray gapsText(const Histogram &gaps)
{
    QByteArray text;
    for (const double share : {0.5, 0.99, 0.999})
        text += ms(gaps.percentile(share).value_or(0us)) + " / ";
    return text + ms(gaps.max()) + " ms";
}

/// Makes the locks, and on a line of standard input changes them until that ends; says how often.
int write(const QString &socketPath, int locks, int changesPerSecond)
{
    LockCrowd crowd(socketPath, locks);
    if (!crowd.begin())
        return 1;
    std::string line;
    std::cout << "made" << std::endl;
    std::getline(std::cin, line);
    crowd.setRate(changesPerSecond);
    std::getline(std::cin, line);
    crowd.setRate(0);
    std::cout << crowd.changes() << std::endl;
    return crowd.hasFailed() ? 1 : 0;
}

/// That, in a process of its own: its memory is not the window's.
class Writer
{
public:
    Writer(const QString &socketPath, const Scale &scale)
    {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QCoreApplication::applicationFilePath(),
                        {QStringLiteral("--write"), socketPath, QString::number(scale.locks),
                         QString::number(scale.changesPerSecond)});
    }
    ~Writer()
    {
        m_process.closeWriteChannel();
        m_process.waitForFinished();
    }

    bool hasMade() { return m_process.canReadLine() || m_process.waitForReadyRead(60'000); }
    void begin() { m_process.write("\n"); }
    /// How many changes there were; none where the server refused.
    qint64 end()
    {
        m_process.closeWriteChannel();
        m_process.waitForFinished();
        return m_process.exitCode() == 0 ? m_process.readAll().trimmed().split('\n').last().toLongLong() : 0;
    }

private:
    QProcess m_process;
};

/// A thread that does nothing but sleep: how late this machine lets it run again.
class Sleeper
{
public:
    Sleeper()
        : m_thread([this](const std::stop_token &stop) {
              for (TimePoint last = Clock::now(); !stop.stop_requested();) {
                  std::this_thread::sleep_for(1ms);
                  const TimePoint now = Clock::now();
                  m_gaps.record(std::chrono::duration_cast<microseconds>(now - last));
                  last = now;
              }
          })
    {
    }
    const Histogram &stop()
    {
        m_thread.request_stop();
        m_thread.join();
        return m_gaps;
    }

private:
    Histogram m_gaps;
    std::jthread m_thread;
};

struct Figures
{
    Histogram gaps;
    Histogram ofMachine;
    // The mean of a tenth of the time, when all is warm, and of the last: the curve swings by several percent within seconds.
    double heapBefore = 0;
    double heapAfter = 0;
    microseconds longestLook{0}; ///< at the heap; no gap of the window's
};

Figures watch(const Scale &scale)
{
    Figures figures;
    Series before;
    Series after;
    const TimePoint begin = Clock::now();
    const TimePoint end = begin + scale.time;
    const auto tenth = std::chrono::duration_cast<Clock::duration>(scale.time) / 10;
    const TimePoint warm = begin + std::chrono::duration_cast<Clock::duration>(scale.time * warmUpShare);
    QEventLoop loop;
    TimePoint last = begin;
    QTimer pulse;
    pulse.setTimerType(Qt::PreciseTimer);
    QObject::connect(&pulse, &QTimer::timeout, &loop, [&] {
        const TimePoint now = Clock::now();
        figures.gaps.record(std::chrono::duration_cast<microseconds>(now - last));
        last = now;
        if (now >= end)
            loop.quit();
    });
    QTimer look;
    int looks = 0;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        const TimePoint now = Clock::now();
        const double heap = heapInUse();
        if (now >= warm && now < warm + tenth)
            before.add(heap);
        else if (now >= end - tenth)
            after.add(heap);
        const auto took = Clock::now() - now;
        last += took; // the window would not have looked
        figures.longestLook = std::max(figures.longestLook, std::chrono::duration_cast<microseconds>(took));
        if (looks++ % looksInLine != 0)
            return;
        std::fprintf(
            stderr, "%4lld s: %.1f MB in use, longest gap %s ms\n",
            static_cast<long long>(std::chrono::duration_cast<std::chrono::seconds>(now - begin).count()),
            heap / 1e6, ms(figures.gaps.max()).constData());
    });
    look.start(std::chrono::duration_cast<std::chrono::milliseconds>(scale.time) / looksInAll);
    Sleeper sleeper;
    pulse.start(1);
    loop.exec();
    figures.ofMachine = sleeper.stop();
    figures.heapBefore = before.isEmpty() ? 0 : before.mean();
    figures.heapAfter = after.isEmpty() ? 0 : after.mean();
    return figures;
}

bool run(const Scale &scale)
{
    const QByteArray what = QByteArray::number(scale.locks) + " locks, every panel open";
    const QTemporaryDir files;
    const RedisServer server;
    Writer writer(server.socketPath(), scale);
    if (!writer.hasMade()) {
        printNotMeasured(what, "the locks could not be made");
        return false;
    }
    if (!layOutEveryPanel(server.socketAddress(), files.path())) {
        printNotMeasured(what, "the panels did not open");
        return false;
    }
    WindowOptions options;
    options.server = server.socketAddress();
    options.usesKeychain = false;
    options.auditPath = files.filePath(QStringLiteral("audit.log"));
    MainWindow window(options);
    window.resize(largeWindow);
    window.show();
    const bool isRead = waitUntil([&] {
        const auto *page = window.findChild<LocksPage *>();
        return page && page->model().rowCount() >= scale.locks * 9 / 10;
    });
    if (!isRead) {
        printNotMeasured(what, "not all were shown in time");
        return false;
    }
    writer.begin();
    const Figures figures = watch(scale);
    const qint64 changes = writer.end();
    if (changes == 0) {
        printNotMeasured(what, "the server refused");
        return false;
    }
    const QByteArray at = ", " + QByteArray::number(changes / scale.time.count()) + " changes/s for " +
                          QByteArray::number(scale.time.count()) + " s";
    const microseconds most = figures.gaps.percentile(0.999).value_or(0us);
    printRow({what + at + ": gaps of the event loop, p50 / p99 / p99.9 / max",
              gapsText(figures.gaps),
              "a thread that only sleeps: " + gapsText(figures.ofMachine),
              {},
              "p99.9 <= 50 ms",
              most <= longestGap});
    const double growth = figures.heapAfter / figures.heapBefore - 1;
    std::fprintf(stderr, "a look at the heap took %s ms at most\n", ms(figures.longestLook).constData());
    printRow({"heap in use, mean of a tenth of the time: behind 3/10 of it, and at its end",
              QByteArray::number(figures.heapBefore / 1e6, 'f', 1) + " to " +
                  QByteArray::number(figures.heapAfter / 1e6, 'f', 1) + " MB",
              {},
              QByteArray::number(growth * 100, 'f', 2) + " %",
              "<= 2 %",
              growth <= maxGrowth});
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc == 5 && qstrcmp(argv[1], "--write") == 0)
        return write(QString::fromLocal8Bit(argv[2]), QByteArray(argv[3]).toInt(),
                     QByteArray(argv[4]).toInt());
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    Scale scale;
    if (arguments.contains(QStringLiteral("--smoke")))
        scale = {500, 200, 4s};
    if (const qsizetype at = arguments.indexOf(QStringLiteral("--seconds")); at > 0)
        scale.time = std::chrono::seconds(std::max(4, arguments.value(at + 1).toInt()));
    printScaleHeading("The window's own thread, offscreen.");
    return run(scale) ? 0 : 1;
}
