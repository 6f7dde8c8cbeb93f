// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/watchingtracker.h"

#include <utility>

namespace lockscope {

WatchingTracker::WatchingTracker(const WatchSource &source, Watching begin, QObject *parent)
    : QObject(parent),
      m_watching(std::move(begin)),
      m_read(m_watching.connection == Link::State::Ready, m_watching.isRead, m_watching.feed.incident)
{
    connect(&source, &WatchSource::statusChanged, this, [this](const ConnectionStatus &status) {
        m_watching.connection = status.state;
        m_read.takeConnection(status.state == Link::State::Ready);
        m_watching.isRead = m_read.isRead();
        m_watching.serverName = status.server.name;
        m_watching.serverVersion = status.server.version;
        m_watching.serverMode = status.server.mode;
        emit changed();
    });
    connect(&source, &WatchSource::feedChanged, this, [this](const FeedStatus &status) {
        m_watching.feed.routes = status.routes;
        m_watching.feed.incident = status.incident;
        m_read.takeFeed(status);
        m_watching.isRead = m_read.isRead();
        emit changed();
    });
    connect(&source, &WatchSource::permissionsChanged, this, [this](const PermissionStatus &status) {
        m_watching.unreadable = status.unreadable;
        emit changed();
    });
    connect(&source, &WatchSource::clusterChanged, this, &WatchingTracker::takeCluster);
    connect(&source, &WatchSource::scanFinished, this, [this](const ScanStats &stats) {
        if (!m_read.takeScan(stats.complete))
            return;
        m_watching.isRead = true;
        emit changed();
    });
}

void WatchingTracker::takeCluster(const ClusterStatus &status)
{
    const Watching before = m_watching;
    m_watching.nodes.clear();
    m_watching.missingNodes.clear();
    for (const NodeStatus &node : status.hasSeveral() ? status.nodes : QList<NodeStatus>()) {
        m_watching.nodes.append(node.name.toUtf8());
        if (!node.isReady() || !node.isCurrent)
            m_watching.missingNodes.append(node.name.toUtf8());
    }
    m_watching.unknownSlots = status.unknownSlots;
    if (m_watching.nodes != before.nodes || m_watching.missingNodes != before.missingNodes ||
        !isSameSet(m_watching.unknownSlots, before.unknownSlots))
        emit changed();
}

} // namespace lockscope
