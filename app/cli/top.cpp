// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/explain.h"
#include "app/cli/sessioncommand.h"
#include "app/cli/topdesk.h"
#include "app/words.h"
#include "core/base/match.h"
#include "core/base/printable.h"
#include "core/redis/info.h"
#include "core/redis/whendone.h"
#include "core/table/feedtext.h"
#include "core/table/locktext.h"
#include "core/table/waittext.h"
#include "core/words/messages.h"
#include "core/words/servermessages.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr std::chrono::seconds loadInterval{2};
constexpr std::chrono::milliseconds freshAge{
    2000}; // what a feed confirms every second; a number would only flicker

class TopCommand : public SessionCommand
{
public:
    explicit TopCommand(Options options) : SessionCommand(std::move(options), Kind::Screen), m_desk(session())
    {
        connect(&m_desk, &TopDesk::beforeFrame, this, &TopCommand::setClock);
        connect(&m_desk, &TopDesk::rowsChanged, &session(), &Session::setVisible);
        connect(&m_desk, &TopDesk::ended, this, &TopCommand::interrupted);
        m_loads.setInterval(loadInterval);
        connect(&m_loads, &QTimer::timeout, this, &TopCommand::askLoad);
    }

private:
    void take(const MonitorReport &event) override
    {
        std::visit(Match{[this](const LockDiff &diff) { m_desk.add(diff); },
                         [this](const ConnectionStatus &) {
                             if (isReady() && !m_desk.isOpen())
                                 openDesk();
                         },
                         [this](const ClusterStatus &) { m_areNodesNew = true; }, [](const auto &) {}},
                   event);
    }

    // The banner says both, and gaps.
    void connectionLost(const Error &why) override
    {
        if (!m_desk.isOpen())
            fail(why);
    }
    void errorOccurred(const Error &why) override
    {
        if (!m_desk.isOpen())
            fail(why);
    }
    void warn(const QString &text) override
    {
        if (m_desk.isOpen())
            m_desk.view().say(text);
    }

    void fail(const Error &why) override
    {
        m_desk.close();
        SessionCommand::fail(why);
    }

    void interrupted() override
    {
        m_desk.close();
        if (!m_isActing)
            return finish(ExitStatus::Done);
        console::printError(
            Words::tr("interrupted before the reply: check the lock with get before retrying"));
        finish(ExitStatus::Unavailable);
    }

    void openDesk()
    {
        TopSource source{.facts = [this] { return facts(); },
                         .explain =
                             [this](const WatchedLock &lock, const DisplayTime &time) {
                                 return explanationOf(lock, time.now(), time.wallMs(), groupServers());
                             },
                         .events = {},
                         .deadlocks = [this] { return deadlocks(); },
                         .serverName = serverName(),
                         .guard = session().guard()};
        if (options().readOnly)
            source.whyNoActions = Words::tr("Read-only mode: no actions.");
        else
            source.run = [this](const ActionRequest &request) { return session().run(request); };
        m_desk.open(std::move(source), options().filter);
        TopView &view = m_desk.view();
        connect(&view, &TopView::quitRequested, this, [this] { finish(ExitStatus::Done); });
        connect(&view, &TopView::pauseRequested, this, [this] {
            m_pausedDeadlocks = watched().deadlocks();
            m_desk.setPaused(!m_desk.isPaused());
        });
        connect(&view, &TopView::dismissed, &session(), [this] { session().dismissResets(); });
        connect(&view, &TopView::refreshRequested, this, [this] {
            session().retryNow();
            session().scanNow();
        });
        // For production: writes are let through for these requests alone.
        connect(&view, &TopView::actionsBegun, this, [this] {
            m_isActing = true;
            session().unlock();
        });
        connect(&view, &TopView::actionsFinished, this, [this] {
            m_isActing = false;
            session().lock();
        });
        m_loads.start();
        askLoad();
    }

