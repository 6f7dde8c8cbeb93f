// SPDX-License-Identifier: GPL-3.0-or-later
// Which keys a page watches: the user's patterns, and those of a simulation while it runs.
#include "ui/shell/monitorpage.h"

#include "core/base/glob.h"
#include "ui/actions/mainactions.h"
#include "ui/connect/patternsdialog.h"
#include "ui/locks/lockspage.h"
#include "ui/simulation/simulationpanel.h"

#include <QAction>

#include <algorithm>

namespace lockscope {

namespace {

constexpr char simulatedLocks[] = "sim:*";

} // namespace

void MonitorPage::editPatterns()
{
    auto *dialog = new PatternsDialog(m_patterns, this);
    connect(dialog, &PatternsDialog::chosen, this, &MonitorPage::watchPatterns);
    present(dialog);
}

void MonitorPage::watchPatterns(const QList<QByteArray> &patterns)
{
    m_commands.pause->setChecked(false); // whoever looks for others wants to see them
    m_patterns = patterns;
    m_sweptOnce = false;
    m_session->setPatterns(watchedPatterns());
    // Its row goes, which does not mean that the lock is gone.
    if (const auto &chosen = m_locks->chosen(); chosen && !globMatchesAny(watchedPatterns(), chosen->bytes))
        m_locks->chooseNothing();
    showEmptiness();
}

QList<QByteArray> MonitorPage::watchedPatterns() const
{
    QList<QByteArray> patterns = m_patterns;
    if (m_watchesSimulation && !patterns.contains(simulatedLocks))
        patterns.append(simulatedLocks);
    return patterns;
}

void MonitorPage::joinSimulation()
{
    if (m_watchesSimulation)
        return;
    m_watchesSimulation = true;
    m_session->setPatterns(watchedPatterns());
}

/// When it has ended and its locks are seen to be gone: their ends are events that should be seen too.
void MonitorPage::leaveSimulation()
{
    if (!m_watchesSimulation || m_simulation->isRunning() || m_pausedAt) // never in a replay
        return;
    const QSet<QByteArray> &keys = m_simulation->keys();
    const bool isThere = std::any_of(keys.begin(), keys.end(), [this](const QByteArray &key) {
        return m_locks->model().find(LockKey(key)) != nullptr;
    });
    if (isThere)
        return;
    m_watchesSimulation = false;
    m_session->setPatterns(watchedPatterns());
}

void MonitorPage::simulate(const SimulationSetup &setup)
{
    m_simulation->start(setup);
}

} // namespace lockscope
