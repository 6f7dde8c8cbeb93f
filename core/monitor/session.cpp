// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/session.h"

#include "core/act/deploymentoperations.h"
#include "core/monitor/auditforcedends.h"
#include "core/read/groupreading.h"
#include "core/redis/whendone.h"

#include <QPointer>
#include <QPromise>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

/// The wall clock may reach the end of an unlocked time before a timer.
constexpr std::chrono::milliseconds relockInterval{500};

/// Calls `ask` on the worker's thread; the future finishes on the session's.
template <typename T, typename Ask>
QFuture<Result<T>> answered(QObject *session, QObject *worker, Ask ask)
{
    auto promise = std::make_shared<QPromise<Result<T>>>();
    promise->start();
    QMetaObject::invokeMethod(worker, [session, worker, ask, promise] {
        whenDone(worker, ask(), [session, promise](const Result<T> &answer) {
            // Back to its thread. It is there: its destructor waits for the worker's.
            QMetaObject::invokeMethod(session, [promise, answer] {
                promise->addResult(answer);
                promise->finish();
            });
        });
    });
    return promise->future();
}

/// Replaces a search; the previous one's end is not reported.
template <typename Look>
void cutShort(QObject *session, Look *earlier, void (Look::*stop)())
{
    if (!earlier)
        return;
    QObject::disconnect(earlier, nullptr, session, nullptr);
    (earlier->*stop)();
}

} // namespace

/// The parts of a session on its thread. Members are destroyed in reverse order: users of the connection
/// first.
class SessionWorker : public QObject
{
public:
    SessionWorker(const ServerAddress &address, const Session::Options &options,
                  std::shared_ptr<const WriteGate> gate)
        : deployment(address, {.clientName = options.clientName,
                               .readOnly = options.readOnly,
                               .gate = std::move(gate),
                               .reconnect = options.reconnects,
                               .writesApart = true}),
          audit(options.auditPath),
          operations(deployment, audit),
          probe(audit),
          monitor(deployment, options.monitor),
          forcedEnds(options.auditPath, [this](const LockKey &key) {
              return deployment.link().forKey(key.bytes).server().runId;
          })
    {
        operations.setGuard(options.guard);
        for (QObject *part : {static_cast<QObject *>(&deployment), static_cast<QObject *>(&operations),
                              static_cast<QObject *>(&probe), static_cast<QObject *>(&monitor),
                              static_cast<QObject *>(&forcedEnds)})
            part->setParent(this); // so that they move to the thread with it
        connect(&operations, &DeploymentOperations::underway, &monitor, &DeploymentMonitor::beginAction);
        connect(&operations, &DeploymentOperations::touched, &monitor, &DeploymentMonitor::actionEnded);
        connect(&operations, &DeploymentOperations::ended, &monitor, &DeploymentMonitor::recordForceExpire);
    }
    ~SessionWorker() override
    {
        delete search; // NOLINT(cppcoreguidelines-owning-memory): before what it is a child of
        delete look;   // NOLINT(cppcoreguidelines-owning-memory)
        deployment.close();
    } // an action under way ends as unknown, and its audit record is completed

    Deployment deployment;
    AuditLog audit;
    DeploymentOperations operations;
    HolderProbe probe;
    DeploymentMonitor monitor;
    AuditForcedEnds forcedEnds;
    QPointer<ContentSearch> search; // children
    QPointer<ClientFinder> look;
};

Session::Session(ServerAddress address, Options options, QObject *parent)
    : MonitorSource(parent), m_address(std::move(address)), m_options(std::move(options))
{
    if (m_options.guard.environment() == Environment::Production)
        m_gate = std::make_shared<WriteGate>();
    m_relock.setInterval(relockInterval);
    connect(&m_relock, &QTimer::timeout, this, [this] {
        if (!m_gate->isOpen())
            lock();
    });
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): the thread's, if there is one
    m_worker = new SessionWorker(m_address, m_options, m_gate);
    SessionWorker *worker = m_worker;
    Link *connection = &worker->deployment.link();

    // These run on the session's thread and make values, which cross to ours.
    const auto cross = [this](const MonitorReport &event) {
        QMetaObject::invokeMethod(this, [this, event] { tell(event); });
    };
    const auto crossStatus = [cross, connection](std::optional<TimePoint> nextTryAt) {
        cross(
            ConnectionStatus{connection->state(), connection->server(), connection->lastError(), nextTryAt});
    };
    connect(connection, &Link::ready, worker, [crossStatus] { crossStatus(std::nullopt); });
    connect(connection, &Link::connectionLost, worker,
            [crossStatus](const Error &, milliseconds retryIn) { crossStatus(Clock::now() + retryIn); });
    connect(connection, &Link::connectionRefused, worker, [crossStatus] { crossStatus(std::nullopt); });
    connect(&worker->monitor, &DeploymentMonitor::reported, worker,
            [cross, worker](const MonitorReport &event) {
                const auto *diff = std::get_if<LockDiff>(&event);
                if (!diff)
                    return cross(event);
                LockDiff settled = *diff;
                settled.events = worker->forcedEnds.settle(settled.events);
                if (!settled.isEmpty())
                    cross(settled);
            });
    connect(&worker->forcedEnds, &AuditForcedEnds::settled, worker, [cross](const QList<LockEvent> &events) {
        cross(LockDiff{.changed = {}, .removed = {}, .events = events});
    });

    if (!m_options.hasThread)
        return;
    worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, worker, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("monitor"));
    m_thread.start();
}

Session::~Session()
{
    blockSignals(true); // nobody is there to be told of the end
    if (!m_options.hasThread)
        delete m_worker; // NOLINT(cppcoreguidelines-owning-memory)
    m_thread.quit();
    m_thread.wait();
}

