// SPDX-License-Identifier: GPL-3.0-or-later
// Which keys a page watches, and what it says while there is no lock among them.
#include "ui/shell/monitorpage.h"

#include "core/base/glob.h"
#include "core/base/printable.h"
#include "ui/actions/mainactions.h"
#include "ui/connect/patternsdialog.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/permissiontext.h"
#include "ui/simulation/simulationpanel.h"
#include "ui/widgets/emptystate.h"

#include <QAction>
#include <QLocale>

#include <algorithm>

namespace lockscope {

namespace {

constexpr char simulatedLocks[] = "sim:*";

} // namespace

void MonitorPage::showEmptiness()
{
    if (m_pausedAt)
        return;
    const LockTableModel &model = m_locks->model();
    m_locks->setNothingFound(model.total() == 0);
    if (model.total() > 0)
        return;
    if (m_replay)
        return showReplayEmptiness();
    QStringList patterns;
    for (const QByteArray &pattern : watchedPatterns())
        patterns << printable(pattern, 40);
    const QString wanted = patterns.join(QStringLiteral(",  "));
    const QString scanned = QLocale().toString(m_scan.keysScanned);
    if (hidesLocks(m_permissions))
        m_locks->emptyState().setMessage(
            Glyph::Padlock, tr("No lock can be read"),
            permissionTitle(m_permissions) + u'\n' +
                permissionDetail(m_permissions, m_session->address().user, m_status.server.major),
            grant().isEmpty() ? QList<QAction *>{m_commands.scan, m_commands.patterns}
                              : QList<QAction *>{m_copyGrant, m_commands.scan, m_commands.patterns});
    else if (m_sweptOnce)
        m_locks->emptyState().setMessage(Glyph::Padlock, tr("No locks at the moment"),
                                         tr("%1 keys scanned for\n%2").arg(scanned, wanted),
                                         {m_commands.patterns, m_commands.findLocks, m_commands.scan});
    else
        m_locks->emptyState().setMessage(Glyph::Scan, tr("Scanning for locks…"),
                                         tr("%1 keys scanned so far, for\n%2").arg(scanned, wanted),
                                         {m_commands.patterns});
}

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
