// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/blame.h"

#include "core/family/ownerfacts.h"
#include "core/family/registry.h"
#include "core/family/shapes.h"

#include <QHash>

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>

namespace lockscope {

namespace {

constexpr size_t longestChain = 32;
constexpr quint32 readApart = 100; // ms; a queue and a lock that change at once

/// Those in that time, which is not empty.
std::ranges::subrange<WaitLane::Row::const_iterator> within(const WaitLane::Row &row, quint32 from,
                                                            quint32 to)
{
    const auto first =
        std::ranges::partition_point(row, [from](const WaitSpan &each) { return each.to <= from; });
    const auto end =
        std::partition_point(first, row.end(), [to](const WaitSpan &each) { return each.from < to; });
    return {first, end};
}

/// When somebody waited, and for which lock.
struct QueuedAt
{
    quint32 from = 0;
    quint32 to = 0;
    size_t lane = 0;
    quint32 began = 0; ///< as it was read
};

/// A part of an owner's time, and what it waited for then.
struct ChainPart
{
    quint32 from = 0;
    quint32 to = 0;
    QList<Blocker> chain;
};

/// The spans that go on at moments that are asked for in order.
class Active
{
public:
    explicit Active(std::vector<const WaitSpan *> all) : m_all(std::move(all))
    {
        std::ranges::sort(m_all, {}, [](const WaitSpan *each) { return each->from; });
    }

    const std::vector<const WaitSpan *> &at(quint32 moment)
    {
        for (; m_next < m_all.size() && m_all[m_next]->from <= moment; ++m_next)
            m_active.push_back(m_all[m_next]);
        std::erase_if(m_active, [moment](const WaitSpan *each) { return each->to <= moment; });
        return m_active;
    }

private:
    std::vector<const WaitSpan *> m_all;
    std::vector<const WaitSpan *> m_active;
    size_t m_next = 0;
};

class Reckoning
{
public:
    explicit Reckoning(WaitCopy copy) : m_copy(std::move(copy)) {}

    Blame run()
    {
        m_blame.silent = m_copy.silent();
        for (size_t lane = 0; lane < m_lanes.size(); ++lane)
            queue(lane);
        for (auto &queued : m_queued) {
            std::ranges::sort(queued, {}, &QueuedAt::from);
            for (size_t i = 1; i < queued.size(); ++i) // a thread waits for one lock at a time: the last one
                queued[i - 1].to = std::min(queued[i - 1].to, queued[i].from);
        }
        for (size_t lane = 0; lane < m_lanes.size(); ++lane)
            releaseFirst(lane);
        for (size_t lane = 0; lane < m_lanes.size(); ++lane)
            reckon(lane);
        sortEpisodes();
        m_blame.isAtLeast = m_copy.isShortened();
        return std::move(m_blame);
    }

private:
    void sortEpisodes()
    {
        std::vector<size_t> order(m_blame.episodes.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, std::ranges::greater(),
                                 [this](size_t each) { return m_blame.episodes[each].waited; });
        std::vector<WaitEpisode> sorted;
        std::vector<size_t> placeOf(order.size());
        for (const size_t each : order) {
            placeOf[each] = sorted.size();
            sorted.push_back(std::move(m_blame.episodes[each]));
        }
        m_blame.episodes = std::move(sorted);
        for (Blame::Share &share : m_blame.shares)
            share.episode = placeOf[share.episode];
    }

    /// Notes who waits in a lane, and when.
    void queue(size_t number)
    {
        const WaitLane &lane = m_lanes[number];
        for (const WaitSpan &wait : lane.waits) {
            const QByteArray identity = threadIdentity(lane.family, m_owners.at(wait.value));
            if (identity.isEmpty() || wait.isDead)
                continue;
            for (const auto &[from, to] : lane.unseen.rest(wait.from, wait.to))
                m_queued[identity].push_back({from, to, number, from});
        }
    }

    /// A thread releases nothing while it waits: where a hold ends soon after the next wait began, the two locks were
    /// read one after the other.
    void releaseFirst(size_t number)
    {
        const WaitLane &lane = m_lanes[number];
        for (const WaitSpan &hold : lane.holds | std::views::join) {
            const auto queued = m_queued.find(threadIdentity(lane.family, m_owners.at(hold.value)));
            if (queued == m_queued.end())
                continue;
            const auto after = std::ranges::partition_point(
                *queued, [&](const QueuedAt &each) { return each.from < hold.to; });
            if (after == queued->begin())
                continue;
            QueuedAt &wait = *std::prev(after);
            if (wait.lane != number && wait.to > hold.to && hold.to - wait.began <= readApart)
                wait.from = hold.to;
        }
    }

