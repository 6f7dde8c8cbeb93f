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
    : SessionCommand(std::move(options)),
      m_http([this](const QString &path, const QByteArray &accept) { return answer(path, accept); })
{
    connect(&session(), &Session::changed, this, [this](const LockDiff &diff) {
        m_tally.apply(diff);
        for (const LockEvent &event : diff.events)
            ++m_figures.events[size_t(event.kind)];
    });
    connect(&session(), &Session::confirmed, this, [this](TimePoint at) { m_confirmedAt = at; });
    connect(&session(), &Session::scanFinished, this, &ExportCommand::scanFinished);
    connect(&session(), &Session::feedChanged, this,
            [this](const FeedStatus &status) { m_figures.feed = status.worst(); });
    connect(&session(), &Session::deadlocksChanged, this,
            [this](const QList<Deadlock> &deadlocks) { m_figures.deadlocks = deadlocks.size(); });
    connect(&session(), &Session::permissionsChanged, this,
            [this](const PermissionStatus &status) { m_figures.unreadable = status.unreadable; });
    connect(&session(), &Session::clusterChanged, this,
            [this](const ClusterStatus &status) { m_cluster = status; });
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
    open();
}

void ExportCommand::readinessChanged()
{
    if (std::exchange(m_figures.isConnected, isReady()))
        ++m_figures.disconnections;
    if (!isReady()) {
        m_isRead = false;
        m_figures.isScanComplete.reset();
    }
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
    SessionCommand::errorOccurred(why);
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
    for (const NodeStatus &node : m_cluster.nodes)
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
