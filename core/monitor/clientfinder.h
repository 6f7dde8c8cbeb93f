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

/// How a look ended.
struct ClientFinderResult
{
    QList<ClientSighting> sightings; ///< the surest use first
    qint64 commands = 0;             ///< of all clients, that went by
    milliseconds looked{0};
    bool isCutShort = false;    ///< more went by than may be looked at
    std::optional<Error> error; ///< why it failed
};

/// Looks for a while at the commands that a server gets (MONITOR) and finds the clients that renew a lock or try for it.
/// It costs the server: it writes every command of every client to us. So it is bounded in time and in commands, and only
/// ever started by the user. Of what goes by, the key and the ids that belong to it are kept, nothing else.
class ClientFinder : public QObject
{
    Q_OBJECT

public:
    static constexpr milliseconds usualTime{3000};
    static constexpr milliseconds longestTime{30'000};
    static constexpr qint64 mostCommands = 500'000;

    ClientFinder(const ServerAddress &address, const Lock &lock, milliseconds duration = usualTime,
                 QObject *parent = nullptr);

    ~ClientFinder() override;

    void start();
    /// Ends it with what was seen until now.
    void stop();

signals:
    /// Once.
    void ended(const lockscope::ClientFinderResult &end);

private:
    void begin();
    void look(const Reply &line);
    std::pair<ClientUse, OwnerId> useOf(const QByteArrayList &arguments, qsizetype atKey) const;
    void end(std::optional<Error> error);

    Lock m_lock;
    QByteArray m_keyAsShown;
    QByteArray m_digest;     ///< of the only owner's token; empty: not known
    QByteArrayList m_queues; ///< which those that wait name as well
    milliseconds m_duration;
    Connection m_connection;
    QTimer m_timer;
    TimePoint m_startedAt;
    QHash<QByteArray, QByteArray> m_clients; ///< their lines of CLIENT LIST, by address
    QHash<std::pair<QByteArray, QByteArray>, ClientSighting>
        m_seen; ///< by address and id; Used: by address alone
    ClientFinderResult m_end;
    bool m_hasEnded = false;
};

/// A line of MONITOR taken apart.
struct Observation
{
    QByteArray address; ///< of the client; "lua" for what a script does
    int database = 0;
    QList<QByteArray> arguments;
};

/// nullopt for what is no such line. Pure. No more than `most` arguments are taken.
std::optional<Observation> parseObservation(QByteArrayView line, qsizetype most = 64);

/// Of the families that a lock may be of, those of which the client libraries of its holders speak; empty: they tell nothing.
QList<Family> candidatesByClients(const Lock &lock, const QList<ClientSighting> &sightings);

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::ClientFinderResult)
