// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/run/simulation.h"

#include "core/simulation/model/strategyspec.h"
#include "core/simulation/run/simulationrunner.h"
#include "core/simulation/server/privateserver.h"

#include <QPointer>
#include <QRandomGenerator>

#include <algorithm>
#include <thread>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr char prefix[] = "sim:";

/// Names of their own for every run, so that two programs don't share a lock by accident; and should they, the second
/// one finds the key and refuses.
QList<QByteArray> keysFor(const Plan &plan)
{
    if (!plan.keys.isEmpty())
        return plan.keys;
    const QByteArray run = QByteArray::number(QRandomGenerator::global()->generate(), 16);
    QList<QByteArray> keys;
    // A cluster keeps the companions of these in the lock's slot only where its name says so.
    const bool needsTag = std::ranges::any_of(algorithmsOf(plan), [](const Algorithm &algorithm) {
        return algorithm.strategy == StrategyKind::Handoff;
    });
    for (int i = 1; i <= plan.locks; ++i) {
        const QByteArray name = plan.name + '-' + run + ':' + QByteArray::number(i);
        keys.append(needsTag ? prefix + ('{' + name + '}') : prefix + name);
    }
    return keys;
}

} // namespace

bool needsPrivateServer(const Plan &plan)
{
    const QList<Algorithm> algorithms = algorithmsOf(plan);
    const bool splits = std::ranges::any_of(
        algorithms, [](const Algorithm &algorithm) { return specOf(algorithm.strategy).splitsAcquire; });
    return splits || !plan.serverFaults.isEmpty();
}

class Simulation::Private
{
public:
    SimulationTarget target;
    QPointer<PrivateServer> server; ///< the target's, while it is there
    QList<QByteArray> keys;
    std::shared_ptr<SimulationRunner> director;
    std::jthread thread;
    bool running = false;
    bool isTraced = false;
};

Simulation::Simulation(SimulationTarget target, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>())
{
    d->server = target.server;
    d->target = std::move(target);
}

Simulation::~Simulation()
{
    // A paused server would let the workers wait for their deadlines.
    if (d->running && d->server)
        d->server->resume();
}

void Simulation::start(const Plan &plan)
{
    const auto refuse = [this](const Phrase &why) {
        // Not from within start(): whoever calls it connects first and looks then, as with every other end.
        QMetaObject::invokeMethod(
            this,
            [this, why] {
                emit failed({ErrorKind::InvalidArgument, why});
            },
            Qt::QueuedConnection);
    };
    if (d->running)
        return refuse(
            Phrase(QT_TRANSLATE_NOOP("phrases", "A simulation is running already: stop it first.")));
    if (const std::optional<Phrase> error = plan.validationError())
        return refuse(*error);
    if (std::ranges::any_of(plan.keys, [](const QByteArray &key) { return !key.startsWith(prefix); }))
        return refuse(
            Phrase(QT_TRANSLATE_NOOP("phrases", "A simulation's keys begin with sim: and nothing else.")));
    if (!d->server && needsPrivateServer(plan))
        return refuse(Phrase(QT_TRANSLATE_NOOP(
            "phrases", "This run can leave a lock without expiry, or disturb other clients, so it needs a "
                       "private server. Remove the connection options, or choose the private server.")));
    d->keys = keysFor(plan);
    d->running = true;

    // The director's thread is joined before this object is gone.
    const auto post = [this](auto call) { QMetaObject::invokeMethod(this, call, Qt::QueuedConnection); };
    SimulationRunner::Callbacks callbacks;
    callbacks.started = [this, post] { post([this] { emit started(); }); };
    callbacks.progressed = [this, post](const SimulationSnapshot &snapshot) {
        post([this, snapshot] { emit progressed(snapshot); });
    };
    callbacks.breakServer = [this, post](ServerFault fault) {
        post([this, fault] {
            if (d->server)
                fault == ServerFault::Pause ? d->server->pause() : d->server->restart();
        });
    };
    callbacks.resumeServer = [this, post] {
        post([this] {
            if (d->server)
                d->server->resume();
        });
    };
    callbacks.holderKilled = [this, post](std::optional<int> worker) {
        post([this, worker] { worker ? emit holderKilled(*worker) : emit noHolderFound(); });
    };
    d->director = std::make_shared<SimulationRunner>(d->target.address, plan, d->keys, std::move(callbacks));
    d->director->setTraced(d->isTraced);
    d->thread = std::jthread([this, post, director = d->director](std::stop_token stop) {
        post([this, result = director->run(std::move(stop))] { conclude(result); });
    });
}

void Simulation::conclude(const Result<Report> &result)
{
    d->thread.join(); // it has nothing left to do
    d->director.reset();
    d->running = false;
    if (result)
        emit finished(*result);
    else
        emit failed(result.error());
}

void Simulation::stop()
{
    d->thread.request_stop();
}

void Simulation::kill(int worker)
{
    if (d->director)
        d->director->kill(worker);
}

void Simulation::killHolder()
{
    if (d->director)
        d->director->killHolder();
}

void Simulation::setPaused(int worker, bool paused)
{
    if (d->director)
        d->director->setPaused(worker, paused);
}

void Simulation::setTraced(bool traced)
{
    d->isTraced = traced;
}

bool Simulation::isRunning() const
{
    return d->running;
}

const QList<QByteArray> &Simulation::keys() const
{
    return d->keys;
}

} // namespace lockscope
