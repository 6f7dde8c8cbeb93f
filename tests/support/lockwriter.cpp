// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lockwriter.h"

#include "core/redis/blockingconnection.h"
#include "core/redis/script.h"

#include <QList>
#include <QRandomGenerator>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

using Steady = std::chrono::steady_clock;

constexpr auto beat = 10ms;
constexpr int fillBatch = 1000;

/// What the writer does next, drawn from its seed.
class Changes
{
public:
    Changes(quint32 seed, int locks, QByteArray acquire, QByteArray release)
        : m_random(seed), m_locks(locks), m_acquire(std::move(acquire)), m_release(std::move(release))
    {
    }

    void addOne(CommandBatch &batch);
    void addUpheaval(CommandBatch &batch);
    void addFirst(CommandBatch &batch, int number);

private:
    int below(int bound) { return m_random.bounded(bound); }
    QByteArray name(int number) const;
    QByteArray any() { return name(below(m_locks)); }
    QByteArray outside() { return "out:" + QByteArray::number(below(m_locks)); }
    QByteArray owner() { return "host:" + QByteArray::number(below(3)); }
    QByteArray leaseMs();
    QByteArray leaseSeconds() { return QByteArray::number(leaseMs().toDouble() / 1000, 'f', 3); }
    void addRename(CommandBatch &batch);
    void addOtherType(CommandBatch &batch);
    void addMany(CommandBatch &batch);
    void addOddValue(CommandBatch &batch);

    QRandomGenerator m_random;
    int m_locks;
    QByteArray m_acquire; // SHA-1 of the scripts
    QByteArray m_release;
};

/// One of each default pattern, some with bytes that are no text.
QByteArray Changes::name(int number) const
{
    const QByteArray digits = QByteArray::number(number);
    if (number % 97 == 0)
        return "lock:" + QByteArray("\0\r\n\xff *", 6) + digits;
    switch (number % 4) {
    case 0:
        return "lock_" + digits;
    case 1:
        return "job:" + digits + ":lock";
    default:
        return "lock:" + digits;
    }
}

QByteArray Changes::leaseMs()
{
    const int kind = below(10);
    if (kind == 0)
        return QByteArray::number(1 + below(5));
    if (kind <= 2)
        return QByteArray::number(20 + below(500));
    if (kind <= 4)
        return QByteArray::number(1000 + below(3000));
    return kind == 5 ? QByteArray("900000000000000") : QByteArray::number(60'000 + below(600'000));
}

void Changes::addFirst(CommandBatch &batch, int number)
{
    const QByteArray lease = QByteArray::number(120'000 + below(600'000));
    if (number % 2 == 0)
        batch.add({"SET", name(number), owner(), "PX", lease});
    else
        batch.add(
            {"EVALSHA", m_acquire, "1", name(number), owner(), QByteArray::number(lease.toInt() / 1000)});
}

void Changes::addOne(CommandBatch &batch)
{
    const int kind = below(100);
    if (kind < 25)
        batch.add({"EVALSHA", m_acquire, "1", any(), owner(), leaseSeconds()});
    else if (kind < 40)
        batch.add({"EVALSHA", m_release, "1", any(), owner(), "30"});
    else if (kind < 55)
        batch.add({"SET", any(), owner(), "NX", "PX", leaseMs()});
    else if (kind < 62)
        batch.add({"DEL", any()});
    else if (kind < 72)
        batch.add({"PEXPIRE", any(), leaseMs()});
    else if (kind < 75)
        batch.add({"PEXPIRE", any(), QByteArray::number(below(50))});
    else if (kind < 78)
        batch.add({"PERSIST", any()});
    else if (kind < 86)
        addRename(batch);
    else if (kind < 90)
        addOtherType(batch);
    else if (kind < 94)
        addMany(batch);
    else
        addOddValue(batch);
}

void Changes::addRename(CommandBatch &batch)
{
    switch (below(5)) {
    case 0:
    case 1:
        return batch.add({"RENAME", any(), outside()});
    case 2:
    case 3:
        return batch.add({"RENAME", outside(), any()});
    default:
        return batch.add({"RENAME", any(), any()});
    }
}

void Changes::addOtherType(CommandBatch &batch)
{
    const QByteArray key = any();
    batch.add({"MULTI"});
    batch.add({"DEL", key});
    switch (below(3)) {
    case 0:
        batch.add({"LPUSH", key, "x"});
        break;
    case 1:
        batch.add({"SADD", key, "x"});
        break;
    default:
        batch.add({"ZADD", key, "1", "x"});
    }
    if (below(2) == 0)
        batch.add({"PEXPIRE", key, leaseMs()});
    batch.add({"EXEC"});
}

