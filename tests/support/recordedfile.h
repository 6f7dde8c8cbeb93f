// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/registry.h"
#include "core/recording/recordingwriter.h"

#include <QTemporaryDir>
#include <QtTest>

namespace lockscope {

/// A recording that a test writes step by step, with its own clocks.
class RecordedFile
{
public:
    explicit RecordedFile(const RecordingOptions &options = {}) : m_options(options) { begin(); }

    static constexpr TimePoint epoch{std::chrono::hours(1000)};
    static constexpr qint64 wallBegin = 1'790'000'000'000;

    QString path() const { return m_directory.filePath(QStringLiteral("incident")); }
    milliseconds now() const { return m_now; }
    qint64 wallMs() const { return wallBegin + (m_now + m_clockAhead).count(); }
    /// Shifts the wall clock.
    void setClock(milliseconds ahead) { m_clockAhead += ahead; }
    void pass(milliseconds time) { m_now += time; }

    void tell(const Recordable &what)
    {
        m_writer->add({epoch + m_now, wallMs(), what});
        m_writer->setConfirmed(epoch + m_now);
        m_writer->flush(epoch + m_now, wallMs());
    }
    /// Confirms the present without a change.
    void confirm()
    {
        m_writer->setConfirmed(epoch + m_now);
        m_writer->flush(epoch + m_now, wallMs());
    }
    /// Sets whether all locks are known or none.
    void setWatched(bool on)
    {
        WatchState watching;
        watching.connection = on ? Link::State::Ready : Link::State::Backoff;
        watching.isRead = on;
        watching.serverName = "redis";
        watching.serverVersion = "7.0.15";
        watching.serverMode = "standalone";
        watching.feed.routes = {{"lock:*", FeedMode::Tracking}};
        tell(watching);
    }
    /// Returns a cluster of two nodes that are both read.
    static WatchState clusterReady()
    {
        WatchState watching;
        watching.connection = Link::State::Ready;
        watching.isRead = true;
        watching.serverMode = "cluster";
        watching.nodes = {"10.0.0.1:6379", "10.0.0.2:6379"};
        return watching;
    }
    /// Returns a lock acquired now.
    WatchedLock held(const QByteArray &key, const QByteArray &owner,
                     milliseconds lease = milliseconds(30'000)) const
    {
        WatchedLock watched;
        Lock &lock = watched.lock;
        lock.address.key = LockKey(key);
        lock.owners = {LockOwner{OwnerId(owner), "1", 1}};
        lock.type = KeyType::Hash;
        lock.family = *familyFromName("reentrant");
        lock.evidence = EvidenceSet{Evidence::Content, Evidence::Renewals};
        lock.readAt = epoch + m_now;
        lock.ttl = lease;
        lock.deadline = Deadline{epoch + m_now + lease, epoch + m_now + lease};
        watched.heldSince = epoch + m_now;
        watched.maxObservedTtl = lease;
        watched.hasSeenAcquisition = true;
        return watched;
    }
    void acquire(const QByteArray &key, const QByteArray &owner, milliseconds lease = milliseconds(30'000))
    {
        const WatchedLock watched = held(key, owner, lease);
        tell(LockDiff{
            .changed = {watched}, .removed = {}, .events = {eventOf(EventKind::Acquired, watched.lock)}});
        m_locks.insert(watched.key(), watched.lock);
    }
    /// Acquires "lock:0", a second later "lock:1", and so on.
    void acquireEachSecond(int count)
    {
        for (int i = 0; i < count; ++i) {
            pass(milliseconds(1000));
            acquire("lock:" + QByteArray::number(i), "owner");
        }
    }
    /// Adds locks at once without events, and removes as many whose keys begin with `others`.
    void holdMany(const QByteArray &prefix, int count, const QByteArray &others = {})
    {
        LockDiff diff;
        for (int i = 0; i < count; ++i) {
            diff.changed.append(held(prefix + QByteArray::number(i), "owner"));
            if (!others.isEmpty())
                diff.removed.append(LockKey(others + QByteArray::number(i)));
        }
        tell(diff);
    }
    /// Adds `count` locks "lock:a:…" for ten seconds, then replaces them by "lock:b:…" for ten seconds.
    void replaceMany(int count)
    {
        setWatched(true);
        holdMany("lock:a:", count);
        pass(milliseconds(10'000));
        holdMany("lock:b:", count, "lock:a:");
        pass(milliseconds(10'000));
    }
    void release(const QByteArray &key)
    {
        const Lock lock = m_locks.take(LockKey(key));
        LockEvent event = eventOf(EventKind::Released, lock);
        event.ttl = {};
        tell(LockDiff{.changed = {}, .removed = {lock.key()}, .events = {event}});
    }
    /// Ends the recording and begins another one later; nothing is recorded between.
    void resume(milliseconds later)
    {
        m_writer->flush(epoch + m_now, wallMs());
        m_writer.reset();
        m_now += later;
        m_locks.clear();
        begin();
    }
    void finish()
    {
        m_writer->flush(epoch + m_now, wallMs());
        m_writer.reset();
    }

private:
    void begin()
    {
        auto begun = RecordingWriter::begin(path(), m_options, epoch + m_now, wallMs());
        if (!begun)
            qFatal("%s", begun.error().text().constData());
        m_writer = std::move(*begun);
    }
    LockEvent eventOf(EventKind kind, const Lock &lock) const
    {
        LockEvent event;
        event.kind = kind;
        event.address = lock.address;
        event.family = lock.family;
        event.owners = lock.owners;
        event.ttl = lock.ttl;
        event.at = epoch + m_now;
        event.wallMs = wallMs();
        return event;
    }

    QTemporaryDir m_directory;
    RecordingOptions m_options;
    milliseconds m_now{0};
    milliseconds m_clockAhead{0};
    QHash<LockKey, Lock> m_locks;
    std::unique_ptr<RecordingWriter> m_writer;
};

} // namespace lockscope