    /// True if others may hold it too: beyond the rows, or as a number that stands for all.
    bool mayBeSeveral(const WaitLane &lane, quint32 owner) const
    {
        return lane.holdsManyRows ||
               (specOf(lane.family).acquire == AcquireSupport::NoOwners && isCount(m_owners.at(owner).bytes));
    }

    Blocker blocker(Blocker::Kind kind, const WaitLane &lane, quint32 owner) const
    {
        return {kind, lane.key, m_owners.at(owner), lane.family};
    }
    static Blocker blocker(Blocker::Kind kind, const WaitLane &lane)
    {
        return {kind, lane.key, {}, lane.family};
    }

    /// Splits a time in parts with one blocker of the lane each, and what it waits for.
    void follow(size_t number, quint32 from, quint32 to, const QList<Blocker> &before,
                std::vector<ChainPart> &parts) const
    {
        const WaitLane &lane = m_lanes[number];
        std::vector<quint32> moments{from, to};
        std::vector<const WaitSpan *> holds, heads;
        const auto note = [&](const WaitSpan &span, std::vector<const WaitSpan *> &spans) {
            spans.push_back(&span);
            moments.push_back(std::clamp(span.from, from, to));
            moments.push_back(std::clamp(span.to, from, to));
        };
        for (const WaitLane::Row &row : lane.holds) {
            for (const WaitSpan &hold : within(row, from, to))
                note(hold, holds);
        }
        for (const WaitSpan &head : within(lane.heads, from, to)) {
            if (head.isDead)
                note(head, heads);
        }
        std::ranges::sort(moments);
        Active activeHolds(std::move(holds)), activeHeads(std::move(heads));
        for (size_t i = 1; i < moments.size(); ++i) {
            const quint32 begin = moments[i - 1], end = moments[i];
            if (begin == end)
                continue;
            const auto &holding = activeHolds.at(begin);
            const auto &leading = activeHeads.at(begin);
            const auto endWith = [&](const Blocker &last) {
                parts.push_back({begin, end, before + QList{last}});
            };
            if (holding.empty() && leading.empty())
                endWith(blocker(Blocker::Kind::Nobody, lane));
            else if (holding.empty())
                endWith(blocker(Blocker::Kind::DeadWaiter, lane, leading.front()->value));
            else if (holding.size() > 1 || mayBeSeveral(lane, holding.front()->value))
                endWith(blocker(Blocker::Kind::Several, lane));
            else if (!before.empty() && before.last().owner == m_owners.at(holding.front()->value))
                parts.push_back({begin, end, before}); // it has acquired the lock since the queue was read
            else
                followOwner(lane, holding.front()->value, begin, end, before, parts);
        }
    }

    void followOwner(const WaitLane &lane, quint32 owner, quint32 from, quint32 to,
                     const QList<Blocker> &before, std::vector<ChainPart> &parts) const
    {
        const Blocker holder = blocker(Blocker::Kind::Owner, lane, owner);
        const QByteArray identity = threadIdentity(lane.family, holder.owner);
        const auto queued = identity.isEmpty() ? m_queued.cend() : m_queued.constFind(identity);
        const bool isKnown = std::ranges::any_of(before, [&](const Blocker &each) {
            return each.lock == holder.lock && each.owner == holder.owner;
        });
        if (isKnown || size_t(before.size()) == longestChain) {
            Blocker last = holder;
            last.kind = isKnown ? Blocker::Kind::Cycle : Blocker::Kind::Owner;
            parts.push_back({from, to, before + QList{last}});
            return;
        }
        const QList<Blocker> chain = before + QList{holder};
        quint32 done = from;
        if (queued != m_queued.cend()) {
            auto wait = std::ranges::partition_point(
                *queued, [from](const QueuedAt &each) { return each.to <= from; });
            for (; wait != queued->end() && wait->from < to; ++wait) {
                const quint32 begin = std::max(wait->from, done), end = std::min(wait->to, to);
                if (begin >= end || &m_lanes[wait->lane] == &lane)
                    continue;
                if (begin > done)
                    parts.push_back({done, begin, chain});
                follow(wait->lane, begin, end, chain, parts);
                done = end;
            }
        }
        if (done < to)
            parts.push_back({done, to, chain});
    }

    struct Moment
    {
        quint32 at;
        bool isBegin;
        const WaitSpan *span;
        bool isCount;
    };

