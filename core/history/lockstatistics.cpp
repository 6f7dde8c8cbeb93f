// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/lockstatistics.h"

#include "core/family/registry.h"
#include "core/family/weaktoken.h"
#include "core/history/coveredtime.h"

#include <QElapsedTimer>

#include <algorithm>

namespace lockscope {

namespace {

constexpr int partsBetweenLooks = 64; // at the time

bool isWaiting(SliceKind kind)
{
    return kind == SliceKind::Wait || kind == SliceKind::WaitCount;
}

bool isAlive(const SliceTrack &track, const SliceRecord &record)
{
    return track.kind() == SliceKind::WaitCount ? record.value > 0 : record.detail == 0;
}

/// The part of that period in these sorted gaps.
template <typename Gaps>
qint64 gapsBetween(const Gaps &gaps, qint64 fromMs, qint64 toMs)
{
    const auto first = std::partition_point(gaps.begin(), gaps.end(), [fromMs](const HistoryGap &gap) {
        return gap.toMs && *gap.toMs <= fromMs;
    });
    qint64 covered = 0;
    for (auto gap = first; gap != gaps.end() && gap->fromMs < toMs; ++gap)
        covered +=
            std::max<qint64>(std::min(gap->toMs.value_or(toMs), toMs) - std::max(gap->fromMs, fromMs), 0);
    return covered;
}

} // namespace

std::optional<double> LockStatistics::perSecond() const
{
    if (counted <= milliseconds(0))
        return std::nullopt;
    return double(acquisitions) * 1000 / double(counted.count());
}

std::optional<double> LockStatistics::contendedShare() const
{
    if (!tellsWaiters || acquisitions == 0)
        return std::nullopt;
    return double(contended) / double(acquisitions);
}

bool LockStatistics::isEmpty() const
{
    return acquisitions + reentries + holds.count + holds.unsure + waits.count + waits.unsure == 0 &&
           waited == milliseconds(0);
}

/// One lane, partly done. Times are from the base of the history.
struct StatisticsRun::Lane
{
    struct Holder
    {
        bool mayRepeat = false; ///< other owners may write the same value
        bool mayReturn = false; ///< a quick reacquisition looks like a renewal
    };

    LockStatistics told;
    Lengths holds;
    Lengths waits;
    qint64 baseMs = 0;
    quint32 from = 0;
    quint32 to = 0;
    std::vector<HistoryGap> gaps;
    CoveredTime unseen;
    CoveredTime uncounted; ///< unseen time, without that between two readings
    CoveredTime notByName; ///< unseen, or waiters are only counted
    size_t trackIndex = 0;
    std::optional<quint32> done;    ///< end of the part done in this track
    QHash<quint32, Holder> holders; ///< by number, which may be reused after the next change

    const LockHistory *history = nullptr;
    const std::vector<SliceTrack> *tracks = nullptr;

    qint64 axis(quint32 at) const { return baseMs + at; }
    qint64 gapsIn(qint64 fromMs, qint64 toMs) const { return gapsBetween(gaps, fromMs, toMs); }
    bool wasUnseen(quint32 begin, quint32 end) const;
    bool wasWaitedFor(quint32 at) const;
    quint32 longestPart(const SliceTrack &track, size_t first, size_t last) const;
    const Holder &holderOf(quint32 number);

