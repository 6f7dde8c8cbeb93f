// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/companions.h"

#include "core/family/registry.h"
#include "core/read/companionreader.h"
#include "core/redis/promisetask.h"
#include "core/redis/whendone.h"

#include <memory>
#include <optional>
#include <utility>

namespace lockscope {

namespace {

using Next = std::function<QList<Lock>(qsizetype most)>;
using Take = std::function<void(const QList<Lock> &locks)>;
using Forbidden = QList<CompanionAccess::Forbidden>;

/// Inspects locks portion by portion.
class CompanionInspection : public PromiseTask<Result<Forbidden>>
{
public:
    CompanionInspection(Link &connection, Next next, Take take)
        : PromiseTask(&connection),
          m_connection(connection),
          m_scope(connection.server()),
          m_next(std::move(next)),
          m_take(std::move(take))
    {
    }

    void goOn()
    {
        for (;;) {
            if (m_reading) {
                const CommandBatch round = m_reading->next();
                if (!round.isEmpty())
                    return send(round);
                m_take(m_reading->finished());
            }
            const QList<Lock> locks = m_next(CompanionReader::maxLocks);
            if (locks.isEmpty())
                return finish(m_scope.forbidden());
            m_reading.emplace(locks, m_scope);
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
    const Next m_next;
    const Take m_take;
    std::optional<CompanionReader> m_reading;
};

} // namespace

namespace companions {

QFuture<Result<Forbidden>> inspectAll(Link &connection, const Next &next, const Take &take)
{
    auto *look = new CompanionInspection(connection, next,
                                         take); // NOLINT(cppcoreguidelines-owning-memory): deletes itself
    QFuture<Result<Forbidden>> future = look->future();
    look->goOn();
    return future;
}

QFuture<Result<Seen>> inspect(Link &connection, const QList<Lock> &locks)
{
    const auto seen = std::make_shared<QList<Lock>>();
    return inspectAll(
               connection, [seen, locks](qsizetype most) { return locks.mid(seen->size(), most); },
               [seen](const QList<Lock> &some) { *seen += some; })
        .then([seen](const Result<Forbidden> &forbidden) -> Result<Seen> {
            if (!forbidden)
                return tl::unexpected(forbidden.error());
            return Seen{std::exchange(*seen, {}), *forbidden};
        });
}

bool decidesHowToAct(const Lock &lock)
{
    const bool isToken = lock.family == plainToken() && lock.type == KeyType::String && !isBareNumber(lock);
    return lock.companions->unread == Unread::Kind && !isToken;
}

} // namespace companions

} // namespace lockscope