    /// Sweeps over the waits of a lane.
    void reckon(size_t number)
    {
        const WaitLane &lane = m_lanes[number];
        std::vector<Moment> moments;
        for (const WaitSpan &wait : lane.waits) {
            if (wait.from == wait.to)
                continue;
            moments.push_back({wait.from, true, &wait, false});
            moments.push_back({wait.to, false, &wait, false});
        }
        for (const WaitSpan &count : lane.counts) {
            if (count.value == 0 || count.from == count.to)
                continue;
            moments.push_back({count.from, true, &count, true});
            moments.push_back({count.to, false, &count, true});
        }
        std::ranges::stable_sort(moments, {}, &Moment::at);
        std::vector<const WaitSpan *> waiting;
        const WaitSpan *counted = nullptr;
        qint64 dead = 0;
        bool isOpen = false;
        for (size_t i = 0; i < moments.size();) {
            const quint32 at = moments[i].at;
            for (; i < moments.size() && moments[i].at == at; ++i) {
                const auto &[when, isBegin, span, isCount] = moments[i];
                if (isCount)
                    counted = isBegin ? span : counted == span ? nullptr : counted;
                else if (span->isDead)
                    dead += isBegin ? 1 : -1;
                else if (isBegin)
                    waiting.push_back(span);
                else
                    std::erase(waiting, span);
            }
            if (waiting.empty() && (!counted || counted->value <= dead)) {
                if (isOpen)
                    finish(lane, at);
                isOpen = false;
                continue;
            }
            if (!isOpen)
                begin(lane, at);
            isOpen = true;
            add(number, at, moments[i].at, waiting, counted, dead); // there is an end for each begin
        }
    }

    using ShareKey = std::tuple<QByteArray, int, LockKey, QByteArray, QByteArray>;

    void begin(const WaitLane &lane, quint32 at)
    {
        m_episode = WaitEpisode();
        m_episode.lock = lane.key;
        m_episode.fromMs = (m_copy.fromMs() + at);
        m_shares.clear();
    }

    void add(size_t number, quint32 from, quint32 to, const std::vector<const WaitSpan *> &waiting,
             const WaitSpan *counted, qint64 dead)
    {
        const WaitLane &lane = m_lanes[number];
        const qint64 alive = counted ? counted->value - dead : 0; // all in the queue are counted
        const qint64 waiters = std::max<qint64>(alive, std::ssize(waiting));
        m_episode.mostWaiters = std::max(m_episode.mostWaiters, waiters);
        m_episode.isAtLeast |= (counted && counted->isAtLeast) || lane.unseen.in(from, to) > 0 ||
                               std::ranges::any_of(waiting, &WaitSpan::isAtLeast);
        m_episode.isCut |= (counted && counted->isCut) || std::ranges::any_of(waiting, &WaitSpan::isCut);
        std::vector<ChainPart> parts;
        follow(number, from, to, {}, parts);
        for (const ChainPart &part : parts) {
            const milliseconds seen(part.to - part.from - lane.unseen.in(part.from, part.to));
            if (seen <= milliseconds(0))
                continue;
            for (const WaitSpan *span : waiting) {
                // It has acquired the lock since the queue was read, and waits no more.
                if (part.chain.first().owner != m_owners.at(span->value))
                    addShare(lane, part, m_owners.at(span->value), seen);
            }
            addShare(lane, part, {}, seen * (waiters - std::ssize(waiting)));
        }
    }

    void addShare(const WaitLane &lane, const ChainPart &part, const OwnerId &waiter, milliseconds waited)
    {
        if (waited <= milliseconds(0))
            return;
        m_episode.waited += waited;
        const Blocker &root = part.chain.last(), &holder = part.chain.first();
        auto &[share, chain] =
            m_shares[{root.owner.bytes, int(root.kind), root.lock, holder.owner.bytes, waiter.bytes}];
        share.root = root;
        share.holder = holder;
        share.waiter = waiter;
        share.family = lane.family;
        share.waited += waited;
        chain = part.chain;
    }

    void finish(const WaitLane &lane, quint32 at)
    {
        m_episode.toMs = (m_copy.fromMs() + at);
        // The waits of one root, over all holders and waiters.
        std::map<std::tuple<QByteArray, int, LockKey>, milliseconds> roots;
        milliseconds longest{0};
        for (auto &[key, entry] : m_shares) {
            milliseconds &waited = roots[{std::get<0>(key), std::get<1>(key), std::get<2>(key)}];
            waited += entry.first.waited;
            if (waited > longest) {
                longest = waited;
                m_episode.chain = entry.second;
                m_episode.byRoot = waited;
            }
            entry.first.lock = lane.key;
            entry.first.episode = m_blame.episodes.size();
            entry.first.isAtLeast = m_episode.isAtLeast;
            m_blame.shares.push_back(entry.first);
        }
        m_blame.waited += m_episode.waited;
        if (!m_episode.chain.isEmpty())
            m_blame.episodes.push_back(m_episode);
    }

