// SPDX-License-Identifier: GPL-3.0-or-later
// A page of a recording: the moment that is shown, and what was not known then.
#include "ui/shell/monitorpage.h"

#include "core/base/printable.h"
#include "core/recording/replay.h"
#include "core/words/recordingmessages.h"
#include "ui/actions/mainactions.h"
#include "ui/events/eventspanel.h"
#include "ui/locks/lockspage.h"
#include "ui/replay/replaybar.h"
#include "ui/shell/momentteller.h"
#include "ui/shell/permissiontext.h"
#include "ui/shell/statusbar.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/waits/lockwaitspanel.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/emptystate.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

QString asSentence(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

/// At the latest when what is known there was true.
TimePoint lackingSince(const Replay &replay)
{
    for (const RecordingGap &gap : replay.outline().gaps) {
        if (gap.from <= replay.moment() && gap.to >= replay.moment())
            return replay.now() - (replay.moment() - gap.from);
    }
    return replay.now();
}

/// What Events lists, or would list of another time.
ListedEvents listedBy(const EventFilter &filter)
{
    return {.event = [filter](const LockEvent &event) { return filter.accepts(event); },
            .moment = [filter](MomentKind kind, const LockKey &key) { return filter.accepts(kind, key); }};
}

} // namespace

MonitorPage::Subject MonitorPage::subjectOf(std::unique_ptr<Replay> replay)
{
    constexpr qsizetype longestName = 60;
    Subject subject;
    subject.name =
        tr("recording %1").arg(printable(QFileInfo(replay->path()).fileName().toUtf8(), longestName));
    subject.place = subject.name;
    subject.replay = replay.get();
    subject.source = std::move(replay);
    return subject;
}

MonitorPage::MonitorPage(std::unique_ptr<Replay> replay, MainActions &commands, QWidget *parent)
    : MonitorPage(subjectOf(std::move(replay)), commands, parent)
{
}

void MonitorPage::connectReplay()
{
    connect(m_replay, &Replay::failed, this, &MonitorPage::failed);
    connect(m_replay, &Replay::opened, this, [this] {
        m_established = true;
        updateCommands();
        emit established();
        // A recording begins before all locks were read.
        const QList<RecordingGap> &gaps = m_replay->outline().gaps;
        const bool isLate = !gaps.isEmpty() && gaps.first().from == milliseconds(0) &&
                            gaps.first().to < m_replay->outline().length;
        m_replay->seek(isLate ? gaps.first().to : milliseconds(0));
    });
    connect(m_replay, &Replay::permissionsChanged, this, [this](const PermissionStatus &status) {
        m_permissions = status;
        m_statusLine->showPermissions(permissionText(status), permissionTitle(status));
    });
    connect(m_replay, &Replay::rewound, this, &MonitorPage::takeRewind);
    connect(m_replay, &Replay::locksRestored, this, &MonitorPage::takeKnown);
    connect(m_replay, &Replay::restored, this, &MonitorPage::takeRestored);
    connect(m_replay, &Replay::partTold, this, &MonitorPage::takePart);
    connect(m_replay, &Replay::gapTold, this, &MonitorPage::takeGap);
    connect(m_replay, &Replay::arrived, this, &MonitorPage::takeArrival);
    connect(m_replayBar, &ReplayBar::eventRequested, this,
            [this](bool isForward) { m_replay->seekEvent(isForward, listedBy(m_events->filter())); });
    // Space, as it stops and goes on with a live picture.
    auto *turn = new QAction(this);
    turn->setShortcut(Qt::Key_Space);
    turn->setShortcutContext(Qt::WidgetShortcut);
    connect(turn, &QAction::triggered, m_replayBar, &ReplayBar::turn);
    m_locks->addTableAction(turn);
    m_timeline->view().addAction(turn);
}

/// What was told is not so at the moment that is wanted now.
void MonitorPage::takeRewind()
{
    m_isJumping = m_isRestoring = true;
    m_held = HeldChanges();
    if (m_timeline->time())
        m_timeline->clearTime();
    m_log.clear();
    m_history.clear();
    m_holdTimes.clear();
    m_moments->forget();
    m_deadlocks.clear();
    if (!m_replay->isTellingPast()) // gray until all of it is told
        m_locks->replay(m_source->now(), m_source->wallNow(), m_source->now());
}

/// No events: nothing is said to have happened then. The table gets what was known at the moment itself, once; the history what
/// was known before it, and what follows.
void MonitorPage::takeKnown(const LockDiff &part)
{
    if (m_replay->isTellingPast())
        return m_history.apply(part, m_source->wallNow());
    if (const LockDiff diff = othersThanShown(part); !diff.isEmpty())
        showDiff(diff);
}

