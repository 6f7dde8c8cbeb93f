// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/replayreader.h"
#include "core/watch/monitorsource.h"

#include <QElapsedTimer>
#include <QHash>
#include <QThread>
#include <QTimer>

#include <deque>
#include <memory>
#include <optional>

namespace lockscope {

/// Plays a recording like a session: reports the state at a moment that the user chooses, and shortly before.
/// Reads the file on its own thread; only the latest request is answered. Moments are on this machine's
/// clocks at the recording's wall time.
///
/// After a jump, for the moment alone and then again with its past: rewound() takes back all earlier reports;
/// locksRestored() reports the state at the begin, in parts, until restored(); then the reports of that
/// session, with now() as the moment of each; then arrived(). While playing: only reports, and arrived().
///
/// Long reports are split over several turns of the event loop, each but the last ending in partTold(), and
/// stop when another request arrives, to not block the window.
class Replay : public MonitorSource
{
    Q_OBJECT

public:
    explicit Replay(QString path, QObject *parent = nullptr);
    ~Replay() override;

    /// Ends in opened() or failed(); the other functions require opened().
    void open();

    const QString &path() const { return m_path; }
    const ReplayOutline &outline() const { return m_outline; }

    TimePoint now() const override { return m_at; }
    qint64 wallNow() const override { return m_wallMs; }
    /// The moment being reported, or last arrived at.
    milliseconds moment() const { return m_moment; }
    /// The reason why not all locks were known then; None: all were.
    GapCause lack() const { return m_lack; }
    /// If lack() is not None: whether all locks may be known later, for seekKnown().
    bool isEverKnown() const { return m_isEverKnown; }
    /// All data was current then; absent: unknown.
    std::optional<TimePoint> confirmedAt() const { return m_confirmedAt; }
    const WatchState &watching() const { return m_watching; }
    /// False while the past of this moment is still being read.
    bool isPastTold() const { return m_isPastTold; }
    /// True while the past of a moment is reported; the moment itself was reported before.
    bool isTellingPast() const { return m_isTellingPast; }
    /// True while only some of the locks at moment() were reported; the others are of another moment.
    bool isHalfTold() const { return m_isHalfTold; }

    void seek(milliseconds moment);
    void seekWall(qint64 wallMs);
    /// Jumps to the moment of the next or previous listed report.
    void seekEvent(bool isForward, const ListedEvents &listed = {});
    /// Jumps to the next moment at which all locks are known.
    void seekKnown();
    /// Plays `speed` times as fast as recorded, or as fast as can be read, skipping gaps. Stops at the end.
    void play(int speed);
    void stop();
    bool isPlaying() const { return m_playing.isActive(); }

signals:
    void opened();
    void failed(const lockscope::Error &why);
    void rewound();
    /// Part of the locks known at now(), as locks found then. For the moment alone: without events, and with
    /// the removed locks of earlier reports.
    void locksRestored(const lockscope::LockDiff &part);
    /// The locks are complete. `isWhole`: all locks were known, except for nodes missing in ClusterStatus.
    void restored(bool isWhole);
    /// A gap of the recording; later reports follow it.
    void gapTold(const lockscope::RecordingGap &gap);
    /// The rest follows in the next turn of the event loop. now() is the moment of arrival or, while playing,
    /// the moment up to which all was reported.
    void partTold();
    void arrived();
    void playingChanged(bool on);

private:
    using Stretch = std::shared_ptr<const ReplayStretch>;

    struct Progress
    {
        enum class Stage : quint8 { Untold, Locks, Removed, Restored, Steps };

        Stage stage = Stage::Untold;
        qsizetype locks = 0;                    ///< at its begin
        QHash<LockKey, quint64>::iterator next; ///< of those that may be gone
        size_t step = 0;
        qsizetype within = 0; ///< within the step
        TimePoint zero;       ///< start of the time line
        TimePoint at;
        qint64 wallMs = 0;
    };

    template <typename Wish>
    void ask(Wish wish);
    void take(const Stretch &stretch);
    void tellPart();
    bool tellNext(const ReplayStretch &stretch);
    void begin(const ReplayStretch &stretch);
    void tellLocks(const ReplayStretch &stretch);
    bool tellRemoved(quint64 wish);
    void tellRestored(const RecordedSnapshot &picture);
    bool tellStep(const ReplayStretch &stretch);
    void tellChange(const LockDiff &diff);
    void pause(const ReplayStretch &stretch);
    void arrive(const ReplayStretch &stretch);
    void drop();
    void tellRecorded(const RecordingCursor::Step &step);
    void tellWatching(const WatchState &watching);
    void tellAnew(const WatchState &watching);
    void advance();

    const QString m_path;
    ReplayReader *m_reader; ///< on the thread, which deletes it
    QThread m_thread;
    ReplayOutline m_outline;
    quint64 m_wish = 0;
    bool m_isWaiting = false; ///< for a stretch of the current wish
    TimePoint m_at;
    qint64 m_wallMs = 0;
    milliseconds m_moment{0};
    GapCause m_lack = GapCause::None;
    bool m_isEverKnown = true;
    std::optional<TimePoint> m_confirmedAt;
    WatchState m_watching;
    bool m_isPastTold = false;
    bool m_isTellingPast = false;
    bool m_isHalfTold = false;
    std::deque<Stretch> m_stretches; ///< not yet reported, the first perhaps in part
    Progress m_progress;             ///< in the first stretch
    QTimer m_next;
    /// The locks that listeners have, with the last wish that reported them.
    QHash<LockKey, quint64> m_there;
    int m_speed = 1;
    QTimer m_playing;
    QElapsedTimer m_sincePlayed;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::RecordingGap)
