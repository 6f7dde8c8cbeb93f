// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/exportpage.h"
#include "app/cli/json.h"
#include "app/cli/scrapeserver.h"
#include "app/cli/sessioncommand.h"
#include "app/words.h"
#include "core/base/match.h"
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

class ExportCommand : public SessionCommand
{
public:
    explicit ExportCommand(Options options)
        : SessionCommand(std::move(options), Kind::Service),
          m_http([this](const QString &path, const QByteArray &accept) { return answer(path, accept); })
    {
    }

    void start() override
    {
        ProcessFigures::now(); // the begin
        const ListenAddress &address = options().listen;
        const auto port = m_http.listen(address);
        if (!port)
            return finishWithout(
                ExitStatus::Unavailable,
                Words::tr("Listening at %1 failed: %2").arg(urlOf(address, address.port), port.error()));
        if (address.host.isEmpty() || !QHostAddress(address.host).isLoopback())
            console::printError(Words::tr("warning: %1")
                                    .arg(Words::tr("other machines can read the metrics without a login")));
        const QString url = urlOf(address, *port);
        const console::WriteResult written =
            console::out(options().json ? jsonLine({{QStringLiteral("event"), QStringLiteral("listening")},
                                                    {QStringLiteral("url"), url}})
                                        : Words::tr("Metrics at %1").arg(url).toUtf8() + '\n');
        if (const ExitStatus status = exitStatusOf(written, ExitStatus::Done); status != ExitStatus::Done)
            return finish(status);
        open();
    }

private:
    void take(const MonitorReport &event) override
    {
        std::visit(Match{[this](const LockDiff &diff) {
                             m_tally.apply(diff);
                             for (const LockEvent &each : diff.events)
                                 ++m_figures.events[size_t(each.kind)];
                         },
                         [this](const ScanStats &stats) { takeScan(stats); },
                         [this](const ConnectionStatus &) {
                             m_isRead = m_isRead && isReady();
                             if (!isReady())
                                 m_figures.isScanComplete.reset();
                         },
                         [this](const SourceEvent &moment) {
                             m_figures.disconnections += moment.kind == MonitorEventKind::Disconnected;
                         },
                         [](const auto &) {}},
                   event);
    }

    void takeScan(const ScanStats &stats)
    {
        if (!stats.complete || !isReady())
            return;
        m_isRead = true;
        ++m_figures.scans;
        m_figures.scanServerTime += stats.serverTime;
        m_figures.isScanComplete = stats.isWhole();
    }

    void errorOccurred(const Error &why) override
    {
        if (isIncomplete(why.kind))
            m_figures.isScanComplete = false;
        SessionCommand::errorOccurred(why);
    }

    ScrapeServer::Answer answer(const QString &path, const QByteArray &accept) const
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

    ExportFigures figures() const
    {
        ExportFigures figures = m_figures;
        figures.process = ProcessFigures::now();
        figures.isConnected = isReady();
        if (figures.isConnected)
            figures.eviction = watched().scan().eviction;
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
        return figures;
    }

    ScrapeServer m_http;
    LockTally m_tally;
    ExportFigures m_figures; ///< without values computed per scrape
    bool m_isRead = false;   ///< all locks were read since the connection
};

} // namespace

std::unique_ptr<Command> exportCommand(const Options &options)
{
    return std::make_unique<ExportCommand>(options);
}

} // namespace lockscope