void MonitorPage::takeRestored(bool isWhole)
{
    m_isRestoring = false;
    if (!isWhole)
        m_history.addLost(m_source->wallNow());
}

void MonitorPage::takeGap(const RecordingGap &gap)
{
    takeMoment({MomentKind::FeedGap, describe(gap), gap.wallFromMs, {}});
    m_moments->skipGap();
}

/// Without those that the table has as they are.
LockDiff MonitorPage::othersThanShown(const LockDiff &told) const
{
    LockDiff diff{.changed = {}, .removed = told.removed, .events = {}};
    for (const WatchedLock &lock : told.changed) {
        const WatchedLock *shown = m_locks->model().find(lock.key());
        if (!shown || !isRecordedAlike(*shown, lock))
            diff.changed.append(lock);
    }
    return diff;
}

/// What has come together since it was shown last. Of a jump, events alone: the table has the moment that they lead to.
void MonitorPage::showHeld()
{
    m_log.addLost(m_held.takeLost());
    const QList<Moment> moments = m_held.takeMoments();
    const LockDiff diff = m_held.take();
    if (!m_isJumping && !(diff.isEmpty() && moments.isEmpty()))
        return showDiff(diff, moments);
    m_log.append(diff.events, moments);
    m_holdTimes.add(diff.events);
}

/// The time of what is shown, and that it is gray where it is not known to be so then.
void MonitorPage::showReplayTime()
{
    const TimePoint now = m_source->now();
    std::optional<TimePoint> stale;
    if (m_replay->isHalfTold())
        stale = now;
    else if (m_replay->lack() != GapCause::None)
        stale = std::min(m_confirmedAt.value_or(lackingSince(*m_replay)), now);
    m_locks->replay(now, m_source->wallNow(), stale);
    m_waits->setStale(stale.has_value());
}

/// Of what takes more than a turn of the event loop, as much as was told.
void MonitorPage::takePart()
{
    if (m_replay->isHalfTold() || !m_isJumping)
        showReplayTime();
    showHeld();
    showConnection();
    emit standingChanged();
}

/// All that led to the moment has been told.
void MonitorPage::takeArrival()
{
    m_confirmedAt = m_replay->confirmedAt();
    showReplayTime();
    m_waits->setDeadlocks(m_deadlocks);
    showHeld();
    if (std::exchange(m_isJumping, false)) {
        m_locks->followHoldTimes();
        showDiff({}); // what is chosen is of another time, too
        m_locks->restartWaits();
        m_timeline->view().setFollowing(true);
    }
    showConnection();
    showAge();
    emit standingChanged();
}

/// In the banner what was not known at the moment, or what has to be known of it.
void MonitorPage::showReplay()
{
    if (!m_established)
        return;
    if (m_replay->isHalfTold())
        m_banner->setMessage(
            StatusColor::Warning, tr("This moment is being read"),
            tr("Until all of it is read, locks shown in gray may be those of another moment."));
    else if (m_isJumping) // as it stands
        return;
    else if (m_replay->lack() != GapCause::None)
        m_banner->setMessage(
            StatusColor::Warning, tr("Not all locks are known at this moment"),
            tr("%1. What is shown in gray is as it was known last.", "why a recording lacks something")
                .arg(asSentence(describe(m_replay->lack()))),
            m_replay->isEverKnown() ? tr("Go to the next known moment") : QString());
    else if (!m_waits->deadlocks().isEmpty())
        tellDeadlocks();
    else if (hidesLocks(m_permissions))
        m_banner->setMessage(StatusColor::Warning, permissionTitle(m_permissions));
    else
        m_banner->hide();
}

/// False, and says so: what would be exported is not all there.
bool MonitorPage::canExport()
{
    if (!m_replay || m_replay->isPastTold())
        return true;
    m_statusLine->flash(tr("Nothing was exported: the recording is still being read."));
    return false;
}

void MonitorPage::stepInReplay()
{
    if (m_replay->lack() == GapCause::None) {
        m_docks->reveal(m_waits);
        return m_waits->focusContents();
    }
    m_replay->seekKnown();
}

void MonitorPage::showReplayEmptiness()
{
    if (m_replay->isHalfTold())
        return m_locks->emptyState().setMessage(Glyph::Padlock, tr("This moment is being read"), {}, {});
    const QString lack = m_replay->lack() != GapCause::None ? asSentence(describe(m_replay->lack())) + u'.'
                         : hidesLocks(m_permissions)        ? permissionTitle(m_permissions)
                                                            : QString();
    m_locks->emptyState().setMessage(
        Glyph::Padlock, lack.isEmpty() ? tr("No locks at this moment") : tr("Locks not known"),
        lack.isEmpty() ? tr("The recording has none of this time.") : lack, {m_commands.nextEvent});
}

} // namespace lockscope
