// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/lockfields.h"
#include "core/recording/recording.h"
#include "core/recording/recordingwriter.h"
#include "tests/support/recordedlife.h"

#include <QTemporaryDir>

namespace lockscope {

using LocksByKey = QHash<LockKey, WatchedLock>;

inline LocksByKey byKey(const QList<WatchedLock> &list)
{
    LocksByKey locks;
    for (const WatchedLock &lock : list)
        locks.insert(lock.key(), lock);
    return locks;
}

/// The first difference, or nothing.
inline QByteArray differenceOf(const LocksByKey &told, const LocksByKey &read, TimePoint epoch,
                               Clock::duration shift)
{
    if (told.size() != read.size())
        return "locks: " + QByteArray::number(told.size()) + ", read: " + QByteArray::number(read.size());
    for (const WatchedLock &lock : told) {
        const WatchedLock expected = shifted(asRecorded(lock, epoch), shift);
        if (const quint32 parts = lockfields::differences(expected, read.value(lock.key())); parts != 0)
            return lock.key().bytes + " differs in " + QByteArray::number(parts, 16);
    }
    return {};
}

/// What happened in so many steps of a life, as it was and in a file.
class RecordedSteps
{
public:
    /// What was known when.
    struct Snapshot
    {
        TimePoint at;
        LocksByKey locks;
        QList<Deadlock> deadlocks;
    };

    explicit RecordedSteps(unsigned seed, int steps = 400, RecordingOptions options = {})
        : life(seed), epoch(life.now())
    {
        path = directory.filePath(QStringLiteral("recording"));
        auto begun = RecordingWriter::begin(path, options, epoch, life.wallMs());
        if (!begun)
            qFatal("%s", begun.error().text().constData());
        writer = std::move(*begun);
        for (int i = 0; i < steps; ++i)
            step();
        writer->flush(life.now(), life.wallMs());
    }
    void step()
    {
        RecordedEntry entry = life.step();
        if (auto *diff = std::get_if<LockDiff>(&entry.what)) {
            for (qsizetype i = 0; i < diff->events.size(); ++i)
                diff->events[i].unseenFor = (entries.size() + i) % 3 == 2
                                                ? milliseconds::max()
                                                : milliseconds((entries.size() + i) % 3 * 1500);
        }
        writer->add(entry);
        entries.append(entry);
        snapshots.append({life.now(), life.locks(), life.deadlocks()});
        if (snapshots.size() % 7 == 0)
            writer->flush(life.now(), life.wallMs());
    }
    Recording open() const
    {
        auto opened = Recording::open(path);
        if (!opened)
            qFatal("%s", opened.error().text().constData());
        return std::move(*opened);
    }
    QByteArray bytes() const
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void replace(const QByteArray &bytes) const
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(bytes) != bytes.size())
            qFatal("not written");
    }
    milliseconds momentOf(TimePoint at) const { return std::chrono::floor<milliseconds>(at - epoch); }

    QTemporaryDir directory;
    QString path;
    RecordedLife life;
    TimePoint epoch;
    std::unique_ptr<RecordingWriter> writer;
    QList<Snapshot> snapshots;
    QList<RecordedEntry> entries;
};

} // namespace lockscope
