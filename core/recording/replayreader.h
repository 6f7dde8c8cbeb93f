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

/// What can be said of a recording without reading what is in it.
struct ReplayOutline
{
    milliseconds length{0};
    qint64 wallFromMs = 0; ///< epoch ms
    qint64 wallToMs = 0;
    bool isAnonymous = false;
    QList<RecordingGap> gaps;      ///< without damage within chunks
    std::vector<qint64> histogram; ///< events in each of equal parts of its length
    std::vector<WallStep> wallSteps;
    qint64 wallFirstMs = 0; ///< the first and the last that the wall clock showed
    qint64 wallLastMs = 0;

    qint64 wallAt(milliseconds moment) const;
    /// How often the wall clock was set back by more than a second: some times of it were shown twice, and its end may lie before
    /// its begin.
    int clockSetBacks() const;
};

/// A time of a recording, as values.
struct ReplayStretch
{
    quint64 wish = 0; ///< which it fulfils
    /// All that was known where it begins; nothing: it follows the stretch before.
    std::optional<RecordedPicture> begin;
    QList<LockEvent>
        found; ///< the locks of `begin`, as events, see hasEvents(); of a moment without what came before it none
    std::vector<RecordingCursor::Step> steps;
    milliseconds to{0}; ///< where it ends
    TimePoint at;
    qint64 wallMs = 0;
    std::optional<TimePoint> confirmedAt; ///< absent: only what is told of it says so
    GapCause lack = GapCause::None;       ///< there; None: all locks were known
    bool isEverKnown = true;              ///< all locks may be known at a later moment
    bool isLast = true;                   ///< nothing more comes for this wish
};

/// Reads a recording for a Replay, on a thread of its own. Each result is a value.
class ReplayReader : public QObject
{
    Q_OBJECT

public:
    /// What is told before a moment: so long, and so many events, at most; and of them with what changed without any.
    static constexpr std::chrono::minutes longestPast{15};
    static constexpr qint64 mostPastEvents = 20'000;
    static constexpr qint64 mostPastWeight = 500'000;
    static constexpr size_t histogramParts = 300;

    explicit ReplayReader(QString path) : m_path(std::move(path)) {}

    /// The newest wish: what is under way for an older one ends soon. From any thread.
    void setNewest(quint64 wish) { m_newest = wish; }

    // On its thread. Nothing comes of the rest but after a successful open().
    void open();
    /// The state at that moment at once, then the same with what came before it.
    void seek(quint64 wish, milliseconds moment);
    void seekWall(quint64 wish, qint64 wallMs);
    /// To the moment of the next or the last thing that is listed; where there is none, to the end or the begin. `isTold`: all that
    /// was given was told, so that what follows may be given alone.
    void seekEvent(quint64 wish, milliseconds from, bool isForward, bool isTold, const ListedEvents &listed);
    /// To the next moment at which all locks are known; where there is none, it stays.
    void seekKnown(quint64 wish, milliseconds from);
    /// What comes after the last stretch, up to that moment: less where there is much.
    void advance(quint64 wish, milliseconds to);

signals:
    void opened(const lockscope::ReplayOutline &outline);
    void failed(const lockscope::Error &why);
    /// Read by both threads from then on, and changed by none.
    void told(const std::shared_ptr<const lockscope::ReplayStretch> &stretch);

private:
    bool begins(quint64 wish);
    bool isOld(quint64 wish) const { return wish != m_newest; }
    bool takePast(ReplayStretch &past, const RecordedPicture &picture, milliseconds moment);
    std::unique_ptr<RecordingCursor> cursorFrom(milliseconds moment) const;
    bool goOnToNext(quint64 wish, const ListedEvents &listed);
    bool takeSteps(ReplayStretch &stretch, milliseconds to, qint64 most);
    void finish(ReplayStretch &stretch, milliseconds to, bool isBroken);
    TimePoint pointOf(milliseconds moment) const { return *m_zero + moment; }
    milliseconds momentOf(const RecordingCursor::Step &step) const;

    const QString m_path;
    std::atomic<quint64> m_newest{0};
    quint64 m_wish = 0; ///< the one under way
    QList<RecordingGap> m_gaps;
    std::optional<milliseconds> m_neverKnownFrom; ///< nothing after it can be read
    std::unique_ptr<Recording> m_recording;
    std::unique_ptr<RecordingCursor> m_cursor;       ///< behind the last stretch
    std::optional<RecordingCursor::Step> m_nextStep; ///< which it had gone too far for
    std::optional<TimePoint> m_zero;                 ///< where the time line's begin lies on our clock
    ListedSteps m_listed;                            ///< of the steps up to there
    milliseconds m_toldTo{0};
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::ReplayOutline)
