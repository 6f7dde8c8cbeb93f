// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/companions.h"

#include "core/family/registry.h"
#include "core/read/companionreader.h"
#include "core/redis/oneanswer.h"
#include "core/redis/whendone.h"

#include <optional>
#include <utility>

namespace lockscope {

namespace {

/// One look, reading after reading.
class CompanionInspection : public OneAnswer<Result<companions::Seen>>
{
public:
    CompanionInspection(Link &connection, const QList<Lock> &locks)
        : OneAnswer(&connection), m_connection(connection), m_scope(connection.server()), m_locks(locks)
    {
    }

    void goOn()
    {
        for (;;) {
            if (m_reading) {
                const CommandBatch round = m_reading->next();
                if (!round.isEmpty())
                    return send(round);
                m_found += m_reading->finished();
            }
            if (m_found.size() == m_locks.size())
                return finish(companions::Seen{std::exchange(m_found, {}), m_scope.forbidden()});
            m_reading.emplace(m_locks.mid(m_found.size(), CompanionReader::mostLocks), m_scope);
        }
    }

private:
    void send(const CommandBatch &round)
    {
        whenDone(this, m_connection.send(round), [this](const Result<std::vector<Reply>> &replies) {
            if (!replies)
                return finish(tl::unexpected(replies.error()));
            if (const Result<void> taken = m_reading->take(*replies); !taken)
                return finish(tl::unexpected(taken.error()));
            goOn();
        });
    }

    Link &m_connection;
    CompanionAccess m_scope;
    const QList<Lock> m_locks;
    QList<Lock> m_found;
    std::optional<CompanionReader> m_reading;
};

} // namespace

namespace companions {

QFuture<Result<Seen>> inspect(Link &connection, const QList<Lock> &locks)
{
    auto *look =
        new CompanionInspection(connection, locks); // NOLINT(cppcoreguidelines-owning-memory): deletes itself
    QFuture<Result<Seen>> future = look->future();
    look->goOn();
    return future;
}

bool decidesHowToAct(const Lock &lock)
{
    const bool isToken = lock.family == plainToken() && lock.type == KeyType::String && !isBareNumber(lock);
    return lock.beside->unread == Unread::Kind && !isToken;
}

} // namespace companions

} // namespace lockscope
