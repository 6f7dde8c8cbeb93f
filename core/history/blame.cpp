// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/blame.h"

#include "core/family/ownerfacts.h"
#include "core/family/registry.h"
#include "core/family/shapes.h"
#include "core/history/coveredtime.h"

#include <QHash>

#include <algorithm>
#include <map>

namespace lockscope {

namespace {

constexpr size_t longestChain = 32;

/// A slice within the period, in ms from the base of the history.
struct Span
{
    quint32 from = 0;
    quint32 to = 0;
    quint32 value = 0;
    int row = 0;
    bool isDead = false;    ///< a waiter
    bool isCut = false;     ///< it began or ended unseen, or outside of the period
    bool isAtLeast = false; ///< more of it may be in the period; a count: there may be more
};

struct Lane
{
    const SliceLane *source = nullptr;
    std::vector<Span> waits;
    std::vector<Span> counts;
    CoveredTime unseen;
};

/// When somebody waited, and for which lock.
struct QueuedAt
{
    quint32 from = 0;
    quint32 to = 0;
    size_t lane = 0;
};

/// A part of an owner's time, and what it waited for then.
struct ChainPart
{
    quint32 from = 0;
    quint32 to = 0;
    QList<Blocker> chain;
};

/// The records that go on at moments that are asked for in order.
class Active
{
public:
    explicit Active(std::vector<const SliceRecord *> all) : m_all(std::move(all))
    {
        std::ranges::sort(m_all, {}, [](const SliceRecord *each) { return each->from; });
    }

    const std::vector<const SliceRecord *> &at(quint32 moment)
    {
        for (; m_next < m_all.size() && m_all[m_next]->from <= moment; ++m_next)
            m_active.push_back(m_all[m_next]);
        std::erase_if(m_active, [moment](const SliceRecord *each) { return each->to <= moment; });
        return m_active;
    }

private:
    std::vector<const SliceRecord *> m_all;
    std::vector<const SliceRecord *> m_active;
    size_t m_next = 0;
};

class Reckoning
{
public:
    Reckoning(const LockHistory &history, qint64 fromMs, qint64 toMs)
        : m_history(history),
          m_store(history.store()),
          m_from(m_store.fromBase(fromMs)),
          m_to(m_store.fromBase(toMs))
    {
    }

    Blame run()
    {
        for (const SliceLane &source : m_store.lanes())
            gather(source);
        for (auto &queued : m_queued) {
            std::ranges::sort(queued, {}, &QueuedAt::from);
            for (size_t i = 1; i < queued.size(); ++i) // a thread waits for one lock at a time: the last one
                queued[i - 1].to = std::min(queued[i - 1].to, queued[i].from);
        }
        for (size_t lane = 0; lane < m_lanes.size(); ++lane)
            reckon(lane);
        std::ranges::stable_sort(m_blame.episodes, std::ranges::greater(), &WaitEpisode::waited);
        return std::move(m_blame);
    }

private:
    void gather(const SliceLane &source)
    {
        Lane lane;
        lane.source = &source;
        std::vector<CoveredTime::Part> unseen;
        const std::vector<HistoryGap> gaps =
            source.waitRows() > 0 ? m_history.gapsOf(source.key) : std::vector<HistoryGap>();
        bool wasHeld = false;
        for (const SliceTrack &track : source.tracks) {
            for (size_t i = track.firstEndingAfter(m_from); i < track.size() && track.at(i).from < m_to;
                 ++i) {
                const SliceRecord &record = track.at(i);
                Span span{.from = std::max(record.from, m_from),
                          .to = std::min(record.to, m_to),
                          .value = record.value,
                          .row = track.row()};
                if (track.kind() == SliceKind::Hold) {
                    wasHeld = true;
                    break;
                } else if (track.kind() == SliceKind::Wait) {
                    span.isDead = record.detail != 0;
                    lane.waits.push_back(cutOff(span, record, source, gaps));
                } else if (track.kind() == SliceKind::WaitCount) {
                    span.isAtLeast = WaiterCertainty(record.detail) != WaiterCertainty::Exact;
                    lane.counts.push_back(cutOff(span, record, source, gaps));
                } else if (track.kind() == SliceKind::Unknown) {
                    unseen.emplace_back(span.from, span.to);
                }
            }
        }
        if (lane.waits.empty() && lane.counts.empty()) {
            if (wasHeld && !source.knewWaiters(m_from, m_to))
                m_blame.silent.append(source.key);
            return;
        }
        for (const HistoryGap &gap : gaps) {
            const auto within = [this](qint64 axisMs) {
                return quint32(std::clamp<qint64>(axisMs - m_store.baseMs(), m_from, m_to));
            };
            unseen.emplace_back(within(gap.fromMs), gap.toMs ? within(*gap.toMs) : m_to);
        }
        std::ranges::sort(unseen);
        lane.unseen = CoveredTime(unseen);
        for (const Span &wait : lane.waits) {
            const QByteArray identity = threadIdentity(source.family, m_store.owner(wait.value));
            if (identity.isEmpty() || wait.isDead)
                continue;
            for (const auto &[from, to] : lane.unseen.rest(wait.from, wait.to))
                m_queued[identity].push_back({from, to, m_lanes.size()});
        }
        m_lanes.push_back(std::move(lane));
    }

