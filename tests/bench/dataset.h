// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/plainclient.h"

#include "core/model/lock.h"

#include <atomic>
#include <deque>
#include <queue>
#include <random>
#include <thread>

namespace lockscope {

/// What a server holds while it is measured.
struct DataSize
{
    QByteArray name;
    int locks;
    int others; ///< keys that are no locks
};

/// Strings that are no locks; `lease` zero: they have no expiry. False: the server refused.
bool makeOthers(PlainClient &client, QByteArrayView prefix, int count, milliseconds lease = {});

/// Locks of both families under "lock:", every other one a hash `uuid:thread → 1` and a token: leases of 30 s to 10 min,
/// which a thread of its own renews, one in ten by another owner, before they end. On request it changes more of them, at
/// an exact rate: half are renewals, the rest releases and acquisitions in equal parts. Each acquisition carries its
/// moment in the owner.
class LockCrowd
{
public:
    LockCrowd(const QString &socketPath, int locks);

    /// Makes all of them, and starts the thread. False: the server refused.
    bool begin();
    void setRate(int changesPerSecond);

    qint64 changes() const { return m_changes; } ///< done so far for the rate
    qint64 acquisitions() const { return m_acquisitions; }
    qint64 held() const { return m_held; }
    bool hasFailed() const { return m_failed; }

    /// The moment of the acquisition; nullopt for an owner that is none of ours.
    static std::optional<TimePoint> acquiredAt(const OwnerId &owner);

private:
    struct Entry
    {
        QByteArray key;
        TimePoint end; ///< TimePoint::max(): nobody holds it
    };
    using Due = std::pair<TimePoint, int>;

    void run(const std::stop_token &stop);
    void acquire(int lock);
    void renew(int lock);
    void release(int lock);
    void keepAlive(TimePoint now);
    void change();
    int anyHeld();
    milliseconds lease();
    void schedule(int lock, milliseconds ttl);

    PlainClient m_client;
    QByteArray m_hashScript;
    std::mt19937 m_random{1};
    std::vector<Entry> m_locks;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> m_due;
    std::deque<int> m_free;
    std::atomic<int> m_rate = 0;
    std::atomic<qint64> m_changes = 0;
    std::atomic<qint64> m_acquisitions = 0;
    std::atomic<qint64> m_held = 0;
    std::atomic<bool> m_failed = false;
    std::jthread m_thread;
};

} // namespace lockscope
