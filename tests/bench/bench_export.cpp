// SPDX-License-Identifier: GPL-3.0-or-later
// What a scrape of `lockscope-cli export` takes with many locks, and how long it keeps the program from anything else. The peer is
// what a scrape takes that reads all locks from the server, as an exporter without a picture of its own would. --smoke: seconds,
// figures without a meaning.
#include "tests/bench/plainclient.h"
#include "tests/bench/plainscan.h"
#include "tests/bench/scaletable.h"
#include "tests/bench/series.h"
#include "tests/support/redisserver.h"

#include "core/base/time.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTcpSocket>

#include <atomic>
#include <cstdio>
#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr int patienceMs = 60'000;
constexpr double longestScrapeMs = 50;
constexpr double longestGapMs = 16;
constexpr double maxOfPeer = 0.1;
constexpr int scanCount = 500;
constexpr qsizetype mostSeries = 400;

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

/// One connection that stays, as Prometheus has it.
class Scraper
{
public:
    bool connectTo(const QByteArray &address)
    {
        m_socket.connectToHost(QString::fromLatin1(address.left(address.indexOf(':'))),
                               quint16(address.mid(address.indexOf(':') + 1).toInt()));
        return m_socket.waitForConnected(patienceMs);
    }
    /// Empty: there was no answer.
    QByteArray get(const QByteArray &path)
    {
        m_socket.write("GET " + path +
                       " HTTP/1.1\r\nHost: bench\r\nAccept: application/openmetrics-text\r\n\r\n");
        QByteArray answer;
        for (;;) {
            const qsizetype head = answer.indexOf("\r\n\r\n");
            const qsizetype length = answer.indexOf("Content-Length: ");
            if (head >= 0 && length >= 0) {
                const qsizetype from = length + 16;
                const qsizetype size = answer.mid(from, answer.indexOf('\r', from) - from).toInt();
                if (answer.size() >= head + 4 + size)
                    return answer.sliced(head + 4);
            }
            if (m_socket.bytesAvailable() == 0 && !m_socket.waitForReadyRead(patienceMs))
                return {};
            answer += m_socket.readAll();
        }
    }

private:
    QTcpSocket m_socket;
};

/// Changes locks until it is told to stop.
class Changer
{
public:
    Changer(const QString &socketPath, int locks)
        : m_thread([this, socketPath, locks](const std::stop_token &stop) {
              PlainClient client(socketPath);
              for (int i = 0; !stop.stop_requested(); ++i) {
                  client.send({"PEXPIRE", "lock:" + QByteArray::number(i % locks), "3600000"});
                  std::this_thread::sleep_for(1ms);
              }
          })
    {
    }

private:
    std::jthread m_thread;
};

bool bench(int locks, int rounds, int probes)
{
    const QByteArray what = "a scrape, " + QByteArray::number(locks) + " locks";
    const RedisServer server;
    PlainClient client(server.socketPath());
    if (!makeLocks(client, locks)) {
        printNotMeasured(what, "the server refused");
        return false;
    }
    QProcess program;
    program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    program.start(QCoreApplication::applicationDirPath() + QStringLiteral("/lockscope-cli"),
                  {QStringLiteral("-s"), server.socketPath(), QStringLiteral("--pattern"),
                   QStringLiteral("lock:*"), QStringLiteral("export"), QStringLiteral("--listen"),
                   QStringLiteral("127.0.0.1:0")});
    const bool isListening = program.waitForReadyRead(patienceMs);
    const QByteArray url = program.readLine().trimmed();
    const QByteArray address = url.mid(url.indexOf("//") + 2).chopped(8); // without /metrics
    Scraper scraper;
    if (!isListening || !scraper.connectTo(address)) {
        printNotMeasured(what, "it does not listen");
        return false;
    }
    const QByteArray all = "state=\"held\"} " + QByteArray::number(locks) + '\n';
    const TimePoint end = Clock::now() + std::chrono::milliseconds(patienceMs);
    while (!scraper.get("/metrics").contains(all)) {
        if (Clock::now() > end) {
            printNotMeasured(what, "not all were read in time");
            return false;
        }
        std::this_thread::sleep_for(50ms);
    }
    const Changer changer(server.socketPath(), locks);
    PairedTimes scrapes;
    Series own;
    for (int round = 0; round < rounds; ++round) {
        TimePoint begin = Clock::now();
        const bool isThere = scraper.get("/metrics").contains("lockscope_locks{");
        const double scrape = ms(Clock::now() - begin);
        begin = Clock::now();
        if (!isThere || !scanAndRead(client, "lock:*", scanCount)) {
            printNotMeasured(what, "no answer");
            return false;
        }
        own.add(scrape);
        scrapes.add(scrape, ms(Clock::now() - begin));
    }
    Series waits;
    for (int probe = 0; probe < probes; ++probe) {
        if (probe % 20 == 0)
            scraper.get("/metrics");
        const TimePoint begin = Clock::now();
        scraper.get("/");
        waits.add(ms(Clock::now() - begin));
        std::this_thread::sleep_for(1ms);
    }
    qsizetype series = 0;
    for (const QByteArray &line : scraper.get("/metrics").split('\n'))
        series += !line.isEmpty() && !line.startsWith('#');
    program.terminate();
    program.waitForFinished();
    printRow(
        {what + ": series", QByteArray::number(series), "a limit: 400", {}, "<= 400", series <= mostSeries});
    printRow(scrapes.row(what, "reading all from the server", "ms", 2, maxOfPeer));
    printRow({what + ": its longest",
              QByteArray::number(own.quantile(1), 'f', 2) + " ms",
              "a limit: 50 ms",
              {},
              "<= 50 ms",
              own.quantile(1) <= longestScrapeMs});
    printRow({what + ", 1000 changes/s: a short page waits, p99",
              QByteArray::number(waits.quantile(0.99), 'f', 2) + " ms, at most " +
                  QByteArray::number(waits.quantile(1), 'f', 2) + " ms",
              "a limit: 16 ms",
              {},
              "<= 16 ms",
              waits.quantile(0.99) <= longestGapMs});
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const bool smoke = QCoreApplication::arguments().contains(QStringLiteral("--smoke"));
    printScaleHeading();
    return bench(smoke ? 2000 : 100'000, smoke ? 2 : 20, smoke ? 50 : 3000) ? 0 : 1;
}
