// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/redis/connection.h"
#include "core/watch/clientsighting.h"

#include <QHash>
#include <QObject>
#include <QTimer>

#include <optional>

namespace lockscope {

struct ClientFinderResult
{
    QList<ClientSighting> sightings; ///< surest use first
    qint64 commands = 0;             ///< sum of all clients
    milliseconds looked{0};
    bool isCutShort = false; ///< more commands were sent than may be observed
    std::optional<Error> error;
};

/// Observes a server's commands for a while (MONITOR) to find clients that renew a lock or try to acquire it.
/// Costly: the server sends every command of every client. Limited in time and commands, and started only by
/// the user. Keeps only the lock's key and the IDs that belong to it.
class ClientFinder : public QObject
{
    Q_OBJECT

public:
    static constexpr milliseconds usualTime{3000};
    static constexpr milliseconds longestTime{30'000};
    static constexpr qint64 maxCommands = 500'000;

    ClientFinder(const ServerAddress &address, const Lock &lock, milliseconds duration = usualTime,
                 QObject *parent = nullptr);

    ~ClientFinder() override;

    void start();
    /// Ends the search with the results until now.
    void stop();

signals:
    /// Emitted once.
    void ended(const lockscope::ClientFinderResult &end);

private:
    void begin();
    void look(const Reply &line);
    std::pair<ClientUse, OwnerId> useOf(const QByteArrayList &arguments, qsizetype atKey) const;
    void end(std::optional<Error> error);

    Lock m_lock;
    QByteArray m_keyAsShown;
    QByteArray m_digest;     ///< digest of the only owner's token; empty: unknown
    QByteArrayList m_queues; ///< queue keys, which waiters also name
    milliseconds m_duration;
    Connection m_connection;
    QTimer m_timer;
    TimePoint m_startedAt;
    QHash<QByteArray, QByteArray> m_clients; ///< their lines of CLIENT LIST, by address
    QHash<std::pair<QByteArray, QByteArray>, ClientSighting>
        m_seen; ///< by address and ID; Used: by address alone
    ClientFinderResult m_end;
    bool m_hasEnded = false;
};

/// A parsed line of MONITOR.
struct Observation
{
    QByteArray address; ///< "lua" for commands of a script
    int database = 0;
    QList<QByteArray> arguments;
};

/// Parses a line of MONITOR, with at most `most` arguments; nullopt for other lines. Pure.
std::optional<Observation> parseObservation(QByteArrayView line, qsizetype most = 64);

/// The candidate families that match the client libraries of the holders; empty: no evidence.
QList<Family> candidatesByClients(const Lock &lock, const QList<ClientSighting> &sightings);

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::ClientFinderResult)
