// SPDX-License-Identifier: GPL-3.0-or-later
// A million events of a lock history in a file, read and checked, with 20 seeded violations. --smoke: fewer events.
#include "core/verify/historycheck.h"
#include "core/verify/historyreader.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryFile>

#include <algorithm>
#include <cstdio>
#include <random>
#include <sys/resource.h>

using namespace lockscope;

namespace {

constexpr int locks = 200;
constexpr int violated = 20;
constexpr int contenders = 12;

class HistoryFile
{
public:
    explicit HistoryFile(QIODevice &file) : m_file(file) {}

    void add(const char *type, int process, int lock, const char *operation, qint64 at, const char *more = "")
    {
        const QByteArray name = QByteArray::number(process);
        m_text += QByteArray(R"({"type":")") + type + R"(","process":")" + name + R"(","lock":"lock:)" +
                  QByteArray::number(lock) + R"(","operation":")" + operation + R"(","time":)" +
                  QByteArray::number(at) + more + "}\n";
        if (m_text.size() > 1 << 20)
            flush();
        ++m_events;
    }
    void flush()
    {
        m_file.write(m_text);
        m_text.clear();
    }
    qint64 events() const { return m_events; }

private:
    QIODevice &m_file;
    QByteArray m_text;
    qint64 m_events = 0;
};

/// Of three that try at once one acquires the lock, writes and releases it; some releases fail, and the lease ends.
void write(HistoryFile &file, qint64 events)
{
    std::mt19937 random(1);
    std::vector<qint64> now(locks, 0);
    const char *lease = R"(,"lease":1000000)";
    while (file.events() < events) {
        const int lock = int(random() % locks), first = lock * contenders,
                  winner = int(random() % contenders);
        qint64 &at = now[size_t(lock)];
        for (int i = 0; i < 3; ++i)
            file.add("invoke", first + (winner + i) % contenders, lock, "acquire", at + i, lease);
        for (int i = 0; i < 3; ++i)
            file.add(i == 0 ? "ok" : "fail", first + (winner + i) % contenders, lock, "acquire",
                     at + 100 + i);
        file.add("invoke", first + winner, lock, "write", at + 200);
        file.add("ok", first + winner, lock, "write", at + 250);
        file.add("invoke", first + winner, lock, "release", at + 300);
        const bool isLost = random() % 50 == 0;
        file.add(isLost ? "fail" : "ok", first + winner, lock, "release", at + 400);
        at += isLost ? 1'000'500 : 500;
    }
    for (int lock = 0; lock < violated; ++lock) {
        for (int i = 0; i < 2; ++i) {
            const qint64 at = now[size_t(lock)] + 200 * i;
            file.add("invoke", lock * contenders + i, lock, "acquire", at, lease);
            file.add("ok", lock * contenders + i, lock, "acquire", at + 100);
        }
    }
    file.flush();
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const bool isSmoke = QCoreApplication::arguments().contains(QStringLiteral("--smoke"));
    QTemporaryFile file;
    if (!file.open())
        return 1;
    HistoryFile writer(file);
    write(writer, isSmoke ? 20'000 : 1'000'000);
    file.seek(0);

    QElapsedTimer timer;
    timer.start();
    const Result<OperationHistory> history = HistoryReader::read(file);
    if (!history) {
        std::printf("not read: %s\n", history.error().text().constData());
        return 1;
    }
    const qint64 readMs = timer.elapsed();
    const std::vector<LockCheck> checks = checkHistory(*history);
    const qint64 allMs = timer.elapsed();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const qint64 peakMb = usage.ru_maxrss / 1024;
    const auto found = std::ranges::count(checks, LockCheck::Verdict::Violated, &LockCheck::verdict);
    const auto clean = std::ranges::count(checks, LockCheck::Verdict::Holds, &LockCheck::verdict);
    const auto most = std::ranges::max(checks, {}, [](const LockCheck &each) { return each.events.size(); });
    const bool isMet = found == violated && clean == locks - violated;
    std::printf("%lld events, %d locks: %lld of %d violations, %lld of %d others hold: %s\n",
                static_cast<long long>(history->events), locks, static_cast<long long>(found), violated,
                static_cast<long long>(clean), locks - violated, isMet ? "met" : "MISSED");
    std::printf("events that show a violation, at most %zu\n", most.events.size());
    std::printf("read and checked  %8lld ms (read %lld)   <= 10000 ms: %s\n", static_cast<long long>(allMs),
                static_cast<long long>(readMs), allMs <= 10'000 ? "met" : "MISSED");
    std::printf("peak memory       %8lld MB   <= 500 MB: %s\n", static_cast<long long>(peakMb),
                peakMb <= 500 ? "met" : "MISSED");
    return isMet ? 0 : 1;
}
