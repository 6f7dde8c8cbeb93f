// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/exporttarget.h"

#include "core/base/enumnames.h"
#include "core/base/match.h"
#include "core/monitor/scanguard.h"

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr auto workEach = 1000ms;
constexpr auto workAtOnce = 4ms; // a scrape waits no longer

/// Reasons for a label: few, and none with a server's text.
constexpr EnumNames downReasons{Named<ErrorKind>{ErrorKind::HostNotFound, "host-not-found"},
                                Named<ErrorKind>{ErrorKind::ConnectionRefused, "connection-refused"},
                                Named<ErrorKind>{ErrorKind::NoSuchSocket, "connection-refused"},
                                Named<ErrorKind>{ErrorKind::ConnectTimeout, "timeout"},
                                Named<ErrorKind>{ErrorKind::TlsFailed, "tls"},
                                Named<ErrorKind>{ErrorKind::SshNotReached, "ssh"},
                                Named<ErrorKind>{ErrorKind::SshRefused, "ssh"},
                                Named<ErrorKind>{ErrorKind::NotReachedFromSsh, "ssh"},
                                Named<ErrorKind>{ErrorKind::AuthRequired, "login"},
                                Named<ErrorKind>{ErrorKind::WrongPassword, "login"},
                                Named<ErrorKind>{ErrorKind::NoPermission, "permission"}};

} // namespace

ExportTarget::ExportTarget(const Session &session, bool asksNamedUser)
    : m_session(session), m_contention(session.options().monitor.patterns)
{
    const ServerAddress &address = session.address();
    const bool isPermitted = asksNamedUser || !address.hasNamedUser(); // whose refusals stand in the ACL LOG
    if (isPermitted && !address.isBySentinels() && !address.isGroup())
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
                         m_figures.inversions += m_orders.take(diff, m_session.now()).size();
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
                     [this](const SourceEvent &moment) {
                         m_figures.disconnections += moment.kind == MonitorEventKind::Disconnected;
                         m_contention.history().add({moment.kind, {}, moment.wallMs, {}});
                         m_orders.take(moment.kind);
                     },
                     [](const auto &) {}},
               event);
}

void ExportTarget::takeStatus(const ConnectionStatus &status)
{
    const bool isReady = watched().isReady();
    m_isRead = m_isRead && isReady;
    if (!isReady)
        m_figures.isScanComplete.reset();
    if (status.state == Link::State::Backoff || status.state == Link::State::Refused)
        m_figures.downReason = downReasons(status.error.kind); // also while it is tried again
    if (m_figures.downReason.isEmpty())
        m_figures.downReason = "other";
    if (m_pollers)
        m_pollers->setActive(isReady && status.server.mode != "cluster");
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

ScrapeServer::Answer ExportTarget::answer(const QByteArray &accept) const
{
    const MetricsText::Format format = MetricsText::formatFor(accept);
    return {200, MetricsText::contentType(format), exportPage(figures(), format)};
}

ExportFigures ExportTarget::figures() const
{
    ExportFigures figures = m_figures;
    figures.process = ProcessFigures::now();
    figures.isConnected = watched().isReady();
    figures.contention = m_contention.series();
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
