// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/demoworkers.h"

#include "core/redis/script.h"
#include "core/redis/whendone.h"
#include "core/simulation/demoroutine.h"

#include <QThread>
#include <QTimer>

#include <vector>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr size_t workersPerConnection = 10;

/// The scripts of one family, as any client of it would run them.
struct Scripts
{
    explicit Scripts(const QByteArray &family)
        : acquire(family + "/acquire.lua"), extend(family + "/extend.lua"), release(family + "/release.lua")
    {
    }

    Script acquire;
    Script extend;
    Script release;
};

QByteArray seconds(milliseconds duration)
{
    return Lease::fromMilliseconds(duration)->inSeconds();
}

/// One client of the shop. Lives from visit to visit; a failed command ends it quietly.
class Worker : public QObject
{
public:
    Worker(Connection &connection, const Scripts &scripts, const DemoPost &post, quint32 seed, quint32 number)
        : m_connection(connection), m_scripts(scripts), m_key(post.key), m_routine(post, seed, number)
    {
        m_watchdog.callOnTimeout(this, &Worker::renew);
    }

    /// Not all at the same instant, as no shop's clients do.
    void begin() { after(m_routine.retryPause(), &Worker::visit); }

private:
    void visit();
    void acquire();
    void renew();
    void finish();
    void release();

    void run(const Script &script, QList<QByteArray> arguments,
             void (Worker::*next)(const QByteArray &outcome));
    void tried(const QByteArray &outcome);
    void renewed(const QByteArray &outcome);
    void released(const QByteArray &outcome);
    void after(milliseconds pause, void (Worker::*next)()) const { QTimer::singleShot(pause, this, next); }

    Connection &m_connection;
    const Scripts &m_scripts;
    QByteArray m_key;
    DemoRoutine m_routine;
    DemoVisit m_visit;
    int m_level = 0;
    QTimer m_watchdog;
};

void Worker::visit()
{
    m_visit = m_routine.next();
    m_level = 0;
    acquire();
}

void Worker::acquire()
{
    run(m_scripts.acquire, {m_visit.owner, seconds(m_visit.lease)}, &Worker::tried);
}

void Worker::tried(const QByteArray &outcome)
{
    if (outcome != "acquired" && outcome != "reentered") {
        after(m_routine.retryPause(), &Worker::acquire);
        return;
    }
    ++m_level;
    if (m_visit.renew > 0ms && !m_watchdog.isActive())
        m_watchdog.start(m_visit.renew);
    if (m_level < m_visit.levels)
        after(m_visit.step, &Worker::acquire);
    else
        after(m_visit.hold, &Worker::finish);
}

void Worker::renew()
{
    run(m_scripts.extend, {m_visit.owner, seconds(m_visit.lease)}, &Worker::renewed);
}

void Worker::renewed(const QByteArray &outcome)
{
    if (outcome != "extended")
        m_watchdog.stop();
}

void Worker::finish()
{
    m_watchdog.stop();
    if (m_visit.dies)
        after(m_visit.rest, &Worker::visit);
    else
        release();
}

void Worker::release()
{
    run(m_scripts.release, {m_visit.owner}, &Worker::released);
}

void Worker::released(const QByteArray &outcome)
{
    if (outcome == "unwound")
        after(m_visit.step, &Worker::release);
    else
        after(m_visit.rest, &Worker::visit);
}

void Worker::run(const Script &script, QList<QByteArray> arguments, void (Worker::*next)(const QByteArray &))
{
    arguments.append("named");
    whenDone(this, script.run(m_connection, {m_key}, arguments), [this, next](const Result<Reply> &reply) {
        if (reply && reply->isArray() && !reply->elements.empty())
            (this->*next)(reply->elements.front().text);
        else
            m_watchdog.stop();
    });
}

/// What every operator meets one day, and no worker of ours would write.
CommandBatch oddities()
{
    const auto hour = QByteArrayLiteral("3600000");
    CommandBatch batch;
    // SETNX whose client died before its EXPIRE.
    batch.add({"SET", "lock_backup_daily", "4b1f6f0e-5a3c-4f0b-9a57-2d6c1f7f3f10", "NX"});
    // Two owners where one is allowed.
    batch.add({"HSET", "lock:ledger:closing", "0f8e9a52-7b64-4c1d-8e0a-53f1c7d2b9e4:11", "1",
               "c2d7a1b3-96f5-4e28-b1c4-70a8e5f6d3c9:3", "1"});
    batch.add({"PEXPIRE", "lock:ledger:closing", hour});
    // A count that is none.
    batch.add({"HSET", "lock:migration:17", "5e9d0c3a-1f72-4b86-a4d5-e8b7c6f1a203:1", "abc"});
    batch.add({"PEXPIRE", "lock:migration:17", hour});
    // No lock at all, under a lock's name.
    batch.add({"RPUSH", "lock:queue", "job-1", "job-2"});
    // Bytes that are no UTF-8, a right-to-left override, and HTML, as an upload's file name brings them in.
    batch.add({"SET", "lock:upload:\xFF\xFE \xE2\x80\xAEgpj.<img src=x>&amp;",
               "9a0d7c52-33e4-4d57-8c16-b7e2f4a8d901", "PX", hour});
    batch.add({"HSET", "lock:stocktaking", "warehouse \xF0\x9F\x9A\x9A 7", "1"});
    batch.add({"PEXPIRE", "lock:stocktaking", hour});
    return batch;
}

/// All workers with their connections; made on the main thread, alive on its own.
class Crew : public QObject
{
public:
    Crew(ServerAddress server, quint32 seed) : m_server(std::move(server)), m_seed(seed) {}

    void open();

private:
    Connection &hire(size_t number);

    ServerAddress m_server;
    quint32 m_seed;
    const Scripts m_reentrant{"reentrant"};
    const Scripts m_token{"token"};
    std::vector<std::unique_ptr<Connection>> m_connections;
    std::vector<std::unique_ptr<Worker>> m_workers; // after the connections: gone before them
};

void Crew::open()
{
    quint32 number = 0;
    for (const DemoPost &post : demoPosts()) {
        const Scripts &scripts = post.family == Family::Token ? m_token : m_reentrant;
        for (quint32 i = 0; i < post.workers; ++i, ++number) {
            Connection &connection = hire(number);
            m_workers.push_back(std::make_unique<Worker>(connection, scripts, post, m_seed, number));
            connect(&connection, &Connection::ready, m_workers.back().get(), &Worker::begin);
        }
    }
    Connection &first = *m_connections.front();
    connect(&first, &Connection::ready, this, [&first] { first.send(oddities()); });
    for (const auto &connection : m_connections)
        connection->open();
}

/// The connection of worker `number`; a new one for every tenth.
Connection &Crew::hire(size_t number)
{
    if (number % workersPerConnection == 0) {
        Connection::Options options;
        options.clientName = "lockscope-demo";
        options.reconnect = false;
        m_connections.push_back(std::make_unique<Connection>(m_server, options));
    }
    return *m_connections.back();
}

} // namespace

class DemoWorkers::Private
{
public:
    QThread thread;
};

DemoWorkers::DemoWorkers(ServerAddress server, quint32 seed, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>())
{
    auto *crew = new Crew(std::move(server), seed);
    crew->moveToThread(&d->thread);
    connect(&d->thread, &QThread::started, crew, &Crew::open);
    connect(&d->thread, &QThread::finished, crew, &QObject::deleteLater);
    d->thread.setObjectName(QStringLiteral("demo workers"));
    d->thread.start();
}

DemoWorkers::~DemoWorkers()
{
    d->thread.quit();
    d->thread.wait();
}

} // namespace lockscope
