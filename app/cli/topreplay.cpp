// SPDX-License-Identifier: GPL-3.0-or-later
// `top` over a recording.
#include "app/cli/verbs.h"

#include "app/cli/eventlines.h"
#include "app/cli/explain.h"
#include "app/cli/topdesk.h"
#include "app/interrupt.h"
#include "app/words.h"
#include "core/base/glob.h"
#include "core/base/printable.h"
#include "core/recording/replay.h"
#include "core/table/waittext.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr int pagesOfRecording = 50;
constexpr qsizetype longestName = 40;

class TopReplay : public QObject
{
public:
    explicit TopReplay(const Options &options)
        : m_options(options), m_replay(QFile::decodeName(options.replayPath)), m_desk(m_replay)
    {
        connect(&m_interrupt, &Interrupt::interrupted, this, [] { QCoreApplication::exit(0); });
        connect(&m_desk, &TopDesk::ended, this, [] { QCoreApplication::exit(0); });
        connect(&m_desk, &TopDesk::beforeFrame, this, &TopReplay::setClock);
        connect(&m_replay, &Replay::opened, this, &TopReplay::begin);
        connect(&m_replay, &Replay::failed, this, [this](const Error &why) {
            m_desk.close();
            QCoreApplication::exit(
                static_cast<int>(deliverNone(m_options, ExitStatus::Unavailable, inWords(why))));
        });
        connect(&m_replay, &Replay::rewound, this, [this] {
            m_isJumping = true;
            m_desk.clear();
        });
        // The past of a moment brings events only: its locks are there already.
        connect(&m_replay, &Replay::locksRestored, this, [this](const LockDiff &part) {
            if (!m_replay.isTellingPast())
                m_desk.add(wanted(part));
        });
        connect(&m_replay, &MonitorSource::reported, this, [this](const MonitorReport &event) {
            const auto *diff = std::get_if<LockDiff>(&event);
            if (diff && m_isJumping)
                m_desk.addEvents(wanted(*diff).events);
            else if (diff)
                m_desk.add(wanted(*diff));
        });
        connect(&m_replay, &Replay::arrived, this, &TopReplay::arrive);
        m_replay.open();
    }

private:
    /// Leaves out what no --pattern matches.
    LockDiff wanted(LockDiff diff) const
    {
        const auto isOther = [this](const LockKey &key) {
            return !globMatchesAny(m_options.patterns, key.bytes);
        };
        if (m_options.patterns.isEmpty())
            return diff;
        diff.changed.removeIf([&](const WatchedLock &lock) { return isOther(lock.key()); });
        diff.events.removeIf([&](const LockEvent &event) { return isOther(event.address.key); });
        return diff;
    }

    void begin()
    {
        const ReplayOutline &outline = m_replay.outline();
        const auto &at = m_options.recording.at;
        if (!at)
            return m_replay.seek(outline.opensAt);
        const qint64 wallMs = at->wallMs ? *at->wallMs : lastAtTimeOfDay(at->timeOfDay, outline.wallLastMs);
        if (wallMs >= outline.wallFirstMs && wallMs <= outline.wallLastMs)
            return m_replay.seekWall(wallMs);
        if (wallMs < outline.wallFirstMs && wallMs + at->lengthMs > outline.wallFirstMs)
            return m_replay.seek(std::min( // a minute that began before the recording
                outline.opensAt, milliseconds(wallMs + at->lengthMs - 1 - outline.wallFirstMs)));
        const QString why = Words::tr("Nothing recorded then. The recording is from %1 to %2.")
                                .arg(timeText(outline.wallFromMs), timeText(outline.wallToMs));
        QCoreApplication::exit(static_cast<int>(deliverNone(m_options, ExitStatus::WrongUsage, why)));
    }

    void arrive()
    {
        const bool isJump = std::exchange(m_isJumping, false);
        if (!m_desk.isOpen())
            openDesk();
        m_desk.clock().setCluster(m_replay.watched().cluster());
        m_desk.model().followCluster();
        m_desk.showNow();
        if (isJump) {
            m_desk.model().followHoldTimes();
            m_desk.model().restartWaits();
            m_desk.showNow();
        }
        if (m_isStep)
            m_desk.view().say(m_desk.latestEvent(), StatusColor::Held);
    }

    void openDesk()
    {
        m_desk.open({.facts = [this] { return facts(); },
                     .explain =
                         [](const WatchedLock &lock, const DisplayTime &time) {
                             return explanationOf(lock, time.now(), time.wallMs());
                         },
                     .events = {},
                     .deadlocks = [this] { return m_replay.watched().deadlocks(); },
                     .serverName = {},
                     .whyNoActions = Words::tr("This is a recording: no actions."),
                     .isRecording = true},
                    m_options.filter);
        connect(&m_desk.view(), &TopView::quitRequested, this, [] { QCoreApplication::exit(0); });
        connect(&m_desk.view(), &TopView::stepRequested, this, [this](TopView::Step step, bool isForward) {
            m_isStep = step == TopView::Step::Change;
            if (m_isStep)
                return m_replay.seekEvent(isForward);
            const milliseconds length = m_replay.outline().length;
            const milliseconds page = std::max(length / pagesOfRecording, milliseconds(1000));
            m_replay.seek(
                std::clamp(m_replay.moment() + (isForward ? page : -page), milliseconds(0), length));
        });
    }

    void setClock()
    {
        DisplayClock &clock = m_desk.clock();
        clock.replay(m_replay.now(), m_replay.wallNow());
        clock.run();
        if (m_replay.isHalfTold() || m_replay.lack() != GapCause::None)
            clock.stopAt(std::min(m_replay.confirmedAt().value_or(m_replay.now()), m_replay.now()));
    }

    TopFacts facts()
    {
        const ReplayOutline &outline = m_replay.outline();
        const QString name = printable(QFileInfo(m_replay.path()).fileName().toUtf8(), longestName);
        TopFacts facts{.server = {Words::tr("Recording: %1").arg(name), timeText(m_replay.wallNow())},
                       .load = {},
                       .age = Words::tr("%1 of %2", "times from the begin of a recording")
                                  .arg(describe(m_replay.moment()), describe(outline.length))};
        if (outline.isAnonymous)
            facts.server << Words::tr("anonymous");
        const QList<Deadlock> &deadlocks = m_replay.watched().deadlocks();
        facts.banner = chooseReplayBanner(
            {.watched = m_replay.watched(),
             .serverName = {},
             .user = {},
             .now = m_replay.now(),
             .age = {},
             .deadlocks = deadlocks.size(),
             .cycle = deadlocks.isEmpty()
                          ? QStringList()
                          : cycleText(deadlocks.first(), m_desk.model().waits(), OwnerNames::none())},
            {m_replay.isHalfTold(), m_replay.lack(), m_replay.isEverKnown(), outline.hasLocks});
        return facts;
    }

    const Options &m_options;
    Interrupt m_interrupt;
    Replay m_replay;
    TopDesk m_desk;
    bool m_isJumping = false;
    bool m_isStep = false; ///< the moment is a change
};

} // namespace

ExitStatus topOfRecording(const Options &options)
{
    const TopReplay replay(options);
    return static_cast<ExitStatus>(QCoreApplication::exec());
}

} // namespace lockscope
