// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/groupreading.h"

#include "core/family/certainty.h"
#include "core/model/quorummerge.h"
#include "core/redis/whendone.h"

#include <algorithm>
#include <utility>

namespace lockscope {

QFuture<GroupReading::Answer> GroupReading::start(const QList<Link *> &servers, const LockKey &key,
                                                  QObject *parent)
{
    auto *reading =
        new GroupReading(servers, key, parent); // NOLINT(cppcoreguidelines-owning-memory): deletes itself
    QFuture<Answer> future = reading->future();
    reading->read();
    return future;
}

GroupReading::GroupReading(QList<Link *> servers, LockKey key, QObject *parent)
    : PromiseTask(parent), m_servers(std::move(servers)), m_key(std::move(key)), m_again(this)
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &GroupReading::read);
}

void GroupReading::read()
{
    m_inspections.assign(static_cast<size_t>(m_servers.size()), std::nullopt);
    m_left = m_servers.size();
    for (qsizetype i = 0; i < m_servers.size(); ++i) {
        if (m_servers[i]->state() != Link::State::Ready)
            --m_left;
    }
    if (m_left == 0)
        return finish(tl::unexpected(Error(ErrorKind::NotConnected, m_servers.first()->lastError())));
    for (qsizetype i = 0; i < m_servers.size(); ++i) {
        if (m_servers[i]->state() == Link::State::Ready)
            whenDone(this, inspector::inspect(*m_servers[i], m_key),
                     [this, i](const Result<Inspection> &inspection) { take(i, inspection); });
    }
}

void GroupReading::take(qsizetype server, const Result<Inspection> &inspection)
{
    m_inspections[static_cast<size_t>(server)] = inspection;
    if (--m_left == 0)
        decide();
}

void GroupReading::decide()
{
    std::vector<std::optional<WatchedLock>> locks(m_inspections.size());
    std::vector<MemberLock> members(m_inspections.size());
    for (size_t i = 0; i < m_inspections.size(); ++i) {
        const auto &inspection = m_inspections[i];
        members[i].isKnown = inspection && inspection->has_value();
        if (!members[i].isKnown || !(*inspection)->lock)
            continue;
        locks[i].emplace().lock = *(*inspection)->lock;
        if (isNoLock(locks[i]->lock))
            locks[i]->lock.owners.clear(); // a document is no owner
        members[i].lock = &*locks[i];
    }
    if (std::ranges::none_of(members, &MemberLock::isKnown)) {
        const auto why = std::ranges::find_if(m_inspections, [](const auto &one) { return one.has_value(); });
        return finish(tl::unexpected((*why)->error()));
    }
    const std::optional<WatchedLock> merged = mergeMembers(members);
    const auto unknown = std::ranges::count(members, false, &MemberLock::isKnown);
    if (!merged)
        return finish(GroupFinding{{}, static_cast<int>(unknown)});
    Lock lock = merged->lock;
    const Quorum &quorum = *lock.quorum;
    const bool isDoubted = !lock.owners.isEmpty() && (quorum.isLost() || quorum.areOwnersDifferent);
    if (isDoubted && !std::exchange(m_isSecond, true)) {
        m_before = lock;
        m_again.start(secondReadingAfter);
        return;
    }
    if (isDoubted && m_before && isSameExceptTimes(*m_before->quorum, quorum)) {
        lock.problems.setFlag(Problem::NoQuorum, quorum.isLost());
        lock.problems.setFlag(Problem::OwnersDiffer, quorum.areOwnersDifferent);
    }
    finish(GroupFinding{lock, static_cast<int>(unknown)});
}

Link &serverThatHas(Deployment &deployment, const Lock &lock)
{
    const QList<Shard *> &shards = deployment.shards();
    if (lock.quorum && lock.quorum->shownMember < shards.size())
        return *shards[lock.quorum->shownMember];
    return deployment.link().forKey(lock.key().bytes);
}

} // namespace lockscope