Deployment &Session::deployment() const
{
    Q_ASSERT(!m_options.hasThread);
    return m_worker->deployment;
}

bool Session::isReadOnly() const
{
    return m_options.readOnly || (m_gate && !m_gate->isOpen());
}

void Session::skipQuestion(Action action)
{
    m_options.guard.skip(action);
    later([guard = m_options.guard](SessionWorker &worker) { worker.operations.setGuard(guard); });
}

void Session::unlock()
{
    if (!unlockedFor())
        return;
    m_gate->openFor(unlockTime);
    m_relock.start();
    emit lockedOrUnlocked();
}

void Session::lock()
{
    if (!unlockedFor())
        return;
    m_gate->close();
    m_relock.stop();
    emit lockedOrUnlocked();
}

std::optional<milliseconds> Session::unlockedFor() const
{
    return m_gate && !m_options.readOnly ? std::optional(m_gate->left()) : std::nullopt;
}

/// Runs `act` on the worker's thread.
template <typename Do>
void Session::later(Do act)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, act = std::move(act)] { act(*worker); });
}

void Session::open()
{
    if (!m_options.hasThread) {
        // Whoever waits for what one scan tells wants it of every server that can be had.
        connect(&m_worker->deployment.link(), &Link::ready, &m_worker->monitor, &DeploymentMonitor::start,
                Qt::SingleShotConnection);
        return m_worker->deployment.open();
    }
    later([](SessionWorker &worker) {
        worker.monitor.start();
        worker.deployment.open();
    });
}

void Session::retryNow()
{
    later([](SessionWorker &worker) { worker.deployment.retryNow(); });
}

void Session::settleNow()
{
    later([](SessionWorker &worker) { worker.forcedEnds.settleNow(); });
}

void Session::scanNow()
{
    later([](SessionWorker &worker) { worker.monitor.scanNow(); });
}

void Session::setPatterns(const QList<QByteArray> &patterns)
{
    m_options.monitor.patterns = patterns;
    const FamilySet &undiscovered = m_options.monitor.undiscovered;
    const KeyNameFilter names(patterns, undiscovered);
    QList<Deadlock> left = watched().deadlocks();
    left.removeIf([&](const Deadlock &deadlock) {
        return !std::ranges::all_of(deadlock.cycle,
                                    [&](const WaitEdge &edge) { return names.contains(edge.lock.bytes); });
    });
    if (left != watched().deadlocks())
        reportExistingState(left); // the rest has not ended: it is not watched any more
    later([patterns, undiscovered](SessionWorker &worker) {
        worker.monitor.setPatterns(patterns, undiscovered);
    });
}

void Session::setUndiscovered(const FamilySet &families)
{
    m_options.monitor.undiscovered = families;
    setPatterns(m_options.monitor.patterns);
}

void Session::setRules(const QList<FamilyRule> &rules)
{
    m_options.monitor.rules = rules;
    later([rules](SessionWorker &worker) { worker.monitor.setRules(rules); });
}

void Session::requestRead(const QList<LockKey> &keys)
{
    later([keys](SessionWorker &worker) { worker.monitor.requestRead(keys); });
}

void Session::setVisible(const QList<LockKey> &keys)
{
    later([keys](SessionWorker &worker) { worker.monitor.setVisible(keys); });
}

QFuture<Result<ActionResult>> Session::run(const ActionRequest &request)
{
    return answered<ActionResult>(this, m_worker,
                                  [worker = m_worker, request] { return worker->operations.run(request); });
}

QFuture<Result<ProbeAnswer>> Session::probe(const ProbeRequest &request)
{
    return answered<ProbeAnswer>(this, m_worker, [worker = m_worker, request] {
        return worker->probe.run(request, worker->deployment.link().forKey(request.lock.key.bytes));
    });
}

QFuture<Result<LockContents>> Session::readContents(const Lock &lock)
{
    return answered<LockContents>(this, m_worker, [worker = m_worker, address = m_address, lock] {
        return LockContentsReading::start(address, lock, worker);
    });
}

void Session::search(double share)
{
    later([this, address = m_address, share](SessionWorker &worker) {
        cutShort(this, worker.search.data(), &ContentSearch::cancel);
        auto *search = new ContentSearch(address, share, &worker); // NOLINT(cppcoreguidelines-owning-memory)
        worker.search = search;
        connect(search, &ContentSearch::found, this, &Session::searchFound);
        connect(search, &ContentSearch::progressed, this, &Session::searchProgressed);
        connect(search, &ContentSearch::ended, this, &Session::searchEnded);
        connect(search, &ContentSearch::ended, search, &QObject::deleteLater);
        search->start();
    });
}

void Session::cancelSearch()
{
    later([](SessionWorker &worker) {
        if (worker.search)
            worker.search->cancel();
    });
}

void Session::findClients(const Lock &lock, milliseconds duration)
{
    later([this, lock, duration](SessionWorker &worker) {
        cutShort(this, worker.look.data(), &ClientFinder::stop);
        auto *look = new ClientFinder(serverThatHas(worker.deployment, lock).address(), lock, duration,
                                      &worker); // NOLINT(cppcoreguidelines-owning-memory)
        worker.look = look;
        connect(look, &ClientFinder::ended, this, &Session::clientsFound);
        connect(look, &ClientFinder::ended, look, &QObject::deleteLater);
        look->start();
    });
}

void Session::stopFindingClients()
{
    later([](SessionWorker &worker) {
        if (worker.look)
            worker.look->stop();
    });
}

} // namespace lockscope
