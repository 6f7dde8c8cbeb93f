// SPDX-License-Identifier: GPL-3.0-or-later
// What comes all at once: a flush of all locks under the window, and locks that live a second, right after `watch` said that
// it is ready. --smoke: seconds, figures without a meaning.
#include "tests/bench/plainclient.h"
#include "tests/bench/scaletable.h"
#include "tests/bench/series.h"
#include "tests/support/redisserver.h"

#include "core/model/lock.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/mainwindow.h"

#include <QApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdio>
#include <functional>
#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr auto patience = 60s;
constexpr auto allGoneWithin = 1s;
constexpr auto longestPause = 100ms;

double ms(Clock::duration time)
{
    return std::chrono::duration<double, std::milli>(time).count();
}

bool makeLocks(PlainClient &client, int count)
{
    for (int i = 0; i < count; ++i) {
        client.append({"SET", "lock:" + QByteArray::number(i),
                       "f47ac10b-58cc-4372-a567-" + QByteArray::number(i).rightJustified(12, '0'), "PX",
                       "3600000"});
        if (i % 1000 == 999 && !client.drain())
            return false;
    }
    return client.drain();
}

bool runUntil(const std::function<bool()> &isSo)
{
    const TimePoint end = Clock::now() + patience;
    while (!isSo()) {
        if (Clock::now() > end)
            return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    }
    return true;
}

/// Until no row is left, and the longest that the window's thread was at one thing.
bool benchFlush(int locks, int rounds)
{
    const QByteArray what = "a flush of " + QByteArray::number(locks) + " locks under the window";
    Series gone;
    Series pause;
    for (int round = 0; round < rounds; ++round) {
        const RedisServer server;
        PlainClient client(server.socketPath());
        QTemporaryDir files;
        WindowOptions options;
        options.server = server.socketAddress();
        options.auditPath = files.filePath(QStringLiteral("audit.jsonl"));
        if (!makeLocks(client, locks)) {
            printNotMeasured(what, "the server refused");
            return false;
        }
        MainWindow window(options);
        window.resize(1200, 700);
        window.show();
        const auto rows = [&] {
            const auto *page = window.findChild<LocksPage *>();
            return page ? page->model().rowCount() : 0;
        };
        if (!runUntil([&] { return rows() == locks; })) {
            printNotMeasured(what, "not all were shown in time");
            return false;
        }
        const TimePoint settled = Clock::now() + 2s;
        runUntil([&] { return Clock::now() > settled; });
        TimePoint last = Clock::now();
        Clock::duration longest{};
        QTimer pulse;
        QObject::connect(&pulse, &QTimer::timeout, &pulse, [&] {
            longest = std::max(longest, Clock::now() - last);
            last = Clock::now();
        });
        pulse.start(1ms);
        client.append({"FLUSHALL", "ASYNC"});
        if (!client.drain())
            return false;
        const TimePoint flushed = last = Clock::now();
        if (!runUntil([&] { return rows() == 0; })) {
            printNotMeasured(what, "its rows stayed");
            return false;
        }
        gone.add(ms(Clock::now() - flushed));
        const TimePoint after = Clock::now() + 500ms; // the notice and the empty page are painted, too
        runUntil([&] { return Clock::now() > after; });
        pause.add(ms(longest));
    }
    printRow({what + ": rows gone",
              gone.text(0) + " ms",
              "a limit: 1 s",
              {},
              "<= 1000 ms",
              gone.median() <= ms(allGoneWithin)});
    printRow({what + ": longest pause",
              pause.text(0) + " ms",
              "a limit: 100 ms",
              {},
              "<= 100 ms",
              pause.median() <= ms(longestPause)});
    return true;
}

/// How many of those that live 1 to 1.5 s are told when they come the moment that `watch` is ready.
bool benchReady(int locks, int brief)
{
    const QByteArray what =
        "told of " + QByteArray::number(brief) + " short locks, ready with " + QByteArray::number(locks);
    const RedisServer server;
    PlainClient client(server.socketPath());
    if (!makeLocks(client, locks)) {
        printNotMeasured(what, "the server refused");
        return false;
    }
    QProcess watch;
    watch.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    watch.start(
        QCoreApplication::applicationDirPath() + QStringLiteral("/lockscope-cli"),
        {QStringLiteral("-s"), server.socketPath(), QStringLiteral("--json"), QStringLiteral("watch")});
    QSet<QString> told;
    std::jthread writer;
    std::optional<TimePoint> ready;
    const bool ended = runUntil([&] {
        while (watch.canReadLine()) {
            const QJsonObject event = QJsonDocument::fromJson(watch.readLine()).object();
            const QString name = event[QStringLiteral("event")].toString();
            const QString key = event[QStringLiteral("key")].toString();
            if (name == QLatin1String("ready") && !ready) {
                ready = Clock::now();
                writer = std::jthread([&server, brief] {
                    PlainClient shortLived(server.socketPath());
                    for (int i = 0; i < brief; ++i) {
                        shortLived.send({"SET", "lock:short:" + QByteArray::number(i), "a-token:1", "PX",
                                         QByteArray::number(1000 + i % 500)});
                        std::this_thread::sleep_for(3ms);
                    }
                });
            } else if (key.startsWith(QLatin1String("lock:short:")) &&
                       (name == QLatin1String("acquired") || name == QLatin1String("found"))) {
                told.insert(key);
            }
        }
        return told.size() == brief || (ready && Clock::now() > *ready + 6s);
    });
    watch.terminate();
    watch.waitForFinished();
    if (!ended) {
        printNotMeasured(what, "watch was not ready in time");
        return false;
    }
    printRow({what, QByteArray::number(told.size()), "all", {}, "all", told.size() == brief});
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    const QApplication application(argc, argv);
    const bool smoke = QCoreApplication::arguments().contains(QStringLiteral("--smoke"));
    const int locks = smoke ? 2000 : 100'000;
    printScaleHeading();
    const bool flushed = benchFlush(locks, smoke ? 1 : 5);
    const bool told = benchReady(locks, smoke ? 20 : 500);
    return flushed && told ? 0 : 1;
}