void Changes::addMany(CommandBatch &batch)
{
    QList<QByteArray> keys;
    for (int i = 0; i < 8; ++i)
        keys << any();
    switch (below(3)) {
    case 0: {
        QList<QByteArrayView> command{"DEL"};
        for (const QByteArray &key : std::as_const(keys))
            command << key;
        return batch.add(command);
    }
    case 1:
        batch.add({"MULTI"});
        for (const QByteArray &key : std::as_const(keys))
            batch.add({"SET", key, owner(), "PX", leaseMs()});
        return batch.add({"EXEC"});
    default: {
        QList<QByteArrayView> command{
            "EVAL",
            "for i, key in ipairs(KEYS) do redis.call('del', key) if i % 3 > 0 then "
            "redis.call('hset', key, ARGV[1], i) redis.call('pexpire', key, "
            "ARGV[2]) end end return 1",
            "8"};
        for (const QByteArray &key : std::as_const(keys))
            command << key;
        const QByteArray by = owner();
        const QByteArray lease = leaseMs();
        command << by << lease;
        return batch.add(command);
    }
    }
}

void Changes::addOddValue(CommandBatch &batch)
{
    const QByteArray key = any();
    switch (below(7)) {
    case 0:
        return batch.add({"SET", key, ""});
    case 1: // a record, no lock
        batch.add({"DEL", key});
        return batch.add({"HSET", key, "name", "n", "place", "p", "note", "x"});
    case 2: // a second owner, or a count that is none
        return batch.add({"HSET", key, owner(), below(2) == 0 ? "1" : "soon"});
    case 3:
        return batch.add({"COPY", key, any(), "REPLACE"});
    case 4:
        return batch.add({"GETDEL", key});
    case 5:
        return batch.add({"MOVE", key, "1"});
    default:
        return batch.add({"SET", key, QByteArray(below(2) == 0 ? 600 : 2000, 'x'), "PX", leaseMs()});
    }
}

void Changes::addUpheaval(CommandBatch &batch)
{
    if (below(3) == 0)
        batch.add({"FLUSHDB"});
    else
        batch.add({"SWAPDB", "0", "1"});
}

/// "0" and nil say that there was nothing to change, "QUEUED" that it comes with EXEC.
bool tellsOfChange(const Reply &reply)
{
    return !reply.isError() && !reply.isNil() && !(reply.isInteger() && reply.integer == 0) &&
           reply.text != "QUEUED";
}

} // namespace

LockWriter::LockWriter(Options options)
    : m_options(std::move(options)), m_thread([this](const std::stop_token &stop) { write(stop); })
{
}

LockWriter::~LockWriter()
{
    stop();
}

void LockWriter::stop()
{
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
}

void LockWriter::write(const std::stop_token &stop)
{
    BlockingConnection connection(m_options.server,
                                  {.clientName = "lockwriter", .commandDeadline = std::chrono::seconds(20)});
    if (const auto opened = connection.open(); !opened) {
        m_failure = opened.error().text();
        return;
    }
    const Script acquire("reentrant/acquire.lua");
    const Script release("reentrant/release.lua");
    Changes changes(m_options.seed, m_options.locks, acquire.sha1For(connection.server()),
                    release.sha1For(connection.server()));
    const auto sent = [&](const CommandBatch &batch) {
        const auto replies = connection.send(batch);
        if (!replies) {
            m_failure = replies.error().text();
            return false;
        }
        m_changes += std::ranges::count_if(*replies, tellsOfChange);
        return true;
    };
    CommandBatch load;
    load.add({"SCRIPT", "LOAD", acquire.textFor(connection.server())});
    load.add({"SCRIPT", "LOAD", release.textFor(connection.server())});
    if (!sent(load))
        return;
    for (int number = 0; m_options.fills && number < m_options.locks;) {
        CommandBatch batch;
        for (int i = 0; i < fillBatch && number < m_options.locks; ++i)
            changes.addFirst(batch, number++);
        if (stop.stop_requested() || !sent(batch))
            return;
    }
    m_filled = true;
    m_changes = 0;
    auto next = Steady::now();
    auto nextUpheaval = next + m_options.upheaval;
    while (!stop.stop_requested()) {
        CommandBatch batch;
        while (batch.size() < m_options.perSecond / (1s / beat))
            changes.addOne(batch);
        if (m_options.upheaval > 0ms && Steady::now() >= nextUpheaval) {
            nextUpheaval += m_options.upheaval;
            changes.addUpheaval(batch);
            ++m_upheavals;
        }
        if (!sent(batch))
            return;
        // What the machine does not manage in time is not made up for: that would be one long burst at the end.
        next = std::max(next + beat, Steady::now());
        std::this_thread::sleep_until(next);
    }
}

} // namespace lockscope