    /// True if others may hold it too: beyond the rows, or as a number that stands for all.
    bool mayBeSeveral(const SliceLane &lane, quint32 owner) const
    {
        return lane.holdRows == LockHistory::maxRows ||
               (specOf(lane.family).acquire == AcquireSupport::NoOwners &&
                isCount(m_store.owner(owner).bytes));
    }

    Span cutOff(Span span, const SliceRecord &record, const SliceLane &lane,
                const std::vector<HistoryGap> &gaps) const
    {
        const bool beganBefore =
            record.begin == SliceBegin::Found ||
            (record.begin == SliceBegin::Seen && m_history.isFirstReading(lane, gaps, record.from));
        const bool wentOn = record.end == SliceEnd::Unwatched;
        span.isCut = record.from < m_from || record.to > m_to || beganBefore || wentOn;
        span.isAtLeast |= (beganBefore && record.from > m_from) || (wentOn && record.to < m_to);
        return span;
    }

    Blocker blocker(Blocker::Kind kind, const Lane &lane, quint32 owner) const
    {
        return {kind, lane.source->key, m_store.owner(owner), lane.source->family};
    }
    static Blocker blocker(Blocker::Kind kind, const Lane &lane)
    {
        return {kind, lane.source->key, {}, lane.source->family};
    }

    /// Splits a time in parts with one blocker of the lane each, and what it waits for.
    void follow(size_t number, quint32 from, quint32 to, const QList<Blocker> &before,
                std::vector<ChainPart> &parts) const
    {
        const Lane &lane = m_lanes[number];
        std::vector<quint32> moments{from, to};
        std::vector<const SliceRecord *> holds, heads;
        for (const SliceTrack &track : lane.source->tracks) {
            const bool isHead = track.kind() == SliceKind::Wait && track.row() == 0;
            if (!isHead && track.kind() != SliceKind::Hold)
                continue;
            for (size_t at = track.firstEndingAfter(from); at < track.size() && track.at(at).from < to;
                 ++at) {
                const SliceRecord &record = track.at(at);
                if (isHead && record.detail == 0) // alive
                    continue;
                (isHead ? heads : holds).push_back(&record);
                moments.push_back(std::clamp(record.from, from, to));
                moments.push_back(std::clamp(record.to, from, to));
            }
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
            else if (holding.size() > 1 || mayBeSeveral(*lane.source, holding.front()->value))
                endWith(blocker(Blocker::Kind::Several, lane));
            else if (!before.empty() && before.last().owner == m_store.owner(holding.front()->value))
                parts.push_back({begin, end, before}); // it has acquired the lock since the queue was read
            else
                followOwner(lane, holding.front()->value, begin, end, before, parts);
        }
    }

    void followOwner(const Lane &lane, quint32 owner, quint32 from, quint32 to, const QList<Blocker> &before,
                     std::vector<ChainPart> &parts) const
    {
        const Blocker holder = blocker(Blocker::Kind::Owner, lane, owner);
        const QByteArray identity = threadIdentity(lane.source->family, holder.owner);
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
                if (begin >= end || m_lanes[wait->lane].source == lane.source)
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
        const Span *span;
        bool isCount;
    };

