// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/dataset.h"

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr int batch = 1000;
constexpr auto shortestLease = 30s;
constexpr auto longestLease = 10min;
constexpr auto inTime = 5s; // before its end a lease is renewed
constexpr auto idleTick = 20ms;
constexpr auto busyTick = 1ms;
constexpr int recreated = 10;  // one lease in so many ends with another owner
constexpr int freeShare = 100; // of the locks, one in so many is free while they change

/// Atomic, as a lock's own script is: there is no moment without an expiry.
constexpr char hashScript[] = "redis.call('del', KEYS[1]) redis.call('hset', KEYS[1], ARGV[1], '1') "
                              "return redis.call('pexpire', KEYS[1], ARGV[2])";

QByteArray padded(qint64 number, int width)
{
    return QByteArray::number(number).rightJustified(width, '0');
}

} // namespace

bool makeOthers(PlainClient &client, QByteArrayView prefix, int count, milliseconds lease)
{
    const QByteArray ttl = QByteArray::number(lease.count());
    for (int i = 0; i < count; ++i) {
        const QByteArray key = prefix.toByteArray() + QByteArray::number(i);
        if (lease > 0ms)
            client.append({"SET", key, "some value", "PX", ttl});
        else
            client.append({"SET", key, "some value"});
        if ((i % batch == batch - 1 || i == count - 1) && !client.drain())
            return false;
    }
    return true;
}

LockCrowd::LockCrowd(const QString &socketPath, int locks)
    : m_client(socketPath), m_locks(static_cast<size_t>(locks))
{
    for (int i = 0; i < locks; ++i)
        m_locks[static_cast<size_t>(i)] = {"lock:" + QByteArray(i % 2 == 0 ? "h:" : "s:") + padded(i, 6),
                                           TimePoint::max()};
}

bool LockCrowd::begin()
{
    const auto sha1 = m_client.send({"SCRIPT", "LOAD", hashScript});
    if (!sha1)
        return false;
    m_hashScript = *sha1;
    const int count = static_cast<int>(m_locks.size());
    for (int i = 0; i < count; ++i) {
        acquire(i);
        if ((i % batch == batch - 1 || i == count - 1) && !m_client.drain())
            return false;
    }
    m_thread = std::jthread([this](const std::stop_token &stop) { run(stop); });
    return true;
}

void LockCrowd::setRate(int changesPerSecond)
{
    m_rate = changesPerSecond;
}

std::optional<TimePoint> LockCrowd::acquiredAt(const OwnerId &owner)
{
    const qsizetype at = owner.bytes.lastIndexOf(':');
    bool isNumber = false;
    const qint64 stamp = owner.bytes.sliced(at + 1).toLongLong(&isNumber);
    if (at < 0 || !isNumber)
        return std::nullopt;
    return TimePoint(std::chrono::nanoseconds(stamp));
}

void LockCrowd::run(const std::stop_token &stop)
{
    TimePoint next = Clock::now();
    TimePoint rateSince = next;
    qint64 doneSince = 0;
    int rate = 0;
    while (!stop.stop_requested()) {
        const TimePoint now = Clock::now();
        if (const int wanted = m_rate; wanted != rate) {
            rate = wanted;
            rateSince = now;
            doneSince = 0;
        }
        keepAlive(now);
        const auto due = static_cast<qint64>(rate * std::chrono::duration<double>(now - rateSince).count());
        for (; doneSince < due; ++doneSince)
            change();
        if (!m_client.drain()) {
            m_failed = true;
            return;
        }
        // What a slow server has delayed is caught up with, not left out.
        next = std::max(next + (rate > 0 ? busyTick : idleTick), Clock::now());
        std::this_thread::sleep_until(next);
    }
}

milliseconds LockCrowd::lease()
{
    return milliseconds(std::uniform_int_distribution<qint64>(milliseconds(shortestLease).count(),
                                                              milliseconds(longestLease).count())(m_random));
}

void LockCrowd::schedule(int lock, milliseconds ttl)
{
    Entry &entry = m_locks[static_cast<size_t>(lock)];
    entry.end = Clock::now() + ttl;
    m_due.emplace(entry.end, lock);
}

void LockCrowd::acquire(int lock)
{
    const Entry &entry = m_locks[static_cast<size_t>(lock)];
    const milliseconds ttl = lease();
    const QByteArray ttlText = QByteArray::number(ttl.count());
    const QByteArray stamp = padded(std::chrono::nanoseconds(Clock::now().time_since_epoch()).count(), 19);
    if (lock % 2 == 0) {
        const QByteArray owner = "5f0c1a52-8f5e-4a7c-9e1f-" + padded(lock, 12) + ':' + stamp;
        m_client.append({"EVALSHA", m_hashScript, "1", entry.key, owner, ttlText});
    } else {
        const QByteArray token = "5f0c1a528f5e4a7c" + padded(lock, 12) + ':' + stamp;
        m_client.append({"SET", entry.key, token, "PX", ttlText});
    }
    if (entry.end == TimePoint::max())
        ++m_held;
    ++m_acquisitions;
    schedule(lock, ttl);
}

void LockCrowd::renew(int lock)
{
    const milliseconds ttl = lease();
    m_client.append({"PEXPIRE", m_locks[static_cast<size_t>(lock)].key, QByteArray::number(ttl.count())});
    schedule(lock, ttl);
}

void LockCrowd::release(int lock)
{
    Entry &entry = m_locks[static_cast<size_t>(lock)];
    m_client.append({"DEL", entry.key});
    entry.end = TimePoint::max();
    --m_held;
    m_free.push_back(lock);
}

void LockCrowd::keepAlive(TimePoint now)
{
    while (!m_due.empty() && m_due.top().first - inTime <= now) {
        const auto [end, lock] = m_due.top();
        m_due.pop();
        if (m_locks[static_cast<size_t>(lock)].end != end)
            continue; // renewed or released since
        if (m_random() % recreated == 0)
            acquire(lock);
        else
            renew(lock);
    }
}

void LockCrowd::change()
{
    if (m_changes++ % 2 == 0) {
        renew(anyHeld());
    } else if (m_free.size() > m_locks.size() / freeShare) {
        acquire(m_free.front());
        m_free.pop_front();
    } else {
        release(anyHeld());
    }
}

int LockCrowd::anyHeld()
{
    std::uniform_int_distribution<size_t> any(0, m_locks.size() - 1);
    for (;;) {
        const size_t lock = any(m_random);
        if (m_locks[lock].end != TimePoint::max())
            return static_cast<int>(lock);
    }
}

} // namespace lockscope
