// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/listedevents.h"
#include "core/recording/recording.h"

#include <QObject>

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope {

/// Properties of a recording that need no reading of its content.
struct ReplayOutline
{
    milliseconds length{0};
    qint64 wallFromMs = 0; ///< epoch ms
    qint64 wallToMs = 0;
    bool isAnonymous = false;
    QList<RecordingGap> gaps;      ///< without damage within chunks
    std::vector<qint64> histogram; ///< number of events in equal parts of its length
    std::vector<WallStep> wallSteps;
    qint64 wallFirstMs = 0;
    qint64 wallLastMs = 0;
    /// The first moment with a lock, if possible one at which all are known.
    milliseconds opensAt{0};
    bool hasLocks = true; ///< at any moment

    qint64 wallAt(milliseconds moment) const;
    /// How often the wall clock was set back by more than a second: some times occur twice, and the end may
    /// precede the begin.
    int clockSetBacks() const;
};

/// A period of a recording, as values.
struct ReplayStretch
{
    quint64 wish = 0; ///< the fulfilled request
    /// The full state at the begin; absent: it follows the previous stretch.
    std::optional<RecordedSnapshot> begin;
    QList<LockEvent>
        found; ///< the locks of `begin` as events, see hasEvents(); empty for a moment without its past
    std::vector<RecordingCursor::Step> steps;
    milliseconds to{0};
    TimePoint at;
    qint64 wallMs = 0;
    std::optional<TimePoint> confirmedAt; ///< absent: only its reports show it
    GapCause lack = GapCause::None;       ///< at its end; None: all locks were known
    bool isEverKnown = true;              ///< all locks may be known later
    bool isLast = true;                   ///< the last for this wish
};

/// Reads a recording for a Replay, on its own thread. Results are values.
class ReplayReader : public QObject
{
    Q_OBJECT

public:
    /// Limits of the past reported before a moment, in time and in events, with or without changes.
    static constexpr std::chrono::minutes longestPast{15};
    static constexpr qint64 maxPastEvents = 20'000;
    static constexpr qint64 maxPastWeight = 500'000;
    static constexpr size_t histogramParts = 300;

    explicit ReplayReader(QString path) : m_path(std::move(path)) {}

    /// Sets the newest wish; work for older ones ends soon. Callable from any thread.
    void setNewest(quint64 wish) { m_newest = wish; }

    // Called on its thread. The others require a successful open().
    void open();
    /// Reads the state at that moment at once, then again with its past.
    void seek(quint64 wish, milliseconds moment);
    void seekWall(quint64 wish, qint64 wallMs);
    /// Seeks the next or previous listed report, otherwise the end or begin. `isTold`: all earlier results
    /// were reported, and the continuation is enough.
    void seekEvent(quint64 wish, milliseconds from, bool isForward, bool isTold, const ListedEvents &listed);
    /// Seeks the next moment at which all locks are known; stays if there is none.
    void seekKnown(quint64 wish, milliseconds from);
    /// Reads from the last stretch up to `to`, or less if there is much.
    void advance(quint64 wish, milliseconds to);

signals:
    void opened(const lockscope::ReplayOutline &outline);
    void failed(const lockscope::Error &why);
    /// Shared by both threads, and constant from then on.
    void reported(const std::shared_ptr<const lockscope::ReplayStretch> &stretch);

private:
    bool begins(quint64 wish);
    bool isOld(quint64 wish) const { return wish != m_newest; }
    bool takePast(ReplayStretch &past, const RecordedSnapshot &picture, milliseconds moment);
    std::unique_ptr<RecordingCursor> cursorFrom(milliseconds moment) const;
    bool goOnToNext(quint64 wish, const ListedEvents &listed);
    bool takeSteps(ReplayStretch &stretch, milliseconds to, qint64 most);
    void finish(ReplayStretch &stretch, milliseconds to, bool isBroken);
    TimePoint pointOf(milliseconds moment) const { return *m_zero + moment; }
    milliseconds momentOf(const RecordingCursor::Step &step) const;

    const QString m_path;
    std::atomic<quint64> m_newest{0};
    quint64 m_wish = 0;
    QList<RecordingGap> m_gaps;
    std::optional<milliseconds> m_neverKnownFrom; ///< all locks are never known after it
    std::unique_ptr<Recording> m_recording;
    std::unique_ptr<RecordingCursor> m_cursor;       ///< after the last stretch
    std::optional<RecordingCursor::Step> m_nextStep; ///< read beyond the last stretch
    std::optional<TimePoint> m_zero;                 ///< begin of the time line on our clock
    ListedSteps m_listed;                            ///< up to the last step
    milliseconds m_toldTo{0};
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::ReplayOutline)
