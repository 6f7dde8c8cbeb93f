// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/probes.h"

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr auto betweenDrops = 10s;
constexpr qint64 mostLocks = 500'000; // of each server
constexpr int unnamed = 400;
constexpr int notFound = 404;
constexpr int unavailable = 503;

ScrapeServer::Answer refusal(int status, const QByteArray &text)
{
    return {status, "text/plain; charset=utf-8", text + '\n'};
}

} // namespace

struct Probes::Probe
{
    Probe(const ServerAddress &address, const Session::Options &options, ExportTarget::Pollers pollers)
        : session(address, options), target(session, pollers)
    {
        connect(&session, &Session::reported, &target, &ExportTarget::take);
        session.open();
    }

    Session session;
    ExportTarget target;
    TimePoint askedAt;
};

Probes::Probes(Session::Options options, ExportTarget::Pollers pollers)
    : m_options([&options] {
          options.monitor.maxLocks = std::min(options.monitor.maxLocks, mostLocks);
          return options;
      }()),
      m_pollers(pollers)
{
    connect(&m_dropping, &QTimer::timeout, this, &Probes::dropUnused);
    m_dropping.start(betweenDrops);
}

Probes::~Probes() = default;

ScrapeServer::Answer Probes::answer(const QString &name, const QByteArray &accept)
{
    if (name.isEmpty())
        return refusal(unnamed, "No target. Ask for /probe?target=NAME, with the name of a stored server.");
    const Result<StoredServer> server = storedServer(name); // read again: it may have changed
    const auto known = m_probes.find(name);
    const bool isSame = server && known != m_probes.end() && known->second->session.address() == server->address;
    if (known != m_probes.end() && !isSame)
        m_probes.erase(known);
    if (!server)
        return refusal(notFound, "Unknown target. Store the server under this name in Lockscope's window, as the "
                                 "user that runs this exporter.");
    if (!isSame && m_probes.size() >= mostSessions)
        return refusal(unavailable, "Too many targets. Use another exporter for some of them.");
    auto &probe = m_probes[name];
    if (!probe)
        probe = std::make_unique<Probe>(server->address, m_options, m_pollers);
    probe->askedAt = Clock::now();
    const MetricsText::Format format = MetricsText::formatFor(accept);
    return {200, MetricsText::contentType(format), probe->target.page(format)};
}

void Probes::dropUnused()
{
    std::erase_if(m_probes, [now = Clock::now()](const auto &each) {
        return now - each.second->askedAt > keptFor;
    });
}

} // namespace lockscope
