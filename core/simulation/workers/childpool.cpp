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
    Child(board::ChildConfig charge, std::unique_ptr<BoardReferee> referee)
        : m_charge(std::move(charge)),
          m_referee(std::move(referee)),
          m_connection(m_charge.board, {.clientName = "lockscope-child"}),
          m_hub(m_charge.server),
          m_gate(m_charge.count,
                 [this](const Round &past) {
                     const std::lock_guard guard(m_mutex);
                     m_arrivals.append(past);
                 }),
          m_crew(stage(), routinesOf(m_charge.plan), m_charge.first, m_charge.count)
    {
    }

    bool run()
    {
        if (!m_connection.open())
            return false;
        m_crew.start();
        TimePoint nextReport;
        while (!m_crew.hasEnded()) {
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
    WorkerContext stage()
    {
        return {m_charge.server,
                m_charge.plan.algorithm,
                m_charge.keys,
                QUuid::createUuid().toByteArray(QUuid::WithoutBraces),
                m_charge.plan.seed,
                m_charge.start,
                !m_charge.plan.script.isEmpty(),
                *m_referee,
                m_hub,
                m_charge.plan.rounds ? &m_gate : nullptr};
    }

    void announceArrivals()
    {
        QList<Round> arrivals;
        {
            const std::lock_guard guard(m_mutex);
            arrivals.swap(m_arrivals);
        }
        for (const Round &round : arrivals)
            m_connection.send({"RPUSH", board::arrivalsKey(m_charge.process), board::written(round)});
    }

    bool takeOrders()
    {
        for (;;) {
            const Result<Reply> order = m_connection.send({"LPOP", board::ordersKey(m_charge.process)});
            if (!order)
                return false;
            if (order->isNil())
                return true;
            const QList<QByteArray> words = order->text.split(' ');
            const qint64 number = words.value(1).toLongLong();
            if (words[0] == "stop")
                m_crew.requestStop();
            else if (words[0] == "kill")
                m_crew.kill(static_cast<int>(number));
            else if (words[0] == "kill-holder")
                m_seeksHolder = true;
            else if (words[0] == "pause" || words[0] == "resume")
                m_crew.setPaused(static_cast<int>(number), words[0] == "pause");
            else if (words[0] == "go")
                m_gate.open(TimePoint(Clock::duration(number)));
            else
                m_gate.end();
        }
    }

    /// Without the warrant there is nothing to seek: another process was first, or it was withdrawn.
    void seekHolder()
    {
        if (!m_crew.hasHolder())
            return;
        const Result<Reply> warrant = m_connection.send({"LPOP", board::warrantKey()});
        m_seeksHolder = warrant && warrant->isText();
        if (!m_seeksHolder)
            return;
        const std::optional<int> killed = m_crew.killHolder();
        m_seeksHolder = !killed;
        m_connection.send({"RPUSH", killed ? board::killedKey() : board::warrantKey(),
                           QByteArray::number(killed.value_or(1))});
    }

    void report()
    {
        const bool hasEnded = m_crew.hasEnded(); // before the rest, which is complete then
        m_log += m_crew.takeLog();
        board::Status status{m_crew.views(), m_crew.tallies(),     m_log,
                             m_crew.error(), m_hub.commandsSent(), hasEnded};
        status.isIncomplete = m_referee->isIncomplete();
        m_connection.send({"SET", board::statusKey(m_charge.process), board::written(status)});
    }

    const board::ChildConfig m_charge;
    const std::unique_ptr<BoardReferee> m_referee;
    BlockingConnection m_connection;
    SubscriptionHub m_hub;
    std::mutex m_mutex;
    QList<Round> m_arrivals;
    RoundBarrier m_gate;
    QList<LogLine> m_log;
    bool m_seeksHolder = false;
    WorkerPool m_crew; // last: its threads use all of the others
};

} // namespace

int runChildCrew()
{
    const std::optional<board::ChildConfig> charge = board::readCharge(readLine());
    if (!charge)
        return EXIT_FAILURE;
    std::thread([] {
        while (std::getchar() != EOF) {
        }
        std::_Exit(EXIT_FAILURE);
    }).detach();
    Result<std::unique_ptr<BoardReferee>> referee = BoardReferee::open(charge->board);
    if (!referee)
        return EXIT_FAILURE;
    const bool ended = Child(*charge, std::move(*referee)).run();
    std::fflush(nullptr);
    std::_Exit(ended ? EXIT_SUCCESS : EXIT_FAILURE); // the reader of standard input has no other end
}

} // namespace lockscope
