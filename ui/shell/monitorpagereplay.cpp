// SPDX-License-Identifier: GPL-3.0-or-later
// A page of a recording: the moment that is shown, and what was not known then.
#include "ui/shell/monitorpage.h"

#include "core/base/printable.h"
#include "core/recording/replay.h"
#include "core/words/recordingmessages.h"
#include "ui/actions/mainactions.h"
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
    connect(m_replay, &Replay::restored, this, &MonitorPage::takeKnown);
    connect(m_replay, &Replay::gapTold, this, &MonitorPage::takeGap);
    connect(m_replay, &Replay::arrived, this, &MonitorPage::takeArrival);
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
}

/// No events: nothing is said to have happened then. The table gets what was known at the moment itself, once; the history what
/// was known before it, and what follows.
void MonitorPage::takeKnown(const LockDiff &known, bool isWhole)
{
    m_isRestoring = false;
    if (m_replay->isTellingPast())
        m_history.apply(known, m_source->wallNow());
    else
        m_restored = known.changed;
    if (!isWhole)
        m_history.addLost(m_source->wallNow());
}

void MonitorPage::takeGap(const RecordingGap &gap)
{
    takeMoment({MomentKind::FeedGap, describe(gap), gap.wallFromMs, {}});
    m_moments->skipGap();
}

/// What makes these of the locks that the table has.
LockDiff MonitorPage::changesTo(const QList<WatchedLock> &locks) const
{
    const LockTableModel &model = m_locks->model();
    LockDiff diff;
    QSet<LockKey> there;
    there.reserve(locks.size());
    for (const WatchedLock &lock : locks) {
        there.insert(lock.key());
        if (const WatchedLock *shown = model.find(lock.key()); !shown || !isRecordedAlike(*shown, lock))
            diff.changed.append(lock);
    }
    model.visitAll([&](const WatchedLock &shown) {
        if (!there.contains(shown.key()))
            diff.removed.append(shown.key());
    });
    return diff;
}

/// All that led to the moment has been told: it is shown at once.
void MonitorPage::takeArrival()
{
    m_confirmedAt = m_replay->confirmedAt();
    const TimePoint now = m_source->now();
    const bool isKnown = m_replay->lack() == GapCause::None;
    const TimePoint stale = std::min(m_confirmedAt.value_or(lackingSince(*m_replay)), now);
    m_locks->replay(now, m_source->wallNow(), isKnown ? std::nullopt : std::optional(stale));
    m_waits->setStale(!isKnown);
    m_waits->setDeadlocks(m_deadlocks);
    m_log.addLost(m_held.takeLost());
    const QList<Moment> moments = m_held.takeMoments();
    LockDiff diff = m_held.take();
    if (m_isJumping && !m_replay->isTellingPast())
        diff = changesTo(std::exchange(m_restored, {}));
    if (m_isJumping || !diff.isEmpty() || !moments.isEmpty())
        showDiff(diff, moments);
    if (m_isJumping)
        m_locks->restartWaits();
    if (std::exchange(m_isJumping, false))
        m_timeline->view().setFollowing(true);
    showConnection();
    showAge();
    emit standingChanged();
}

/// In the banner what was not known at the moment, or what has to be known of it.
void MonitorPage::showReplay()
{
    if (!m_established || m_isJumping)
        return;
    if (m_replay->lack() != GapCause::None)
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
    const QString lack = m_replay->lack() != GapCause::None ? asSentence(describe(m_replay->lack())) + u'.'
                         : hidesLocks(m_permissions)        ? permissionTitle(m_permissions)
                                                            : QString();
    m_locks->emptyState().setMessage(
        Glyph::Padlock, lack.isEmpty() ? tr("No locks at this moment") : tr("Locks not known"),
        lack.isEmpty() ? tr("The recording has none of this time.") : lack, {m_commands.nextEvent});
}

} // namespace lockscope
