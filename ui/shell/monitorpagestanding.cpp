// SPDX-License-Identifier: GPL-3.0-or-later
// What may be done on a server, and a lock that is waited for.
#include "ui/shell/monitorpage.h"

#include "core/base/printable.h"
#include "ui/actions/mainactions.h"
#include "ui/alerts/alertcontroller.h"
#include "ui/inspector/rawvaluedialog.h"
#include "ui/lockactions/outcomenotice.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/waittext.h"
#include "ui/replay/replaybar.h"
#include "ui/shell/statusbar.h"
#include "ui/waits/lockwaitspanel.h"

#include <algorithm>

namespace lockscope {

bool MonitorPage::isReadOnly() const
{
    return !m_session || m_session->isReadOnly();
}

ServerStanding MonitorPage::standing() const
{
    if (m_replay)
        return {.name = m_replayBar->title(), .unlockedFor = {}};
    return {m_serverName, m_session->guard().environment(), isReadOnly(), m_session->unlockedFor(),
            m_alerts ? m_alerts->list().unattended() : 0};
}

void MonitorPage::showStanding()
{
    updateCommands();
    emit standingChanged();
}

/// Why nothing may be changed here; empty: it may.
QString MonitorPage::whyBlocked() const
{
    if (m_replay)
        return MainActions::recordingReason();
    if (isReadOnly() && m_session->unlockedFor())
        return MainActions::lockedReason();
    if (isReadOnly())
        return MainActions::readOnlyReason();
    if (m_cluster.hasSeveral() || m_cluster.nodes.isEmpty() || !m_cluster.nodes.first().isReplica)
        return {};
    const auto &replicaOf = m_cluster.nodes.first().replicaOf;
    return replicaOf ? tr("This is a replica. Change locks at its primary, %1.")
                           .arg(replicaOf->primary.toDisplayString())
                     : tr("This is a replica. Change locks at its primary.");
}

/// Chooses a lock that another panel tells of, and that may be gone, hidden, or of later than the picture.
void MonitorPage::goTo(const LockKey &key)
{
    if (m_locks->model().find(key))
        m_locks->choose(key);
    else
        m_statusLine->flash(m_pausedAt || m_replay ? tr("This lock is not in the picture that is shown")
                                                   : tr("This lock is not among the locks known now"));
}

void MonitorPage::chooseWhenFound(const LockKey &key)
{
    m_wanted = key;
    if (m_session)
        m_session->requestRead({key});
    chooseWanted();
}

/// Until it is there, or all was read without it.
void MonitorPage::chooseWanted()
{
    if (!m_wanted || m_pausedAt)
        return;
    const LockKey key = *m_wanted;
    if (m_locks->chosen()) {
        m_wanted.reset(); // the user has chosen another meanwhile
    } else if (m_locks->model().find(key)) {
        m_wanted.reset();
        m_locks->choose(key);
    } else if (m_sweptOnce) {
        m_wanted.reset();
        m_outcomes->add(
            StatusColor::Warning,
            tr("%1 was not found among the locks of these patterns.").arg(printable(key.bytes, 60)));
    }
}

/// A line for each owner of the deadlock that the chosen lock is in.
QStringList MonitorPage::deadlockOfChosen() const
{
    for (const Deadlock &deadlock : m_waits->deadlocks()) {
        const bool isIn = std::ranges::any_of(
            deadlock.cycle, [this](const WaitEdge &edge) { return edge.lock == m_locks->chosen(); });
        if (isIn)
            return cycleText(deadlock, m_locks->model().waits(), m_notes.names());
    }
    return {};
}

void MonitorPage::showRawValue()
{
    const WatchedLock *lock = m_locks->chosenLock();
    if (!lock)
        return;
    auto *dialog = new RawValueDialog( // NOLINT(cppcoreguidelines-owning-memory): ours, and deletes itself
        lock->lock, m_serverName, [this](const Lock &shown) { return m_session->readContents(shown); }, this);
    present(dialog);
}

} // namespace lockscope