    /// Sweeps over the waits of a lane.
    void reckon(size_t number)
    {
        const Lane &lane = m_lanes[number];
        std::vector<Moment> moments;
        for (const Span &wait : lane.waits) {
            if (wait.from == wait.to)
                continue;
            moments.push_back({wait.from, true, &wait, false});
            moments.push_back({wait.to, false, &wait, false});
        }
        for (const Span &count : lane.counts) {
            if (count.value == 0 || count.from == count.to)
                continue;
            moments.push_back({count.from, true, &count, true});
            moments.push_back({count.to, false, &count, true});
        }
        std::ranges::stable_sort(moments, {}, &Moment::at);
        std::vector<const Span *> waiting;
        const Span *counted = nullptr;
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

    void begin(const Lane &lane, quint32 at)
    {
        m_episode = WaitEpisode();
        m_episode.lock = lane.source->key;
        m_episode.fromMs = m_store.toAxis(at);
        m_shares.clear();
    }

    void add(size_t number, quint32 from, quint32 to, const std::vector<const Span *> &waiting,
             const Span *counted, qint64 dead)
    {
        const Lane &lane = m_lanes[number];
        const qint64 alive = counted ? counted->value - dead : 0; // all in the queue are counted
        const qint64 waiters = std::max<qint64>(alive, std::ssize(waiting));
        m_episode.mostWaiters = std::max(m_episode.mostWaiters, waiters);
        m_episode.isAtLeast |= (counted && counted->isAtLeast) || lane.unseen.in(from, to) > 0 ||
                               std::ranges::any_of(waiting, &Span::isAtLeast);
        m_episode.isCut |= (counted && counted->isCut) || std::ranges::any_of(waiting, &Span::isCut);
        std::vector<ChainPart> parts;
        follow(number, from, to, {}, parts);
        for (const ChainPart &part : parts) {
            const milliseconds seen(part.to - part.from - lane.unseen.in(part.from, part.to));
            if (seen <= milliseconds(0))
                continue;
            for (const Span *span : waiting) {
                // It has acquired the lock since the queue was read, and waits no more.
                if (part.chain.first().owner != m_store.owner(span->value))
                    addShare(lane, part, m_store.owner(span->value), seen);
            }
            addShare(lane, part, {}, seen * (waiters - std::ssize(waiting)));
        }
    }

    void addShare(const Lane &lane, const ChainPart &part, const OwnerId &waiter, milliseconds waited)
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
        share.family = lane.source->family;
        share.waited += waited;
        chain = part.chain;
    }

    void finish(const Lane &lane, quint32 at)
    {
        m_episode.toMs = m_store.toAxis(at);
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
            entry.first.lock = lane.source->key;
            entry.first.episode = m_blame.episodes.size();
            entry.first.isAtLeast = m_episode.isAtLeast;
            m_blame.shares.push_back(entry.first);
        }
        m_blame.waited += m_episode.waited;
        if (!m_episode.chain.isEmpty())
            m_blame.episodes.push_back(m_episode);
    }

    const LockHistory &m_history;
    const SliceStore &m_store;
    const quint32 m_from;
    const quint32 m_to;
    std::vector<Lane> m_lanes;
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

Blame blameIn(const LockHistory &history, qint64 fromMs, qint64 toMs)
{
    const qint64 firstMs = std::max(fromMs, history.firstMs());
    Blame blame = firstMs < toMs ? Reckoning(history, firstMs, toMs).run() : Blame();
    const bool wasDropped = history.store().dropped() > 0 || history.store().firstMs() < history.firstMs();
    blame.isAtLeast = fromMs < firstMs && wasDropped;
    return blame;
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
    std::map<Key, std::pair<BlameRow, size_t>> rows; // and the last episode
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
        const auto [entry, isNew] =
            rows.try_emplace({row.lock, row.kind, keyOf(row.blocker), keyOf(row.waiter)}, row, share.episode);
        auto &[known, last] = entry->second;
        known.waited += share.waited;
        known.isAtLeast |= share.isAtLeast;
        known.episodes += isNew || last != share.episode;
        last = share.episode;
    }
    std::vector<BlameRow> ranked;
    for (auto &[key, entry] : rows)
        ranked.push_back(std::move(entry.first));
    std::ranges::stable_sort(ranked, std::ranges::greater(), &BlameRow::waited);
    return ranked;
}

} // namespace lockscope
