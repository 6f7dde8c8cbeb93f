// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/processes/childprocess.h"

#include "core/simulation/processes/messages.h"
#include "core/simulation/referee/referee.h"
#include "core/simulation/workers/workerpool.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto tick = 5ms;
constexpr auto statusInterval = 100ms;
constexpr auto longestSearch = 20ms; // for a holder to kill; then another process looks

/// Room for thousands of events: a slow parent does not block workers.
constexpr int pipeSize = 1 << 20;

/// The way to the parent: standard output. Thread-safe.
class ParentPipe
{
public:
    ParentPipe()
    {
#ifdef F_SETPIPE_SZ
        ::fcntl(STDOUT_FILENO, F_SETPIPE_SZ, pipeSize);
#endif
    }
    /// Returns when the pipe has the whole message: it arrives even if this process is killed. Ends the
    /// process if the parent is gone.
    void send(const MessageToParent &message)
    {
        const QByteArray bytes = encode(message);
        const std::lock_guard guard(m_mutex);
        for (qsizetype sent = 0; sent < bytes.size();) {
            const ssize_t written =
                ::write(STDOUT_FILENO, bytes.constData() + sent, size_t(bytes.size() - sent));
            if (written < 0 && errno != EINTR)
                std::_Exit(EXIT_FAILURE);
            sent += std::max<ssize_t>(written, 0);
        }
    }

private:
    std::mutex m_mutex;
};

/// The referee for the workers of this process: sends events to the parent, in the order of their times on
/// the common clock.
class ChildReferee : public Referee
{
public:
    ChildReferee(ParentPipe &parent, TimePoint start) : Referee(start), m_parent(parent) {}

    void take(RefereeEvent event) override
    {
        const std::lock_guard guard(m_mutex);
        event.at = onClock(Clock::now());
        m_parent.send(event);
    }
    void mark() ///< thread-safe
    {
        const std::lock_guard guard(m_mutex);
        m_parent.send(EventMark{onClock(Clock::now())});
    }

private:
    ParentPipe &m_parent;
    std::mutex m_mutex; ///< held from reading the clock to writing the pipe
};

/// Reads the parent's messages from standard input, on one thread.
class Orders
{
public:
    /// Blocks. Absent: the parent is gone, or sent an invalid message.
    std::optional<MessageToChild> next()
    {
        std::array<char, 4096> buffer;
        for (;;) {
            if (std::optional<MessageToChild> message = m_reader.next())
                return message;
            const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
            if (m_reader.isBroken() || count == 0 || (count < 0 && errno != EINTR))
                return std::nullopt;
            m_reader.append({buffer.data(), std::max<ssize_t>(count, 0)});
        }
    }

private:
    MessageReader<MessageToChild> m_reader;
};

class Child
{
public:
    explicit Child(const ChildConfig &config)
        : m_referee(m_parent, config.run.start),
          m_pool(config.run, m_referee, routinesOf(config.run.plan), config.first, config.count,
                 [this](const Round &past) { m_parent.send(past); })
    {
    }

    /// Callable from any thread.
    void add(const ChildOrder &order)
    {
        const std::lock_guard guard(m_mutex);
        m_orders.append(order);
    }

    void run()
    {
        m_pool.start();
        TimePoint nextReport;
        while (!m_pool.hasEnded()) {
            std::this_thread::sleep_for(tick);
            m_referee.mark();
            carryOutOrders();
            seekHolder();
            if (Clock::now() >= nextReport) {
                report(false);
                nextReport = Clock::now() + statusInterval;
            }
        }
        endSearch(std::nullopt);
        report(true);
    }

private:
    void carryOutOrders()
    {
        QList<ChildOrder> orders;
        {
            const std::lock_guard guard(m_mutex);
            orders.swap(m_orders);
        }
        for (const ChildOrder &order : orders)
            carryOut(order);
    }

    void carryOut(const ChildOrder &order)
    {
        switch (order.kind) {
        case ChildOrder::Kind::Stop:
            m_pool.requestStop();
            break;
        case ChildOrder::Kind::Kill:
            m_pool.kill(order.worker);
            break;
        case ChildOrder::Kind::KillHolder:
            m_searchEnd = Clock::now() + longestSearch;
            break;
        case ChildOrder::Kind::Pause:
        case ChildOrder::Kind::Resume:
            m_pool.setPaused(order.worker, order.kind == ChildOrder::Kind::Pause);
            break;
        case ChildOrder::Kind::OpenRound:
            m_pool.gate().open(order.at);
            break;
        case ChildOrder::Kind::EndRounds:
            m_pool.gate().end();
            break;
        }
    }

    void seekHolder()
    {
        if (!m_searchEnd)
            return;
        const bool isLate = Clock::now() >= *m_searchEnd;
        const std::optional<int> killed = isLate ? std::nullopt : m_pool.killHolder();
        if (killed || isLate)
            endSearch(killed);
    }

    void endSearch(std::optional<int> killed)
    {
        if (m_searchEnd)
            m_parent.send(KillResult{killed.value_or(-1)});
        m_searchEnd.reset();
    }

    void report(bool hasEnded)
    {
        WorkersStatus status = m_pool.takeStatus();
        status.hasEnded = hasEnded; // the last message
        m_parent.send(status);
    }

    ParentPipe m_parent;
    ChildReferee m_referee;
    std::mutex m_mutex;
    QList<ChildOrder> m_orders;
    std::optional<TimePoint> m_searchEnd; ///< end of the search for a holder
    WorkerPool m_pool;                    // last: its threads use all of the others
};

} // namespace

int runChildProcess()
{
    Orders orders;
    const std::optional<MessageToChild> first = orders.next();
    const ChildConfig *config = first ? std::get_if<ChildConfig>(&*first) : nullptr;
    if (!config)
        return EXIT_FAILURE;
    Child child(*config);
    std::thread([&child, orders = std::move(orders)]() mutable {
        while (const std::optional<MessageToChild> message = orders.next()) {
            if (const auto *order = std::get_if<ChildOrder>(&*message))
                child.add(*order);
        }
        std::_Exit(EXIT_FAILURE);
    }).detach();
    child.run();
    std::_Exit(EXIT_SUCCESS); // the reader of standard input has no other end
}

} // namespace lockscope