    void gather();
    bool isFoundAt(quint32 moment) const;
    void add(const SliceTrack &track, size_t index);
    void addHold(const SliceTrack &track, size_t index);
    void addWait(const SliceTrack &track, size_t index);
    void addLength(LengthFigures &figures, Lengths &lengths, quint32 length, bool isWhole, bool isOne);
    std::pair<SliceRecord, int> beginOfWait(const SliceTrack &track, size_t index) const;
};

/// True if part of that period, or one of its ends, was unseen.
bool StatisticsRun::Lane::wasUnseen(quint32 begin, quint32 end) const
{
    for (const SliceTrack &track : *tracks) {
        if (track.kind() != SliceKind::Unknown)
            continue;
        const size_t first = track.firstEndingAfter(begin > 0 ? begin - 1 : 0);
        if (first < track.size() && track.at(first).from <= end)
            return true;
    }
    return gapsIn(axis(begin), axis(end) + 1) > 0;
}

/// Just before that moment.
bool StatisticsRun::Lane::wasWaitedFor(quint32 at) const
{
    return at > 0 && std::ranges::any_of(*tracks, [at](const SliceTrack &track) {
               if (!isWaiting(track.kind()))
                   return false;
               const size_t first = track.firstEndingAfter(at - 1);
               return first < track.size() && track.at(first).from < at && isAlive(track, track.at(first));
           });
}

/// The longest part that surely was one hold, if there may be several by one owner, from the first to the
/// last of these slices.
quint32 StatisticsRun::Lane::longestPart(const SliceTrack &track, size_t first, size_t last) const
{
    quint32 begin = track.at(first).from, longest = 0;
    const quint32 end = std::min(track.at(last).to, to);
    const auto isPlainAt = [&](quint32 at) { // its count did not change, and is that of one level
        for (; track.at(first).to < at; ++first) {
        }
        return track.at(first).from < at && at < track.at(first).to && track.at(first).detail <= 1;
    };
    for (const SliceTrack &leases : *tracks) {
        if (leases.kind() != SliceKind::Lease)
            continue;
        for (size_t i = std::max<size_t>(leases.firstFrom(begin + 1, 0), 1);
             i < leases.size() && leases.at(i).from < end; ++i) {
            const SliceRecord &lease = leases.at(i);
            if (lease.begin != SliceBegin::Renewed || !isPlainAt(lease.from) ||
                !mayHaveReturned(milliseconds(lease.from - leases.at(i - 1).from), milliseconds(lease.value)))
                continue;
            longest = std::max(longest, lease.from - begin);
            begin = lease.from;
        }
    }
    return std::max(longest, end - begin);
}

bool StatisticsRun::Lane::isFoundAt(quint32 moment) const
{
    return std::ranges::any_of(*tracks, [moment](const SliceTrack &track) {
        if (track.kind() != SliceKind::Hold)
            return false;
        const size_t first = track.firstFrom(moment, 0);
        return first < track.size() && track.at(first).from == moment &&
               track.at(first).begin == SliceBegin::Found;
    });
}

/// Collects the times to subtract, each once.
void StatisticsRun::Lane::gather()
{
    using Parts = std::vector<CoveredTime::Part>;
    const auto merge = [](Parts parts, const Parts &more) {
        const auto middle = std::ssize(parts);
        parts.insert(parts.end(), more.begin(), more.end());
        std::inplace_merge(parts.begin(), parts.begin() + middle, parts.end());
        return parts;
    };
    gaps = history->gapsOf(told.key);
    Parts without; // gaps at first
    for (const HistoryGap &gap : gaps) {
        const auto within = [this](qint64 axisMs) {
            return quint32(std::clamp<qint64>(axisMs - baseMs, from, to));
        };
        without.emplace_back(within(gap.fromMs), gap.toMs ? within(*gap.toMs) : to);
    }
    Parts betweenReadings, counts;
    for (const SliceTrack &track : *tracks) {
        const bool isUnknown = track.kind() == SliceKind::Unknown;
        if (!isUnknown && track.kind() != SliceKind::WaitCount)
            continue;
        Parts longer;
        for (size_t i = track.firstEndingAfter(from); i < track.size() && track.at(i).from < to; ++i) {
            const SliceRecord &record = track.at(i);
            const CoveredTime::Part part(std::max(record.from, from), std::min(record.to, to));
            if (!isUnknown)
                counts.push_back(part);
            else if (track.row() == 0 && record.to < to && !isFoundAt(record.to))
                betweenReadings.push_back(part);
            else // what was found may have been acquired long before
                longer.push_back(part);
        }
        without = merge(std::move(without), longer);
    }
    uncounted = CoveredTime(without);
    Parts all = merge(std::move(without), betweenReadings);
    unseen = CoveredTime(all);
    notByName = CoveredTime(merge(std::move(all), counts));
}

const StatisticsRun::Lane::Holder &StatisticsRun::Lane::holderOf(quint32 number)
{
    const auto known = holders.constFind(number);
    if (known != holders.cend())
        return *known;
    Lock lock;
    lock.address.key = told.key;
    lock.family = told.family;
    lock.type = told.family == countedHash() ? KeyType::Hash : KeyType::String;
    lock.owners = {{history->store().owner(number), "1", 1}};
    return *holders.insert(number, {mayRepeat(lock), mayReturn(lock)});
}

void StatisticsRun::Lane::add(const SliceTrack &track, size_t index)
{
    const SliceRecord &record = track.at(index);
    const quint32 begin = std::max(record.from, from), end = std::min(record.to, to);
    switch (track.kind()) {
    case SliceKind::Hold:
        return addHold(track, index);
    case SliceKind::Wait:
        return addWait(track, index);
    case SliceKind::WaitCount:
        told.tellsWaiters = true;
        told.waited += milliseconds(qint64(record.value) * (end - begin - unseen.in(begin, end)));
        break;
    case SliceKind::Unknown:
    case SliceKind::Lease:
    case SliceKind::Mark:
        break;
    }
}

void StatisticsRun::Lane::addLength(LengthFigures &figures, Lengths &lengths, quint32 length, bool isWhole,
                                    bool isOne)
{
    if (isWhole && isOne)
        return lengths.add(length);
    ++figures.unsure;
    if (isOne)
        figures.longestSeen = std::max(figures.longestSeen, milliseconds(length));
}

void StatisticsRun::Lane::addHold(const SliceTrack &track, size_t index)
{
    const SliceRecord &record = track.at(index);
    const Holder &holder = holderOf(record.value);
    if (record.from >= from) {
        const bool isAcquired = record.begin == SliceBegin::Seen || record.begin == SliceBegin::OwnerChanged;
        told.acquisitions += isAcquired;
        told.contended += isAcquired && wasWaitedFor(record.from);
        told.reentries += record.begin == SliceBegin::Reentered;
    }
    const bool hasEnded = record.to < to;
    if (hasEnded && (record.end == SliceEnd::Changed || record.to < from))
        return;
    size_t first = index;
    while (first > 0 && track.at(first).isSameHold())
        --first;
    const SliceRecord &start = track.at(first);
    const quint32 end = std::min(record.to, to);
    const bool isWhole = hasEnded &&
                         (start.begin == SliceBegin::Seen || start.begin == SliceBegin::OwnerChanged) &&
                         (record.end == SliceEnd::Released || record.end == SliceEnd::Expired ||
                          record.end == SliceEnd::OwnerChanged || record.end == SliceEnd::Removed);
    const bool isOne = !holder.mayRepeat && !wasUnseen(start.from, end);
    const quint32 length = end - start.from;
    const quint32 sure = isOne && holder.mayReturn ? longestPart(track, first, index) : length;
    addLength(told.holds, holds, sure, isWhole && sure == length, isOne);
}

/// The first slice of the same waiter, and its row.
std::pair<SliceRecord, int> StatisticsRun::Lane::beginOfWait(const SliceTrack &track, size_t index) const
{
    SliceRecord record = track.at(index);
    int row = track.row();
    for (bool isFound = true; isFound && record.begin == SliceBegin::Moved;) {
        isFound = false;
        for (const SliceTrack &other : *tracks) {
            if (other.kind() != SliceKind::Wait || record.from == 0)
                continue;
            size_t i = other.firstEndingAfter(record.from - 1);
            for (; i < other.size() && other.at(i).from < record.from && !isFound; ++i) {
                const SliceRecord &before = other.at(i);
                if (before.to != record.from || before.value != record.value)
                    continue;
                record = before;
                row = other.row();
                isFound = true;
            }
            if (isFound)
                break;
        }
    }
    return {record, row};
}

void StatisticsRun::Lane::addWait(const SliceTrack &track, size_t index)
{
    const SliceRecord &record = track.at(index);
    told.tellsWaiters = true;
    if (!isAlive(track, record))
        return;
    const quint32 end = std::min(record.to, to), begin = std::max(record.from, from);
    told.waited += milliseconds(end - begin - notByName.in(begin, end));
    const bool hasEnded = record.to < to;
    if (hasEnded && (record.end == SliceEnd::Changed || record.to < from))
        return;
    const auto [start, row] = beginOfWait(track, index);
    // Who comes into the last row that is kept has waited behind it.
    const bool isSeen = start.begin == SliceBegin::Seen && row + 1 < LockHistory::maxRows &&
                        !history->isFirstReading(history->store().at(told.key), gaps, start.from);
    const bool isWhole =
        hasEnded && isSeen && (record.end == SliceEnd::Acquired || record.end == SliceEnd::Left);
    addLength(told.waits, waits, end - start.from, isWhole, !wasUnseen(start.from, end));
}

StatisticsRun::StatisticsRun(const LockHistory &history, qint64 fromMs, qint64 toMs,
                             std::vector<LockKey> keys)
    : m_history(history), m_from(fromMs), m_to(std::max(fromMs, toMs)), m_keys(std::move(keys))
{
}

StatisticsRun::StatisticsRun(const LockHistory &history, qint64 fromMs, qint64 toMs)
    : StatisticsRun(history, fromMs, toMs, {})
{
    m_keys.reserve(size_t(history.store().laneCount()));
    history.store().visitKeys([this](const LockKey &key) { m_keys.push_back(key); });
}

/// False: no more lanes.
bool StatisticsRun::beginLane()
{
    const LockKey &key = m_keys[m_next];
    const SliceStore &store = m_history.store();
    const SliceLane *lane = store.find(key);
    if (!lane)
        return false;
    m_lane = std::make_shared<Lane>();
    m_lane->told.key = key;
    m_lane->told.family = lane->family;
    m_lane->tracks = &lane->tracks;
    m_lane->history = &m_history;
    m_lane->baseMs = store.baseMs();
    m_lane->from = store.fromBase(m_from);
    m_lane->to = store.fromBase(m_to);
    m_lane->gather();
    return true;
}

/// True: finished.
bool StatisticsRun::workOnLane(const std::function<bool()> &isLate)
{
    Lane &lane = *m_lane;
    lane.tracks = &m_history.store().at(lane.told.key).tracks;
    lane.holders.clear();
    for (; lane.trackIndex < lane.tracks->size(); ++lane.trackIndex, lane.done.reset()) {
        const SliceTrack &track = (*lane.tracks)[lane.trackIndex];
        const auto after = lane.done       ? lane.done
                           : lane.from > 0 ? std::optional(lane.from - 1)
                                           : std::nullopt;
        size_t i = track.firstEndingAfter(after.value_or(0));
        while (after && i < track.size() && track.at(i).to <= *after) // moments at that very time are done
            ++i;
        for (; i < track.size() && track.at(i).from < lane.to; ++i) {
            lane.add(track, i);
            // Not between two that end at one time: it goes on behind that.
            const bool isAlone = i + 1 < track.size() && track.at(i + 1).to > track.at(i).to;
            if (isAlone && track.at(i).to < lane.to && isLate()) {
                lane.done = track.at(i).to;
                return false;
            }
        }
    }
    return true;
}

void StatisticsRun::finishLane()
{
    Lane &lane = *m_lane;
    LockStatistics &told = lane.told;
    const auto finish = [](LengthFigures &figures, Lengths &lengths) {
        figures.count = lengths.count();
        figures.p50 = milliseconds(lengths.quantile(0.5));
        figures.p95 = milliseconds(lengths.quantile(0.95));
        figures.longest = milliseconds(lengths.longest());
    };
    finish(told.holds, lane.holds);
    finish(told.waits, lane.waits);
    const SliceLane &kept = m_history.store().at(told.key);
    told.tellsWaiters |= kept.knewWaiters(lane.from, lane.to);
    const auto found = kept.foundAt();
    const qint64 first = std::max({m_from, m_history.firstMs(), found ? lane.axis(*found) : m_from});
    const qint64 last = kept.isUnwatched ? std::min(m_to, lane.axis(kept.lastMs)) : m_to;
    const auto without = [&](const CoveredTime &time) {
        const auto in = [&lane](qint64 axisMs) {
            return quint32(std::clamp<qint64>(axisMs - lane.baseMs, lane.from, lane.to));
        };
        return milliseconds(first < last ? last - first - time.in(in(first), in(last)) : 0);
    };
    told.observed = without(lane.unseen);
    told.counted = without(lane.uncounted);
    told.unseen = milliseconds(m_to - m_from) - told.observed;
    if (m_takeLengths)
        m_takeLengths(told, lane.holds, lane.waits);
    if (!told.isEmpty())
        m_result.push_back(told);
    m_lane.reset();
}

milliseconds StatisticsRun::observed() const
{
    const qint64 first = std::max(m_from, m_history.firstMs());
    if (m_history.isEmpty() || first >= m_to)
        return milliseconds(0);
    return milliseconds(m_to - first - gapsBetween(m_history.gaps(), first, m_to));
}

bool StatisticsRun::work(milliseconds budget)
{
    QElapsedTimer timer;
    timer.start();
    int done = 0;
    const std::function<bool()> isLate = [&] {
        return ++done % partsBetweenLooks == 0 && timer.nsecsElapsed() >= budget.count() * 1'000'000;
    };
    while (m_next < m_keys.size()) {
        // The base of its times may have moved.
        if (m_lane && m_lane->baseMs != m_history.store().baseMs())
            m_lane.reset();
        if (!m_lane && !beginLane()) {
            ++m_next;
            continue;
        }
        if (!workOnLane(isLate))
            return false;
        finishLane();
        ++m_next;
        if (isLate())
            return false;
    }
    return true;
}

} // namespace lockscope
