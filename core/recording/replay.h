// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/replayreader.h"
#include "core/watch/watchsource.h"

#include <QElapsedTimer>
#include <QHash>
#include <QThread>
#include <QTimer>

#include <deque>
#include <memory>
#include <optional>

namespace lockscope {

/// A recording that tells of a moment that the user chooses what a session would have told at it, and what came shortly before.
/// The file is read on a thread of its own; only what was asked for last is told. Moments lie on this machine's clocks where the
/// wall clock of the recording has them.
///
/// After a jump, first for the moment alone, then again with what came before it: rewound(), which takes back all that was told; how
/// it stood, or had stood a while before, told where nothing is new, and by locksRestored() as often as it takes, up to restored();
/// what a session told then, now() being the moment of each; arrived(). While it is played: what was told, and arrived(), alone.
///
/// What takes its listeners long is told over several turns of the event loop, with partTold() at the end of each but the last,
/// and ends wherever it is once something else is asked for: a hundred thousand locks hold up nobody.
class Replay : public WatchSource
{
    Q_OBJECT

public:
    explicit Replay(QString path, QObject *parent = nullptr);
    ~Replay() override;

    /// Ends in opened() or failed(); the rest is for an open one.
    void open();

    const QString &path() const { return m_path; }
    const ReplayOutline &outline() const { return m_outline; }

    TimePoint now() const override { return m_at; }
    qint64 wallNow() const override { return m_wallMs; }
    /// The moment that is told of, or that was arrived at last.
    milliseconds moment() const { return m_moment; }
    /// Why not all locks were known then; None: they were.
    GapCause lack() const { return m_lack; }
    /// Where it is not None: there may be a later moment at which all are, for seekKnown().
    bool isEverKnown() const { return m_isEverKnown; }
    /// Everything known was true then; nullopt: that is not known of any moment.
    std::optional<TimePoint> confirmedAt() const { return m_confirmedAt; }
    const Watching &watching() const { return m_watching; }
    /// False: what came before this moment is still being read.
    bool isPastTold() const { return m_isPastTold; }
    /// What is told after a jump is what came before the moment: that itself was told before, and is the same.
    bool isTellingPast() const { return m_isTellingPast; }
    /// Only some of what makes the locks those of moment() has been told: the rest are as they were told of another one.
    bool isHalfTold() const { return m_isHalfTold; }

    void seek(milliseconds moment);
    void seekWall(qint64 wallMs);
    /// To the moment of the next thing that is listed or of the one before.
    void seekEvent(bool isForward, const ListedEvents &listed = {});
    /// To the next moment at which all locks are known.
    void seekKnown();
    /// Goes on by itself, `speed` times as fast as it was, as far as it can be read; without the times of which nothing was
    /// recorded. Stops at the end.
    void play(int speed);
    void stop();
    bool isPlaying() const { return m_playing.isActive(); }

signals:
    void opened();
    void failed(const lockscope::Error &why);
    void rewound();
    /// Some of what was known at now(), as locks that were found then. Of the moment alone without events, and with the locks that
    /// were told of before and are not there.
    void locksRestored(const lockscope::LockDiff &part);
    /// That was everything. `isWhole`: it was all that there was, but for what ClusterStatus says of nodes.
    void restored(bool isWhole);
    /// Of a time in which nothing was recorded. What is told next is of after it.
    void gapTold(const lockscope::RecordingGap &gap);
    /// The rest follows in the next turn of the event loop. now() is what it will be when it has arrived, or, while it is played,
    /// the moment up to which all was told.
    void partTold();
    void arrived();
    void playingChanged(bool on);

private:
    using Stretch = std::shared_ptr<const ReplayStretch>;

    /// How much of a stretch was told.
    struct Progress
    {
        enum class Stage : quint8 { Untold, Locks, Removed, Restored, Steps };

        Stage stage = Stage::Untold;
        qsizetype locks = 0;                    ///< of its begin
        QHash<LockKey, quint64>::iterator next; ///< of those that may be no longer there
        size_t step = 0;
        qsizetype within = 0; ///< of what the step consists of
        TimePoint zero;       ///< of the time line
        TimePoint at;         ///< of what was told last
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
    void tellRestored(const RecordedPicture &picture);
    bool tellStep(const ReplayStretch &stretch);
    void tellChange(const LockDiff &diff);
    void pause(const ReplayStretch &stretch);
    void arrive(const ReplayStretch &stretch);
    void drop();
    void tellRecorded(const RecordingCursor::Step &step);
    void tellWatching(const Watching &watching);
    void tellAnew(const Watching &watching);
    void advance();

    const QString m_path;
    ReplayReader *m_reader; ///< on the thread, which deletes it
    QThread m_thread;
    ReplayOutline m_outline;
    quint64 m_wish = 0;
    bool m_isWaiting = false; ///< for a stretch of the wish
    TimePoint m_at;
    qint64 m_wallMs = 0;
    milliseconds m_moment{0};
    GapCause m_lack = GapCause::None;
    bool m_isEverKnown = true;
    std::optional<TimePoint> m_confirmedAt;
    Watching m_watching;
    bool m_isPastTold = false;
    bool m_isTellingPast = false;
    bool m_isHalfTold = false;
    std::deque<Stretch> m_stretches; ///< not told, or not all of the first
    Progress m_progress;             ///< of the first
    QTimer m_next;                   ///< part of it
    /// The locks that the listeners have, with the wish that told of them last.
    QHash<LockKey, quint64> m_there;
    int m_speed = 1;
    QTimer m_playing;
    QElapsedTimer m_sincePlayed;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::RecordingGap)
