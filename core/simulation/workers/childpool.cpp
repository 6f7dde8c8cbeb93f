// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/workers/childpool.h"

#include "core/simulation/referee/coordinator.h"
#include "core/simulation/strategy/subscriptionhub.h"
#include "core/simulation/workers/workerpool.h"

#include <QUuid>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto tick = 5ms;
constexpr auto statusInterval = 100ms;

QByteArray readLine()
{
    QByteArray line;
    for (int c = std::getchar(); c != EOF && c != '\n'; c = std::getchar())
        line.append(static_cast<char>(c));
    return line;
}

/// The workers of this process, their orders and their reports.
class Child
{
public:
    Child(board::ChildConfig config, std::unique_ptr<BoardReferee> referee)
        : m_config(std::move(config)),
          m_referee(std::move(referee)),
          m_connection(m_config.board, {.clientName = "lockscope-child"}),
          m_hub(m_config.server),
          m_gate(m_config.count,
                 [this](const Round &past) {
                     const std::lock_guard guard(m_mutex);
                     m_arrivals.append(past);
                 }),
          m_pool(context(), routinesOf(m_config.plan), m_config.first, m_config.count)
    {
    }

    bool run()
    {
        if (!m_connection.open())
            return false;
        m_pool.start();
        TimePoint nextReport;
        while (!m_pool.hasEnded()) {
            std::this_thread::sleep_for(tick);
            announceArrivals();
            if (!takeOrders())
                return false;
            if (m_seeksHolder)
                seekHolder();
            if (Clock::now() >= nextReport) {
                report();
                nextReport = Clock::now() + statusInterval;
            }
        }
        report();
        return true;
    }

private:
    WorkerContext context()
    {
        return {m_config.server,
                m_config.plan.algorithm,
                m_config.keys,
                QUuid::createUuid().toByteArray(QUuid::WithoutBraces),
                m_config.plan.seed,
                m_config.start,
                !m_config.plan.script.isEmpty(),
                *m_referee,
                m_hub,
                m_config.plan.rounds ? &m_gate : nullptr};
    }

    void announceArrivals()
    {
        QList<Round> arrivals;
        {
            const std::lock_guard guard(m_mutex);
            arrivals.swap(m_arrivals);
        }
        for (const Round &round : arrivals)
            m_connection.send({"RPUSH", board::arrivalsKey(m_config.process), board::written(round)});
    }

    bool takeOrders()
    {
        for (;;) {
            const Result<Reply> order = m_connection.send({"LPOP", board::ordersKey(m_config.process)});
            if (!order)
                return false;
            if (order->isNil())
                return true;
            const QList<QByteArray> words = order->text.split(' ');
            const qint64 number = words.value(1).toLongLong();
            if (words[0] == "stop")
                m_pool.requestStop();
            else if (words[0] == "kill")
                m_pool.kill(static_cast<int>(number));
            else if (words[0] == "kill-holder")
                m_seeksHolder = true;
            else if (words[0] == "pause" || words[0] == "resume")
                m_pool.setPaused(static_cast<int>(number), words[0] == "pause");
            else if (words[0] == "go")
                m_gate.open(TimePoint(Clock::duration(number)));
            else
                m_gate.end();
        }
    }

    /// Without the warrant there is nothing to seek: another process was first, or it was withdrawn.
    void seekHolder()
    {
        if (!m_pool.hasHolder())
            return;
        const Result<Reply> warrant = m_connection.send({"LPOP", board::warrantKey()});
        m_seeksHolder = warrant && warrant->isText();
        if (!m_seeksHolder)
            return;
        const std::optional<int> killed = m_pool.killHolder();
        m_seeksHolder = !killed;
        m_connection.send({"RPUSH", killed ? board::killedKey() : board::warrantKey(),
                           QByteArray::number(killed.value_or(1))});
    }

    void report()
    {
        const bool hasEnded = m_pool.hasEnded(); // before the rest, which is complete then
        m_log += m_pool.takeLog();
        board::Status status{m_pool.views(), m_pool.workerStats(), m_log,
                             m_pool.error(), m_hub.commandsSent(), hasEnded};
        status.isIncomplete = m_referee->isIncomplete();
        m_connection.send({"SET", board::statusKey(m_config.process), board::written(status)});
    }

    const board::ChildConfig m_config;
    const std::unique_ptr<BoardReferee> m_referee;
    BlockingConnection m_connection;
    SubscriptionHub m_hub;
    std::mutex m_mutex;
    QList<Round> m_arrivals;
    RoundBarrier m_gate;
    QList<LogLine> m_log;
    bool m_seeksHolder = false;
    WorkerPool m_pool; // last: its threads use all of the others
};

} // namespace

int runChildWorkers()
{
    const std::optional<board::ChildConfig> config = board::readConfig(readLine());
    if (!config)
        return EXIT_FAILURE;
    std::thread([] {
        while (std::getchar() != EOF) {
        }
        std::_Exit(EXIT_FAILURE);
    }).detach();
    Result<std::unique_ptr<BoardReferee>> referee = BoardReferee::open(config->board);
    if (!referee)
        return EXIT_FAILURE;
    const bool ended = Child(*config, std::move(*referee)).run();
    std::fflush(nullptr);
    std::_Exit(ended ? EXIT_SUCCESS : EXIT_FAILURE); // the reader of standard input has no other end
}

} // namespace lockscope