    void setClock()
    {
        DisplayClock &clock = m_desk.clock();
        clock.run();
        if (const auto stale = watched().staleSince(); stale && !m_desk.isPaused())
            clock.stopAt(*stale);
        if (!m_areNodesNew || m_desk.isPaused())
            return;
        m_areNodesNew = false;
        clock.setCluster(watched().cluster());
        m_desk.model().followCluster();
    }

    /// Asks each server for its load; all must answer.
    void askLoad()
    {
        if (m_loadAnswers != m_loadServers) // the last answers are still to come
            return;
        m_loadAnswers = m_loadServers = 0;
        m_loadSum = 0;
        for (Shard *server : deployment().shards()) {
            if (server->state() != Link::State::Ready)
                continue;
            ++m_loadServers;
            whenDone(&m_listener, server->send({"INFO", "stats"}), [this](const Result<Reply> &reply) {
                if (!reply && reply.error().kind == ErrorKind::NoPermission)
                    m_loads.stop(); // each refusal stands in the server's log
                const auto load =
                    reply ? infoNumber(reply->text, "instantaneous_ops_per_sec") : std::optional<qint64>();
                m_loadSum = m_loadSum && load ? std::optional(*m_loadSum + *load) : std::nullopt;
                if (++m_loadAnswers == m_loadServers)
                    m_load = m_loadSum;
            });
        }
        if (m_loadServers == 0)
            m_load.reset();
    }

    /// While paused those of the picture that is shown.
    QList<Deadlock> deadlocks() const
    {
        return m_desk.isPaused() ? m_pausedDeadlocks : watched().deadlocks();
    }

    TopFacts facts()
    {
        const MonitorState &state = watched();
        const TimePoint now = Clock::now();
        TopFacts facts{
            .server = {options().demo ? Words::tr("demo server") : serverName()}, .load = {}, .age = {}};
        if (options().readOnly)
            facts.server << Words::tr("read-only");
        if (session().guard().environment() != Environment::Unset)
            facts.server << describe(session().guard().environment());
        facts.server << feedText(state.feed().worst()) << productText(state.status().server);
        facts.server.removeAll(QString());
        if (m_load && !state.staleSince())
            facts.load = Words::tr("ops/s: %1", "of a server").arg(grouped(*m_load));
        std::optional<milliseconds> age;
        if (const auto at = state.confirmedAt())
            age = std::chrono::duration_cast<milliseconds>(std::max(now, *at) - *at);
        facts.isPaused = m_desk.isPaused();
        if (facts.isPaused)
            facts.age = m_desk.pauseText();
        else if (state.isReady() && !state.isRead() && !state.staleSince())
            facts.age = Words::tr("reading locks: %1%").arg(static_cast<int>(state.scan().progress * 100));
        else if (age)
            facts.age = *age < freshAge ? Words::tr("data < %1 s old").arg(freshAge / std::chrono::seconds(1))
                                        : Words::tr("data %1 old").arg(countdown(*age));
        const QList<Deadlock> deadlocks = this->deadlocks();
        facts.banner =
            chooseBanner({.watched = state,
                          .serverName = serverName(),
                          .user = options().server.user,
                          .now = now,
                          .age = age,
                          .deadlocks = deadlocks.size(),
                          .cycle = deadlocks.isEmpty() ? QStringList()
                                                       : cycleText(deadlocks.first(), m_desk.model().waits(),
                                                                   OwnerNames::none())});
        return facts;
    }

    TopDesk m_desk;
    QList<Deadlock> m_pausedDeadlocks;
    bool m_areNodesNew = true;
    bool m_isActing = false;
    QTimer m_loads;
    int m_loadServers = 0;
    int m_loadAnswers = 0;
    std::optional<qint64> m_loadSum;
    std::optional<qint64> m_load; ///< commands per second
    QObject m_listener;           ///< context for answers: gone before the connection, which ends them
};

} // namespace

std::unique_ptr<Command> topCommand(const Options &options)
{
    return std::make_unique<TopCommand>(options);
}

} // namespace lockscope
