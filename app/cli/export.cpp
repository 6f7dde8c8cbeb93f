// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/exporttarget.h"
#include "app/cli/json.h"
#include "app/cli/sessioncommand.h"
#include "app/words.h"
#include "core/redis/storedservers.h"
#include "core/words/messages.h"

#include <QFile>
#include <QHostAddress>
#include <QTimer>
#include <QUrlQuery>

#include <map>
#include <utility>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr size_t mostSessions = 32;
constexpr auto keptFor = 5min;        // a session that nobody asks for
constexpr qint64 mostLocks = 500'000; // of each stored server
constexpr char plainText[] = "text/plain; charset=utf-8";

QString urlOf(const ListenAddress &address, quint16 port)
{
    const bool isSix = address.host.contains(u':');
    const QString host = address.host.isEmpty() ? QStringLiteral("0.0.0.0")
                         : isSix                ? u'[' + address.host + u']'
                                                : address.host;
    return QStringLiteral("http://%1:%2/metrics").arg(host).arg(port);
}

/// The password for a stored server, as systemd's LoadCredential hands it over; empty: none. The keychain is the desktop's.
QByteArray passwordFor(const QString &name)
{
    const QString folder = qEnvironmentVariable("CREDENTIALS_DIRECTORY");
    QFile file(folder + u'/' + name);
    const bool isThere = !folder.isEmpty() && !name.contains(u'/') && file.open(QIODevice::ReadOnly);
    return isThere ? file.readLine().trimmed() : QByteArray();
}

/// The metrics of stored servers, by name. The first request for a server connects to it; the session is kept between
/// requests. Never waits for a server, never acts on one.
class Probes
{
public:
    Probes(const Session::Options &options, bool asksNamedUser)
        : m_options(options), m_asksNamedUser(asksNamedUser)
    {
        m_options.monitor.maxLocks = std::min(options.monitor.maxLocks, mostLocks);
        QObject::connect(&m_dropping, &QTimer::timeout, &m_dropping, [this] {
            std::erase_if(m_probes, [now = Clock::now()](const auto &each) {
                const Probe &probe = *each.second; // refused: the next request tries it again
                const bool isRefused = probe.session.watched().status().state == Link::State::Refused;
                return now - (isRefused ? probe.openedAt : probe.askedAt) > keptFor;
            });
        });
        m_dropping.start(10s);
    }

    ScrapeServer::Answer answer(const QString &name, const QByteArray &accept)
    {
        if (name.isEmpty())
            return {400, plainText, "No target. Ask for /probe?target=NAME of a stored server.\n"};
        Result<StoredServer> server = storedServer(name); // read again: it may have changed
        if (server)
            server->address.password = passwordFor(name);
        const auto known = m_probes.find(name);
        const bool isSame =
            server && known != m_probes.end() && known->second->session.address() == server->address;
        if (known != m_probes.end() && !isSame)
            m_probes.erase(known);
        if (!server)
            return {404, plainText, "Unknown target. Store a server of this name in Lockscope's window.\n"};
        if (!isSame && m_probes.size() >= mostSessions)
            return {503, plainText, "Too many targets. Use another exporter for some of them.\n"};
        auto &probe = m_probes[name];
        if (!probe)
            probe = std::make_unique<Probe>(server->address, m_options, m_asksNamedUser);
        probe->askedAt = Clock::now();
        return probe->target.answer(accept);
    }

private:
    struct Probe
    {
        Probe(const ServerAddress &address, const Session::Options &options, bool asksNamedUser)
            : session(address, options), target(session, asksNamedUser)
        {
            QObject::connect(&session, &Session::reported, &target, &ExportTarget::take);
            session.open();
        }

        Session session;
        ExportTarget target;
        TimePoint openedAt = Clock::now();
        TimePoint askedAt;
    };

    Session::Options m_options;
    bool m_asksNamedUser;
    std::map<QString, std::unique_ptr<Probe>> m_probes;
    QTimer m_dropping;
};

class ExportCommand : public SessionCommand
{
public:
    explicit ExportCommand(Options options)
        : SessionCommand(std::move(options), Kind::Service),
          m_target(session(), this->options().pollers),
          m_probes(session().options(), this->options().pollers),
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
        if (path == QStringLiteral("/metrics"))
            return m_target.answer(accept);
        if (path == QStringLiteral("/probe"))
            return m_probes.answer(
                QUrlQuery(url).queryItemValue(QStringLiteral("target"), QUrl::FullyDecoded), accept);
        if (path == QStringLiteral("/"))
            return {200, plainText, "Lockscope: /metrics, and /probe?target=NAME for stored servers\n"};
        return {404, plainText, "Not found. Metrics are at /metrics\n"};
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
