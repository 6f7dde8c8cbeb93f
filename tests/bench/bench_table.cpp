// SPDX-License-Identifier: GPL-3.0-or-later
// The table of locks at a hundred thousand rows: updates, filter and painting beside a QSortFilterProxyModel over a plain
// model, memory a row, and the whole window as a process. --smoke: small and quick; --rows N: painting alone, of so many;
// --updates N: updates alone, so many rounds; --idle: the idle window alone.
#include "core/family/recognize.h"
#include "core/monitor/lockstore.h"
#include "core/simulation/server/privateserver.h"
#include "tests/bench/coldmemory.h"
#include "tests/bench/everypanel.h"
#include "tests/bench/heap.h"
#include "tests/bench/plainlocks.h"
#include "tests/bench/windowprocess.h"
#include "ui/locks/lockspage.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QRandomGenerator>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QWindow>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <random>
#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

struct Size
{
    int locks = 100'000;
    int updates = 10'000;
    int rounds = 15;
    int idleLocks = 1'000;
    std::chrono::seconds settling{12}; ///< the first ten seconds of a hold are told in tenths
    std::chrono::seconds idle{12};
};

constexpr int owners = 1'000; // a process with some threads has many locks
constexpr QSize pageSize{1280, 1100};

/// Of the processor, on this thread: what else the machine does is not in it.
double threadMs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// Times what the event loop spends on frames of one window, from the timer's tick to the pixels.
class TimedApplication : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject *receiver, QEvent *event) override
    {
        const bool isFrame = m_window && !m_isPainting &&
                             (receiver == m_window || receiver == m_window->windowHandle()) &&
                             event->type() == QEvent::UpdateRequest;
        if (!isFrame)
            return QApplication::notify(receiver, event);
        m_isPainting = true; // the window hands the event on to its widget
        const double before = threadMs();
        const bool taken = QApplication::notify(receiver, event);
        m_frames.push_back(threadMs() - before);
        m_isPainting = false;
        return taken;
    }

    void watch(const QWidget *window)
    {
        m_window = window;
        m_frames.clear();
    }
    const std::vector<double> &frames() const { return m_frames; }

private:
    const QWidget *m_window = nullptr;
    bool m_isPainting = false;
    std::vector<double> m_frames;
};

double quantile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

double median(const std::vector<double> &values)
{
    return quantile(values, 0.5);
}

