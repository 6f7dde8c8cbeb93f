// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/json.h"
#include "app/cli/probes.h"
#include "app/cli/sessioncommand.h"
#include "app/words.h"
#include "core/words/messages.h"

#include <QHostAddress>
#include <QUrlQuery>

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

ExportTarget::Pollers pollersOf(const Options &options)
{
    return options.pollers ? ExportTarget::Pollers::Always : ExportTarget::Pollers::Unless;
}

class ExportCommand : public SessionCommand
{
public:
    explicit ExportCommand(Options options)
        : SessionCommand(std::move(options), Kind::Service),
          m_target(session(), pollersOf(this->options())),
          m_probes(session().options(), pollersOf(this->options())),
          m_http([this](const QUrl &url, const QByteArray &accept) { return answer(url, accept); })
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
    void take(const MonitorReport &event) override { m_target.take(event); }

    ScrapeServer::Answer answer(const QUrl &url, const QByteArray &accept)
    {
        const QString path = url.path();
        if (path == QStringLiteral("/metrics")) {
            const MetricsText::Format format = MetricsText::formatFor(accept);
            return {200, MetricsText::contentType(format), m_target.page(format)};
        }
        if (path == QStringLiteral("/probe"))
            return m_probes.answer(
                QUrlQuery(url).queryItemValue(QStringLiteral("target"), QUrl::FullyDecoded), accept);
        const QByteArray type = "text/plain; charset=utf-8";
        if (path == QStringLiteral("/"))
            return {200, type,
                    "Lockscope: metrics of Redis locks at /metrics, of a stored server at /probe?target=NAME\n"};
        return {404, type, "Not found. Metrics are at /metrics\n"};
    }

    ExportTarget m_target;
    Probes m_probes;
    ScrapeServer m_http;
};

} // namespace

std::unique_ptr<Command> exportCommand(const Options &options)
{
    return std::make_unique<ExportCommand>(options);
}

} // namespace lockscope
