// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/demo/demoworkers.h"

#include "core/simulation/demo/demoworkload.h"

#include <QDateTime>

namespace lockscope {

namespace {

/// The place of a worker: posts in sequence.
struct Place
{
    int post;
    quint32 number;
};

QList<Place> places()
{
    QList<Place> all;
    for (const DemoLock &post : demoPosts()) {
        for (quint32 i = 0; i < post.workers; ++i)
            all.append({static_cast<int>(&post - demoPosts().data()), static_cast<quint32>(all.size())});
    }
    return all;
}

QList<QByteArray> keys()
{
    QList<QByteArray> all;
    for (const DemoLock &post : demoPosts())
        all.append(post.key);
    return all;
}

WorkerBackend::Run runOf(const ServerAddress &server, quint32 seed)
{
    Plan plan;
    plan.seed = seed;
    return {server, plan, keys(), Clock::now()};
}

/// Oddities that operators meet, but that no demo worker makes.
CommandBatch oddities()
{
    const auto hour = QByteArrayLiteral("3600000");
    const QByteArray inAnHour = QByteArray::number(QDateTime::currentMSecsSinceEpoch() + hour.toLongLong());
    CommandBatch batch;
    // SETNX whose client died before its EXPIRE.
    batch.add({"SET", "lock_backup_daily", "4b1f6f0e-5a3c-4f0b-9a57-2d6c1f7f3f10", "NX"});
    // A home-made lock that its owner left behind.
    const qint64 daysAgo = QDateTime::currentSecsSinceEpoch() - 3 * 86'400;
    batch.add(
        {"HSET", "lock:archive:weekly", "owner", "archiver-2", "locked_at", QByteArray::number(daysAgo)});
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
    // A fair lock whose first waiter died in the queue.
    const QByteArray dead = "e1b7c6d5-2a94-4f83-9c10-6d5e4f3a2b18:40";
    const QByteArray nightly = "lock:transfer:nightly";
    batch.add({"HSET", nightly, "7d4c3b2a-18f6-4e95-8a07-c6b5d4e3f210:2", "1"});
    batch.add({"PEXPIRE", nightly, hour});
    batch.add({"RPUSH", "redisson_lock_queue:{lock:transfer:nightly}", dead});
    batch.add({"ZADD", "redisson_lock_timeout:{lock:transfer:nightly}", inAnHour, dead});
    return batch;
}

} // namespace

DemoWorkers::DemoWorkers(const ServerAddress &server, quint32 seed)
    : m_referee(Clock::now()),
      m_pool(
          runOf(server, seed), m_referee,
          [seed](int worker) -> std::unique_ptr<Workload> {
              const Place place = places()[worker];
              return std::make_unique<DemoWorkload>(demoPosts()[static_cast<size_t>(place.post)], place.post,
                                                    seed, place.number);
          },
          0, static_cast<int>(places().size())),
      m_scatterer([server](std::stop_token stop) {
          BlockingConnection connection(server, {.clientName = "lockscope-demo"}, std::move(stop));
          if (connection.open())
              connection.send(oddities());
      })
{
    m_pool.start();
}

} // namespace lockscope