double mean(const std::vector<double> &values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

template <typename Work>
double msOf(Work work)
{
    const double before = threadMs();
    work();
    return threadMs() - before;
}

QByteArray numbered(const char *prefix, int number)
{
    return prefix + QByteArray::number(number).rightJustified(6, '0');
}

QByteArray keyOf(int number)
{
    constexpr std::array kinds = {
        "lock:order:", "lock:payment:", "lock:stock:", "lock:user:", "lock:report:"};
    return numbered(kinds[static_cast<size_t>(number) % kinds.size()], number);
}

QByteArray ownerId(int number)
{
    return numbered("f47ac10b-58cc-4372-a567-0e02b2", number % owners) + ':' +
           QByteArray::number(number % 16);
}

/// As a reading of the server brings it, its bytes shared with nothing.
Inspection reading(int number, milliseconds ttl, bool isToken = false)
{
    const TimePoint now = Clock::now();
    Lock lock;
    lock.address.key = LockKey(keyOf(number));
    const Recognition recognized =
        isToken ? recognize(LockKey("k"), StringContent{numbered("9e107d9d-372b-4b68-8bde-1d5c4a", number)},
                            {}, 0)
                : recognize(LockKey("k"), HashContent{{{ownerId(number), "1"}}}, {}, 0);
    lock.type = isToken ? KeyType::String : KeyType::Hash;
    lock.family = recognized.family;
    lock.owners = recognized.owners;
    lock.ttl = ttl;
    lock.deadline = Deadline::fromPttl(ttl, now, now);
    lock.readAt = now;
    return {lock.address.key, lock};
}

milliseconds drawnTtl()
{
    return milliseconds(QRandomGenerator::global()->bounded(30'000, 600'000));
}

void printHeading()
{
    std::printf("Times are of the processor, on the window's thread. %s\n\n%-48s %12s %12s %8s   %s\n",
                coldMemoryText().constData(), "", "measured", "peer", "ratio", "target");
}

void printRow(const QByteArray &what, double value, const char *unit, double target)
{
    std::printf("%-48s %9.2f %-2s %12s %8s   <= %g %s: %s\n", what.constData(), value, unit, "", "", target,
                unit, value <= target ? "met" : "MISSED");
    std::fflush(stdout);
}

void printFigure(const char *what, double value, const char *unit)
{
    std::printf("    %-40s %9.2f %-2s\n", what, value, unit);
    std::fflush(stdout);
}

void printRow(const char *what, double own, double peer, double target, double part)
{
    std::printf("%-48s %9.2f ms %9.2f ms 1/%-6.1f   <= %g ms and 1/%g: %s\n", what, own, peer, peer / own,
                target, part, own <= target && peer >= own * part ? "met" : "MISSED");
}

/// What the model keeps, with the bytes of the locks, when the store they came from and its news are gone.
double bytesARow(int locks, bool areTokens)
{
    const DisplayClock clock;
    const double before = heapInUse();
    LockTableModel model(clock);
    model.sort(static_cast<int>(LockColumn::Ttl), Qt::AscendingOrder);
    {
        LockStore store;
        // In the portions in which a scan brings them.
        for (int i = 0; i < locks; ++i) {
            store.apply(reading(i, drawnTtl(), areTokens), Clock::now(), true);
            if (i % 5'000 == 4'999)
                model.apply(store.takeChanges());
        }
        model.apply(store.takeChanges());
    }
    return (heapInUse() - before) / locks;
}

/// The two tables, with the same locks, shown and sorted by what is left.
class Tables
{
public:
    explicit Tables(const Size &size) : m_size(size)
    {
        page.resize(pageSize);
        page.show();
        view = page.findChild<QTableView *>();
        view->sortByColumn(static_cast<int>(LockColumn::Ttl), Qt::AscendingOrder);
        peerView.setModel(&peerOrder);
        peerView.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
        peerView.verticalHeader()->setDefaultSectionSize(view->verticalHeader()->defaultSectionSize());
        peerView.resize(pageSize);
        peerView.show();
        for (int i = 0; i < size.locks; ++i)
            m_store.apply(reading(i, drawnTtl()), Clock::now(), true);
        const LockDiff diff = m_store.takeChanges();
        page.apply(diff);
        peer.apply(diff.changed);
        QCoreApplication::processEvents();
    }

    /// Renewed leases of locks anywhere in the table.
    LockDiff updates()
    {
        std::vector<int> numbers(static_cast<size_t>(m_size.locks));
        std::iota(numbers.begin(), numbers.end(), 0);
        std::shuffle(numbers.begin(), numbers.end(), *QRandomGenerator::global());
        for (int i = 0; i < m_size.updates; ++i)
            m_store.apply(reading(numbers[static_cast<size_t>(i)], drawnTtl()), Clock::now(), true);
        return m_store.takeChanges();
    }

    LocksPage page;
    QTableView *view = nullptr;
    PlainLocks peer;
    PlainOrder peerOrder{peer};
    QTableView peerView;

private:
    Size m_size;
    LockStore m_store;
};

/// What an event loop does until nothing is left to lay out and paint: a timer may ask for more.
void settle()
{
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents();
}

void measureUpdates(Tables &tables, const Size &size)
{
    std::vector<double> own, peer, model;
    for (int round = 0; round < size.rounds; ++round) {
        const LockDiff diff = tables.updates();
        settle();
        double applied = 0;
        own.push_back(msOf([&] {
            applied = msOf([&] { tables.page.apply(diff); });
            settle();
        }));
        model.push_back(applied);
        peer.push_back(msOf([&] {
            tables.peer.apply(diff.changed);
            settle();
        }));
    }
    char what[64];
    std::snprintf(what, sizeof what, "%d updates of %d rows, by time left", size.updates, size.locks);
    printRow(what, median(own), median(peer), 8, 10);
    printFigure("worst of them", quantile(own, 1), "ms");
    printFigure("without painting", median(model), "ms");
}

void measureFilter(Tables &tables)
{
    auto *field = tables.page.findChild<QLineEdit *>();
    std::vector<double> own, peer;
    const auto show = [&](const QByteArray &text) {
        own.push_back(msOf([&] {
            field->setText(QString::fromLatin1(text));
            settle();
        }));
        peer.push_back(msOf([&] {
            tables.peerOrder.setWord(text);
            settle();
        }));
    };
    for (const QByteArray typed : {"payment:00", "77", "stock"}) {
        for (qsizetype letters = 1; letters <= typed.size(); ++letters)
            show(typed.first(letters));
        for (qsizetype letters = typed.size() - 1; letters >= 0; --letters)
            show(typed.first(letters));
    }
    // Each letter is another case: some hide nearly all rows, some nearly none.
    printRow("a filter keystroke, mean", mean(own), mean(peer), 16, 5);
    printFigure("worst of them", quantile(own, 1), "ms");
}

/// All ready, with the slots shared evenly.
ClusterStatus clusterOf(int nodes)
{
    ClusterStatus cluster;
    auto keepers = std::make_shared<ClusterStatus::Keepers>();
    for (int slot = 0; slot < slotCount; ++slot)
        (*keepers)[static_cast<size_t>(slot)] = static_cast<qint16>(slot * nodes / slotCount);
    for (int i = 0; i < nodes; ++i) {
        NodeStatus node;
        node.name = QStringLiteral("10.0.0.%1:6379").arg(i);
        node.state = Link::State::Ready;
        node.isDecided = node.isCurrent = true;
        cluster.nodes.append(node);
    }
    cluster.keepers = keepers;
    cluster.labelNodes();
    return cluster;
}

/// The page's own frames, ten a second, and all of it anew.
void measureFrames(TimedApplication &application, Tables &tables, const Size &size, const QByteArray &where)
{
    const int rows = tables.view->viewport()->height() / tables.view->rowHeight(0);
    const double perRow = 40.0 / rows;
    application.watch(&tables.page);
    QElapsedTimer timer;
    timer.start();
    while (application.frames().size() < static_cast<size_t>(size.rounds) * 2 && !timer.hasExpired(20'000))
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 200);
    const std::vector<double> frames = application.frames();
    application.watch(nullptr);
    std::vector<double> whole;
    for (int round = 0; round < size.rounds * 2; ++round)
        whole.push_back(msOf([&] { tables.view->viewport()->repaint(); }) * perRow);
    printRow("a frame of 40 rows, what time moves" + where, median(frames) * perRow, "ms", 4);
    printRow("a frame of 40 rows, all of it" + where, median(whole), "ms", 4);
}

void measurePainting(TimedApplication &application, Tables &tables, const Size &size)
{
    measureFrames(application, tables, size, {});
    tables.page.setCluster(clusterOf(100)); // with the node of each lock
    settle();
    measureFrames(application, tables, size, ", 100 nodes");
}

bool fill(BlockingConnection &connection, int locks)
{
    for (int i = 0; i < locks;) {
        CommandBatch batch;
        for (const int end = std::min(i + 500, locks); i < end; ++i) {
            const QByteArray key = keyOf(i);
            batch.add({"HSET", key, ownerId(i), "1"});
            batch.add({"PEXPIRE", key, QByteArray::number(3'600'000 + i)});
        }
        if (!connection.send(batch))
            return false;
    }
    return true;
}

bool measureMemory(const Size &size, const QString &offscreen)
{
    PrivateServer server;
    if (!server.start())
        return false;
    BlockingConnection connection(server.address(), {});
    if (!connection.open() || !fill(connection, size.locks))
        return false;
    WindowProcess window(server.address(), offscreen);
    if (!window.waitUntilRead(connection, size.locks))
        return false;
    const std::optional<double> resident = window.residentMegabytes();
    if (!resident)
        return false;
    char what[64];
    std::snprintf(what, sizeof what, "the whole window, %d locks", size.locks);
    printRow(what, *resident, "MB", 200);
    return true;
}

enum class Panels { AtFirst, Every };

/// What a window costs that somebody looks at all day while nothing changes but time. With every panel open a lock is chosen,
/// too, so that each has something to show.
bool measureIdle(const Size &size, const QString &platform, Panels panels)
{
    PrivateServer server;
    if (!server.start())
        return false;
    BlockingConnection connection(server.address(), {});
    if (!connection.open() || !fill(connection, size.idleLocks))
        return false;
    const QTemporaryDir settings;
    QStringList arguments;
    if (panels == Panels::Every) {
        if (!layOutEveryPanel(server.address(), settings.path()))
            return false;
        arguments = {QStringLiteral("--select"), QString::fromLatin1(keyOf(size.idleLocks / 2))};
        connection.send({"CONFIG", "RESETSTAT"}); // the reads of this process are none of the other
    }
    WindowProcess window(server.address(), platform, settings.path(), arguments);
    if (!window.waitUntilRead(connection, size.idleLocks))
        return false;
    std::this_thread::sleep_for(size.settling);
    const auto load = window.load(size.idle);
    if (!load)
        return false;
    char what[64];
    std::snprintf(what, sizeof what, "idle, %d locks, %s, %s", size.idleLocks,
                  panels == Panels::Every ? "every panel" : "panels as at first",
                  platform.section(u':', 0, 0).toLatin1().constData());
    printRow(what, load->all * 100, "%", 2);
    printFigure("the window's thread", load->window * 100, "%");
    printFigure("the monitor's thread", load->monitor * 100, "%");
    return true;
}

bool measureIdle(const Size &size, const QString &offscreen)
{
    bool isComplete = true;
    for (const Panels panels : {Panels::AtFirst, Panels::Every}) {
        isComplete = isComplete && measureIdle(size, offscreen, panels);
        // With an X server to look at, painting takes another way.
        if (qEnvironmentVariableIsSet("DISPLAY"))
            isComplete = isComplete && measureIdle(size, QStringLiteral("xcb"), panels);
    }
    return isComplete;
}

int reported(bool isComplete)
{
    if (!isComplete)
        std::fprintf(stderr, "the window could not be measured\n");
    return isComplete ? 0 : 1;
}

/// Qt's platform without a screen, with one of the usual size: its own is too small for what a window shows at first.
QString offscreenWith(const QString &directory)
{
    QFile screens(directory + QStringLiteral("/screens.json"));
    if (screens.open(QIODevice::WriteOnly))
        screens.write(
            R"({"screens":[{"name":"desk","x":0,"y":0,"width":1920,"height":1080,"logicalDpi":96,"dpr":1}]})");
    return QStringLiteral("offscreen:configfile=") + screens.fileName();
}

} // namespace

int main(int argc, char **argv)
{
    const QTemporaryDir directory;
    const QString offscreen = offscreenWith(directory.path());
    // Where somebody looks, too, the tables of this process are not shown; the idle window is, see below.
    qputenv("QT_QPA_PLATFORM", offscreen.toLocal8Bit());
    TimedApplication application(argc, argv);
    // As the program, whose settings are written.
    QCoreApplication::setApplicationName(QStringLiteral("Lockscope"));
    QCoreApplication::setOrganizationName(QStringLiteral("lockscope"));
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, directory.path());
    Size size;
    if (QCoreApplication::arguments().contains(QStringLiteral("--smoke")))
        size = {2'000, 200, 5, 50, 0s, 1s};
    printHeading();
    if (const qsizetype rows = QCoreApplication::arguments().indexOf(QStringLiteral("--rows")); rows > 0) {
        size.locks = QCoreApplication::arguments().value(rows + 1).toInt();
        Tables tables(size);
        measurePainting(application, tables, size);
        return 0;
    }
    if (const qsizetype rounds = QCoreApplication::arguments().indexOf(QStringLiteral("--updates"));
        rounds > 0) {
        size.rounds = QCoreApplication::arguments().value(rounds + 1).toInt();
        Tables tables(size);
        measureUpdates(tables, size);
        return 0;
    }
    if (QCoreApplication::arguments().contains(QStringLiteral("--idle")))
        return reported(measureIdle(size, offscreen));
    const double reentrant = bytesARow(size.locks, false);
    const double tokens = bytesARow(size.locks, true);
    {
        Tables tables(size);
        measureUpdates(tables, size);
        measureFilter(tables);
        measurePainting(application, tables, size);
    }
    printRow("memory a row, a thousand owners", reentrant, "B", 300);
    printFigure("each with an owner of its own", tokens, "B");
    return reported(measureMemory(size, offscreen) && measureIdle(size, offscreen));
}
