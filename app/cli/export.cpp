// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/export.h"

#include "app/cli/json.h"
#include "app/cli/sweep.h"
#include "app/words.h"
#include "core/monitor/scanguard.h"
#include "core/words/messages.h"

#include <QHostAddress>

#include <utility>

namespace lockscope {

namespace {

constexpr int auditCheckMs = 20;
constexpr std::chrono::seconds auditPatience{1};

QString urlOf(const ListenAddress &address, quint16 port)
{
    const bool isSix = address.host.contains(u':');
    const QString host = address.host.isEmpty() ? QStringLiteral("0.0.0.0")
                         : isSix                ? u'[' + address.host + u']'
                                                : address.host;
    return QStringLiteral("http://%1:%2/metrics").arg(host).arg(port);
}

} // namespace

ExportCommand::ExportCommand(Options options)
    : Command(std::move(options), true),
      m_http([this](const QString &path, const QByteArray &accept) { return answer(path, accept); }),
      m_monitor(deployment(), monitorOptions(this->options()))
{
    connect(&m_monitor, &DeploymentMonitor::changed, this, [this](const LockDiff &diff) {
        m_tally.apply(diff);
        m_toCount += diff.events;
        countEvents();
    });
    connect(&m_monitor, &DeploymentMonitor::confirmed, this, [this](TimePoint at) { m_confirmedAt = at; });
    connect(&m_monitor, &DeploymentMonitor::scanFinished, this, &ExportCommand::scanFinished);
    connect(&m_monitor, &DeploymentMonitor::errorOccurred, this, &ExportCommand::errorOccurred);
    connect(&m_monitor, &DeploymentMonitor::feedChanged, this,
            [this](const FeedStatus &status) { m_figures.feed = status.worst(); });
    connect(&m_monitor, &DeploymentMonitor::deadlocksChanged, this,
            [this](const QList<Deadlock> &deadlocks) { m_figures.deadlocks = deadlocks.size(); });
    connect(&m_monitor, &DeploymentMonitor::permissionsChanged, this,
            [this](const PermissionStatus &status) { m_figures.unreadable = status.unreadable; });
    connect(&link(), &Link::ready, this, [this] {
        m_figures.isConnected = true;
        m_toldTrouble.reset();
    });
    m_auditCheck.setSingleShot(true);
    connect(&m_auditCheck, &QTimer::timeout, this, &ExportCommand::countEvents);
}

void ExportCommand::start()
{
    const ListenAddress &address = options().listen;
    const auto port = m_http.listen(address);
    if (!port)
        return finishWithout(
            ExitStatus::Unavailable,
            Words::tr("Listening at %1 failed: %2").arg(urlOf(address, address.port), port.error()));
    if (address.host.isEmpty() || !QHostAddress(address.host).isLoopback())
        console::setFieldError(
            Words::tr("warning: %1").arg(Words::tr("other machines can read these metrics without a login")));
    const QString url = urlOf(address, *port);
    const console::Written written = console::out(
        options().json
            ? jsonLine({{QStringLiteral("event"), QStringLiteral("listening")}, {QStringLiteral("url"), url}})
            : Words::tr("Metrics at %1").arg(url).toUtf8() + '\n');
    if (const ExitStatus status = exitStatusOf(written, ExitStatus::Done); status != ExitStatus::Done)
        return finish(status);
    Command::start();
}

void ExportCommand::connectionLost(const Error &why)
{
    if (link().state() != Link::State::Backoff)
        return fail(why); // no further tries
    if (std::exchange(m_figures.isConnected, false))
        ++m_figures.disconnections;
    m_isRead = false;
    m_figures.isScanComplete.reset();
    if (std::exchange(m_toldTrouble, why.kind) != why.kind)
        console::setFieldError(describe(why, serverName()));
}

void ExportCommand::scanFinished(const ScanStats &stats)
{
    if (!stats.complete || !m_figures.isConnected)
        return;
    m_isRead = true;
    ++m_figures.scans;
    m_figures.scanServerTime += stats.serverTime;
    m_figures.isScanComplete = stats.nodesMissing == 0 && stats.unreadable == 0;
    m_figures.unreadable = stats.unreadable;
}

void ExportCommand::errorOccurred(const Error &why)
{
    if (isIncomplete(why.kind))
        m_figures.isScanComplete = false;
    if (!isFinished() && std::exchange(m_toldTrouble, why.kind) != why.kind)
        console::setFieldError(describe(why, serverName()));
}

/// In order, as `watch` tells them: an end waits until it is known whether this user's programs made it.
void ExportCommand::countEvents()
{
    while (!m_toCount.isEmpty()) {
        const LockEvent &event = m_toCount.first();
        EventKind kind = event.kind;
        if (kind == EventKind::Released || kind == EventKind::Expired) {
            const auto wasForced = m_audit.wasForced(link().forKey(event.address.key.bytes).server().runId,
                                                     event.address, event.owners);
            if (wasForced == AuditTail::Answer::NotYet && Clock::now() - event.at < auditPatience)
                return m_auditCheck.start(auditCheckMs);
            if (wasForced == AuditTail::Answer::Yes)
                kind = EventKind::Forced;
        }
        ++m_figures.events[size_t(kind)];
        m_toCount.removeFirst();
    }
}

ScrapeServer::Answer ExportCommand::answer(const QString &path, const QByteArray &accept) const
{
    if (path == QStringLiteral("/metrics")) {
        const MetricsText::Format format = MetricsText::formatFor(accept);
        return {true, MetricsText::contentType(format), exportPage(figures(), format)};
    }
    const QByteArray type = "text/plain; charset=utf-8";
    if (path == QStringLiteral("/"))
        return {true, type, "Lockscope: metrics of Redis locks at /metrics\n"};
    return {false, type, "Not found. Metrics are at /metrics\n"};
}

ExportFigures ExportCommand::figures() const
{
    ExportFigures figures = m_figures;
    const ClusterStatus &cluster = m_monitor.cluster();
    for (const NodeStatus &node : cluster.nodes)
        ++(node.isReady() ? figures.nodesReady : figures.nodesMissing);
    if (m_confirmedAt)
        figures.dataAge = Clock::now() - *m_confirmedAt;
    if (!m_isRead) { // what was known before may have changed
        figures.deadlocks.reset();
        figures.unreadable.reset();
        figures.feed.reset();
        return figures;
    }
    figures.locks = m_tally.at(Clock::now());
    figures.deadlocks = figures.deadlocks.value_or(0);
    return figures;
}

} // namespace lockscope
