// SPDX-License-Identifier: GPL-3.0-or-later
// Of a monitor's page: what puts locks together, by their owners and by what happened to them.
#include "ui/shell/monitorpage.h"

#include "core/recording/replay.h"
#include "ui/actions/mainactions.h"
#include "ui/lockactions/lockactioncontroller.h"
#include "ui/locks/lockspage.h"
#include "ui/owners/ownerspanel.h"
#include "ui/shell/statusbar.h"
#include "ui/statistics/statisticspanel.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/widgets/fileexporter.h"

#include <QAction>

namespace lockscope {

void MonitorPage::addOwners()
{
    auto *owners = new OwnersPanel(m_locks->model(), m_locks->clock(), m_notes.names(), this);
    m_docks->add(QStringLiteral("owners"), owners, m_commands.showOwners,
                 [owners] { owners->focusContents(); }, {});
    owners->setWhyBlocked([this] {
        return m_status.state == Connection::State::Ready ? whyBlocked() : tr("Not connected to the server.");
    });
    connect(owners, &OwnersPanel::chosen, this, &MonitorPage::goTo);
    connect(owners, &OwnersPanel::filterRequested, m_locks, &LocksPage::setTimeFilter);
    connect(owners, &OwnersPanel::endRequested, this, [this](const OwnerEnd &end) {
        m_commands.pause->setChecked(false); // the dialog shows the locks as they are now
        if (m_actions)                       // there are none in a replay
            m_actions->endOwner(end);
    });
}

void MonitorPage::addStatistics()
{
    auto *statistics = new StatisticsPanel(
        m_history, [this] { return m_timeline->lanes().known().toMs; }, this);
    m_docks->add(QStringLiteral("statistics"), statistics, m_commands.showStatistics,
                 [statistics] { statistics->focusContents(); }, {});
    const auto choose = [this](const LockKey &key) {
        m_timeline->showChosen(key); // also where it is gone
        if (m_locks->model().find(key))
            m_locks->choose(key);
    };
    connect(statistics, &StatisticsPanel::chosen, this, choose);
    connect(statistics, &StatisticsPanel::timelineRequested, this, [this, choose](const LockKey &key) {
        m_docks->reveal(m_timeline);
        m_timeline->focusContents();
        // It scrolls to what is chosen then, once it has its place.
        m_timeline->showChosen(std::nullopt);
        QTimer::singleShot(0, this, [choose, key] { choose(key); });
    });
    connect(m_timeline, &TimelinePanel::timeSelected, statistics,
            [this, statistics] { statistics->setSelectedTime(m_timeline->time()); });
    if (m_replay) { // after a jump the history is of another time
        connect(m_replay, &Replay::arrived, statistics, [this, statistics] {
            if (m_replay->isTellingPast())
                statistics->restart();
        });
    }
    connect(statistics, &StatisticsPanel::exportRequested, this, [this, statistics] {
        if (!canExport())
            return;
        StatisticsExport picture = statistics->exported(m_serverName);
        picture.shownMs = shownMs();
        m_exporter->ask(fileExport(picture));
    });
}

} // namespace lockscope
