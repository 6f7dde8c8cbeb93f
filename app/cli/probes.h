// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/exporttarget.h"
#include "app/cli/scrapeserver.h"
#include "core/redis/storedservers.h"

#include <QTimer>

#include <map>

namespace lockscope {

/// The metrics of stored servers, by name. The first request for a server connects to it; the session is kept
/// between requests. Never waits for a server, never acts on one.
class Probes : public QObject
{
    Q_OBJECT

public:
    static constexpr size_t mostSessions = 32;
    /// A session that nobody asks for is closed after this time.
    static constexpr std::chrono::minutes keptFor{5};

    Probes(Session::Options options, ExportTarget::Pollers pollers);
    ~Probes() override;

    ScrapeServer::Answer answer(const QString &name, const QByteArray &accept);

private:
    struct Probe;
    void dropUnused();

    const Session::Options m_options;
    const ExportTarget::Pollers m_pollers;
    std::map<QString, std::unique_ptr<Probe>> m_probes;
    QTimer m_dropping;
};

} // namespace lockscope
