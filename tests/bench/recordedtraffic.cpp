// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/recordedtraffic.h"

#include "core/family/registry.h"
#include "core/recording/recordingwriter.h"

#include <QUuid>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr qint64 wallBegin = 1'790'000'000'000;

} // namespace

RecordedTraffic::RecordedTraffic(int locks, bool hasTokens)
    : m_hasTokens(hasTokens), m_family(hasTokens ? plainToken() : countedHash())
{
    for (auto &client : m_clients)
        client =
            QUuid::createUuidV5(QUuid(), QByteArray::number(m_random())).toByteArray(QUuid::WithoutBraces);
    m_locks.resize(size_t(locks));
    for (size_t i = 0; i < m_locks.size(); ++i)
        m_locks[i].lock.address.key = LockKey("lock:order:" + QByteArray::number(qulonglong(100'000 + i)));
}

qint64 RecordedTraffic::wallMs() const
{
    return wallBegin + std::chrono::duration_cast<milliseconds>(m_now.time_since_epoch()).count();
}

qsizetype RecordedTraffic::held() const
{
    return std::ranges::count_if(m_locks,
                                 [](const WatchedLock &lock) { return !lock.lock.owners.isEmpty(); });
}

LockDiff RecordedTraffic::next(int events)
{
    m_now += std::chrono::microseconds(16'667);
    m_readAt = m_now - std::chrono::microseconds(m_random() % 2'000);
    LockDiff diff;
    m_used.assign(m_locks.size(), 0);
    while (diff.events.size() < std::min<qsizetype>(events, std::ssize(m_locks))) {
        const size_t index = m_random() % m_locks.size();
        if (std::exchange(m_used[index], 1) != 0)
            continue;
        change(m_locks[index], diff);
    }
    return diff;
}

void RecordedTraffic::change(WatchedLock &watched, LockDiff &diff)
{
    const bool isHeld = !watched.lock.owners.isEmpty();
    const bool ends = isHeld && m_random() % 3 != 0;
    LockEvent event;
    event.address = watched.lock.address;
    event.family = m_family;
    event.at = m_readAt; // changed keys are read in one batch
    event.wallMs = wallMs();
    if (ends) {
        event.kind = EventKind::Released;
        event.owners = watched.lock.owners;
        event.held = std::chrono::duration_cast<milliseconds>(event.at - watched.heldSince);
        diff.removed.append(watched.key());
        watched = {};
        watched.lock.address = event.address;
    } else {
        event.kind = isHeld ? EventKind::Renewed : EventKind::Acquired;
        if (!isHeld) {
            watched.lock.owners = {LockOwner{owner(), m_hasTokens ? QByteArray() : QByteArray("1"), 1}};
            watched.lock.family = m_family;
            watched.lock.type = m_hasTokens ? KeyType::String : KeyType::Hash;
            watched.lock.evidence = {Evidence::Content, Evidence::Lease};
            watched.heldSince = event.at;
            watched.hasSeenAcquisition = true;
        } else {
            watched.lastRenewal = event.at;
            ++watched.renewals;
        }
        watched.lock.readAt = event.at;
        watched.lock.ttl = milliseconds(30'000 - qint64(m_random() % 20));
        watched.maxObservedTtl = std::max(watched.maxObservedTtl, *watched.lock.ttl);
        watched.lock.deadline =
            Deadline{event.at + *watched.lock.ttl - 300us, event.at + *watched.lock.ttl + 1ms};
        event.owners = watched.lock.owners;
        event.ttl = watched.lock.ttl;
        diff.changed.append(watched);
    }
    diff.events.append(event);
}

OwnerId RecordedTraffic::owner()
{
    if (!m_hasTokens)
        return OwnerId(m_clients[m_random() % m_clients.size()] + ':' +
                       QByteArray::number(qulonglong(m_random() % 64)));
    QByteArray random;
    for (int i = 0; i < 4; ++i)
        random += QByteArray::number(quint32(m_random()), 16).rightJustified(8, '0');
    return OwnerId(random);
}

void recordTraffic(RecordedTraffic &traffic, const QString &path, qint64 events)
{
    auto begun = RecordingWriter::begin(path, {.limit = qint64(4) << 30}, traffic.now(), traffic.wallMs());
    if (!begun)
        qFatal("%s", begun.error().text().constData());
    RecordingWriter &writer = **begun;
    WatchState watching; // so that all is known
    watching.connection = Link::State::Ready;
    watching.isRead = true;
    watching.serverName = "redis";
    watching.serverMode = "standalone";
    writer.add({traffic.now(), traffic.wallMs(), watching});
    constexpr int diffsPerFlush = 45;
    for (qint64 i = 1; events > 0; ++i) {
        const LockDiff diff = traffic.next(RecordedTraffic::usualEvents);
        events -= diff.events.size();
        writer.add({traffic.now(), traffic.wallMs(), diff});
        if (i % diffsPerFlush == 0)
            writer.flush(traffic.now(), traffic.wallMs());
    }
    writer.flush(traffic.now(), traffic.wallMs());
}

} // namespace lockscope