    const WaitCopy m_copy;
    const std::vector<WaitLane> &m_lanes = m_copy.lanes();
    const InternPool<OwnerId> &m_owners = m_copy.owners();
    QHash<QByteArray, std::vector<QueuedAt>> m_queued; ///< by identity
    Blame m_blame;
    WaitEpisode m_episode;
    std::map<ShareKey, std::pair<Blame::Share, QList<Blocker>>> m_shares; ///< of this episode
};

OwnerGroup groupOf(OwnerGrouping by, const Blocker &blocker)
{
    Lock lock;
    lock.address.key = blocker.lock;
    lock.family = blocker.family;
    lock.type = blocker.family == countedHash() ? KeyType::Hash : KeyType::String;
    lock.owners = {{blocker.owner, "1", 1}};
    return holderGroup(by, lock, blocker.owner);
}

bool isSomebody(const Blocker &blocker)
{
    return blocker.kind != Blocker::Kind::Nobody && blocker.kind != Blocker::Kind::Several;
}

} // namespace

Blame blameOf(WaitCopy copy)
{
    return Reckoning(std::move(copy)).run();
}

Blame blameIn(const LockHistory &history, qint64 fromMs, qint64 toMs)
{
    WaitCopy copy(history, fromMs, toMs);
    copy.work(milliseconds::max());
    return blameOf(std::move(copy));
}

std::vector<BlameRow> Blame::rankedBy(BlameBy by) const
{
    const OwnerGrouping grouping = by == BlameBy::Process ? OwnerGrouping::Process
                                   : by == BlameBy::Host  ? OwnerGrouping::Host
                                                          : OwnerGrouping::Owner;
    const auto keyOf = [](const OwnerGroup &group) {
        return std::tuple(group.names, group.bytes, group.family);
    };
    using GroupKey = decltype(keyOf({}));
    using Key = std::tuple<LockKey, Blocker::Kind, GroupKey, GroupKey>;
    std::map<Key, BlameRow> rows;
    for (const Share &share : shares) {
        BlameRow row;
        const Blocker &blocker = by == BlameBy::Pair ? share.holder : share.root;
        if (by == BlameBy::Lock) {
            row.lock = share.lock;
        } else {
            row.kind = blocker.kind;
            if (isSomebody(blocker))
                row.blocker = groupOf(grouping, blocker);
            if (by == BlameBy::Pair && !share.waiter.bytes.isEmpty())
                row.waiter = ownerGroup(grouping, share.family, share.lock, share.waiter);
        }
        BlameRow &known =
            rows.try_emplace({row.lock, row.kind, keyOf(row.blocker), keyOf(row.waiter)}, row).first->second;
        known.waited += share.waited;
        known.isAtLeast |= share.isAtLeast;
        if (known.worst.empty() || known.worst.back().first != share.episode)
            known.worst.emplace_back(share.episode, 0);
        known.worst.back().second += share.waited;
    }
    std::vector<BlameRow> ranked;
    for (auto &[key, row] : rows) {
        row.episodes = std::ssize(row.worst); // the shares of an episode follow each other
        std::ranges::stable_sort(row.worst, std::ranges::greater(), &std::pair<size_t, milliseconds>::second);
        row.worst.resize(std::min(row.worst.size(), BlameRow::maxWorst));
        ranked.push_back(std::move(row));
    }
    std::ranges::stable_sort(ranked, std::ranges::greater(), &BlameRow::waited);
    return ranked;
}

bool Blame::isLowerBound() const
{
    return isAtLeast || !silent.isEmpty() || std::ranges::any_of(episodes, [](const WaitEpisode &each) {
               return each.isAtLeast || each.isCut;
           });
}

void Blame::keep(const std::function<bool(const LockKey &)> &isWanted)
{
    std::vector<size_t> placeOf(episodes.size());
    size_t kept = 0;
    waited = {};
    for (size_t i = 0; i < episodes.size(); ++i) {
        placeOf[i] = kept;
        if (!isWanted(episodes[i].lock))
            continue;
        waited += episodes[i].waited;
        if (kept != i)
            episodes[kept] = std::move(episodes[i]);
        ++kept;
    }
    episodes.resize(kept);
    std::erase_if(shares, [&](const Share &each) { return !isWanted(each.lock); });
    for (Share &share : shares)
        share.episode = placeOf[share.episode];
    silent.removeIf([&](const LockKey &key) { return !isWanted(key); });
}

} // namespace lockscope
