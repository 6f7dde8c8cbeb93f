// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/exporttarget.h"

#include "core/base/match.h"
#include "core/monitor/scanguard.h"

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr auto workEach = 1000ms;
constexpr auto workAtOnce = 4ms; // a scrape waits no longer

bool isOneServer(const ServerAddress &address)
{
    return !address.isBySentinels() && !address.isGroup();
}

/// A coarse reason for a label: its values are few, and none is a server's text.
QByteArray downReason(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::HostNotFound:
        return "host-not-found";
    case ErrorKind::ConnectionRefused:
    case ErrorKind::NoSuchSocket:
        return "connection-refused";
    case ErrorKind::ConnectTimeout:
        return "timeout";
    case ErrorKind::TlsFailed:
        return "tls";
    case ErrorKind::SshNotReached:
    case ErrorKind::SshRefused:
    case ErrorKind::NotReachedFromSsh:
        return "ssh";
    case ErrorKind::AuthRequired:
    case ErrorKind::WrongPassword:
        return "login";
    case ErrorKind::NoPermission:
        return "permission";
    default:
        return "other";
    }
}

} // namespace

ExportTarget::ExportTarget(const Session &session, Pollers pollers)
    : m_session(session), m_contention(session.options().monitor.patterns)
{
    const ServerAddress &address = session.address();
    if (isOneServer(address) && (pollers == Pollers::Always || !address.hasNamedUser()))
        m_pollers = std::make_unique<PollerWatch>(address);
    m_work.setSingleShot(true);
    connect(&m_work, &QTimer::timeout, this, &ExportTarget::work);
    m_work.start(workEach);
}

void ExportTarget::work()
{
    m_work.start(m_contention.work(m_session.wallNow(), workAtOnce) ? workEach : workAtOnce);
}

void ExportTarget::take(const MonitorReport &event)
{
    std::visit(Match{[this](const LockDiff &diff) {
                         m_tally.apply(diff);
                         m_contention.apply(diff, m_session.wallNow());
                         for (const LockEvent &each : diff.events)
                             ++m_figures.events[size_t(each.kind)];
                     },
                     [this](const DataConfirmed &confirmed) {
                         const auto age =
                             std::chrono::duration_cast<milliseconds>(m_session.now() - confirmed.at);
                         m_contention.history().confirm(m_session.wallNow() - age.count());
                     },
                     [this](const ClusterStatus &cluster) {
                         m_contention.history().setUnknownSlots(cluster.unknownSlots, m_session.wallNow());
                     },
                     [this](const ScanStats &stats) { takeScan(stats); },
                     [this](const Error &why) {
                         if (isIncomplete(why.kind))
                             m_figures.isScanComplete = false;
                     },
                     [this](const ConnectionStatus &status) { takeStatus(status); },
                     [this](const SourceEvent &moment) { takeMoment(moment); }, [](const auto &) {}},
               event);
}

void ExportTarget::takeStatus(const ConnectionStatus &status)
{
    const bool isReady = watched().isReady();
    m_isRead = m_isRead && isReady;
    if (!isReady)
        m_figures.isScanComplete.reset();
    if (status.state == Link::State::Backoff || status.state == Link::State::Refused)
        m_figures.downReason = downReason(status.error.kind); // also while it is tried again
    if (m_pollers)
        m_pollers->setActive(isReady && status.server.mode != "cluster");
}

void ExportTarget::takeMoment(const SourceEvent &moment)
{
    m_figures.disconnections += moment.kind == MonitorEventKind::Disconnected;
    m_contention.history().add({moment.kind, {}, moment.wallMs, {}});
}

void ExportTarget::takeScan(const ScanStats &stats)
{
    if (!stats.complete || !watched().isReady())
        return;
    m_isRead = true;
    ++m_figures.scans;
    m_figures.scanServerTime += stats.serverTime;
    m_figures.isScanComplete = stats.isWhole();
}

QByteArray ExportTarget::page(MetricsText::Format format) const
{
    return exportPage(figures(), format);
}

ExportFigures ExportTarget::figures() const
{
    ExportFigures figures = m_figures;
    figures.process = ProcessFigures::now();
    figures.isConnected = watched().isReady();
    figures.contention = m_contention.series();
    figures.inversions = m_contention.inversions();
    if (figures.isConnected) {
        figures.eviction = watched().scan().eviction;
        figures.downReason.clear();
    }
    for (const NodeStatus &node : watched().cluster().nodes)
        ++(node.isReady() ? figures.nodesReady : figures.nodesMissing);
    if (const auto at = watched().confirmedAt())
        figures.dataAge = Clock::now() - *at;
    if (!m_isRead) // what was known before may have changed
        return figures;
    figures.deadlocks = watched().deadlocks().size();
    figures.unreadable = watched().permissions().unreadable;
    figures.feed = watched().feed().worst();
    figures.locks = m_tally.at(Clock::now());
    if (figures.isScanComplete && figures.locks->unreadCompanions > 0)
        figures.isScanComplete = false;
    if (m_pollers)
        figures.pollers = m_pollers->estimate(!figures.locks->byFamily.empty());
    return figures;
}

} // namespace lockscope
