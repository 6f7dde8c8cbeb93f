// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window takes to be there, and its first rows, beside a program with an empty QMainWindow, in turns. With a display it
// is an X server's window, else that of Qt's offscreen platform. --smoke: one round.
#include "tests/bench/plainclient.h"
#include "tests/bench/scaletable.h"
#include "tests/support/redisserver.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTemporaryDir>

#include <chrono>
#include <cstdio>
#include <map>

using namespace lockscope;

namespace {

constexpr double maxAboveEmptyMs = 300;
constexpr double longestToRowsMs = 500;
constexpr int locks = 1'000;
constexpr int patienceMs = 60'000;

double steadyMs()
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// From the start of `program` to each of `moments`, in ms; empty where one did not come.
std::map<QByteArray, double> started(const QString &program, const QStringList &arguments,
                                     const QList<QByteArray> &moments)
{
    const QTemporaryDir home;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LD_PRELOAD"), QStringLiteral(LOCKSCOPE_START_WATCH));
    // A sanitizer wants to be loaded first, before what watches.
    environment.insert(QStringLiteral("ASAN_OPTIONS"), environment.value(QStringLiteral("ASAN_OPTIONS")) +
                                                           QStringLiteral(":verify_asan_link_order=0"));
    if (!environment.contains(QStringLiteral("DISPLAY")))
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    for (const char *place : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        environment.insert(QString::fromLatin1(place), home.path());
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    std::map<QByteArray, double> times;
    const double begin = steadyMs();
    process.start(QCoreApplication::applicationDirPath() + u'/' + program, arguments);
    while (times.size() < static_cast<size_t>(moments.size()) &&
           (process.canReadLine() || process.waitForReadyRead(patienceMs))) {
        while (process.canReadLine()) {
            const QList<QByteArray> words = process.readLine().trimmed().split(' ');
            if (words.size() == 2 && moments.contains(words[0]))
                times.emplace(words[0], words[1].toDouble() / 1e6 - begin);
        }
    }
    process.terminate();
    process.waitForFinished();
    return times.size() == static_cast<size_t>(moments.size()) ? times : std::map<QByteArray, double>();
}

void printTime(const QByteArray &what, const Series &times, const Series &empty, double most)
{
    printRow({what,
              times.text(0) + " ms",
              "an empty QMainWindow: " + empty.text(0) + " ms",
              {},
              "<= " + QByteArray::number(most) + " ms",
              times.median() <= most});
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const int rounds = QCoreApplication::arguments().contains(QStringLiteral("--smoke")) ? 1 : 15;
    const RedisServer server;
    PlainClient client(server.socketPath());
    for (int i = 0; i < locks; ++i)
        client.append({"SET", "lock:" + QByteArray::number(i), "f47ac10b-58cc-4372-a567-0e02b2c3d479", "PX",
                       "3600000"});
    if (!client.drain())
        return 1;
    printScaleHeading(
        "Start of the window: medians (quartiles) of the rounds, in which the programs took turns; "
        "on any cores.");
    Series empty, above, rows;
    for (int round = 0; round < rounds; ++round) {
        const auto peer = started(QStringLiteral("emptywindow"), {}, {"window"});
        const auto own = started(QStringLiteral("lockscope"),
                                 {QStringLiteral("-s"), server.socketPath(), QStringLiteral("--pattern"),
                                  QStringLiteral("lock:*")},
                                 {"window", "rows"});
        if (peer.empty() || own.empty()) {
            printNotMeasured("start", "a window did not come");
            return 1;
        }
        empty.add(peer.at("window"));
        above.add(own.at("window") - peer.at("window"));
        rows.add(own.at("rows"));
    }
    printTime("start to the window, more than an empty one", above, empty, maxAboveEmptyMs);
    printTime("start to the first rows, " + QByteArray::number(locks) + " locks", rows, empty,
              longestToRowsMs);
    return 0;
}
