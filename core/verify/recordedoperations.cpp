// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/recordedoperations.h"

#include "core/family/registry.h"

#include <QHash>

#include <algorithm>

namespace lockscope {

namespace {

using Kind = LockOperation::Kind;

/// A file may state any time.
qint64 nsOf(qint64 ms)
{
    constexpr qint64 most = LockOperation::maxTime / LockOperation::nsPerMs;
    return std::clamp(ms, -most, most) * LockOperation::nsPerMs;
}

} // namespace

OperationHistory operationsIn(const LockHistory &history)
{
    const SliceStore &store = history.store();
    const auto timeOf = [&store](quint32 ms) { return nsOf(store.toAxis(ms)); };
    OperationHistory result;
    result.isRecording = true;
    QHash<quint32, int> numbers;
    for (const SliceLane &lane : store.lanes()) {
        if (lane.isEmpty())
            continue;
        VerifiedLock lock{.key = lane.key.bytes, .isShared = specOf(lane.family).severalOwners};
        std::vector<quint32> readings, found;
        for (const SliceTrack &track : lane.tracks) {
            for (size_t i = 0; track.kind() == SliceKind::Hold && i < track.size(); ++i) {
                readings.push_back(track.at(i).from);
                if (track.at(i).begin == SliceBegin::Found)
                    found.push_back(track.at(i).from);
            }
        }
        std::ranges::sort(readings);
        std::vector<qint64> knownFrom; // ends of unseen periods
        if (store.dropped() > 0) {
            knownFrom.push_back(nsOf(history.firstMs()));
            lock.unseen.push_back({-LockOperation::maxTime, knownFrom.back()});
        }
        // Until a hold that was seen to begin, the lock was free: nothing before matters.
        const bool isFirstSeen = store.dropped() == 0 && !readings.empty() &&
                                 std::ranges::find(found, readings.front()) == found.end();
        for (const HistoryGap &gap : history.gapsOf(lane.key)) {
            const qint64 to = gap.toMs ? nsOf(*gap.toMs) : LockOperation::maxTime;
            knownFrom.push_back(to);
            if (!isFirstSeen || to > timeOf(readings.front()))
                lock.unseen.push_back({nsOf(gap.fromMs), to});
        }
        std::ranges::sort(knownFrom);
        for (const SliceTrack &track : lane.tracks) {
            for (size_t i = 0; track.kind() == SliceKind::Hold && i < track.size(); ++i) {
                const SliceRecord &slice = track.at(i);
                if (!numbers.contains(slice.value)) {
                    numbers.insert(slice.value, int(result.names.size()));
                    result.names.push_back(store.owner(slice.value).bytes);
                }
                LockOperation operation{.outcome = LockOperation::Outcome::Ok,
                                        .process = numbers.value(slice.value)};
                operation.owner = operation.process;
                if (!slice.isSameHold()) {
                    operation.endedAt = timeOf(slice.from);
                    const auto later = std::ranges::upper_bound(knownFrom, operation.endedAt);
                    if (slice.begin != SliceBegin::Found && later != knownFrom.begin())
                        operation.invokedAt = *(later - 1);
                    lock.operations.push_back(operation);
                }
                const bool goesOn = i + 1 < track.size() && track.at(i + 1).isSameHold();
                if (goesOn || slice.to == SliceRecord::isOpen)
                    continue;
                if (slice.end == SliceEnd::Unwatched) {
                    lock.unseen.push_back({timeOf(slice.to), LockOperation::maxTime});
                    continue;
                }
                // It was still held at the last reading before.
                const auto next = std::ranges::lower_bound(readings, std::max(slice.to, slice.from + 1));
                operation.kind = Kind::Release;
                operation.invokedAt = timeOf(std::max(slice.from, *(next - 1)));
                operation.endedAt = timeOf(slice.to);
                lock.operations.push_back(operation);
            }
        }
        // Of one owner in two rows, too.
        std::ranges::stable_sort(lock.operations, {}, &LockOperation::endedAt);
        result.events += qint64(lock.operations.size()) * 2;
        result.locks.push_back(std::move(lock));
    }
    return result;
}

} // namespace lockscope
