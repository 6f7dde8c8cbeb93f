// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/recordedhistory.h"

#include "core/base/match.h"
#include "core/recording/recording.h"

namespace lockscope {

namespace {

constexpr qint64 mostSlices = 30'000'000;
constexpr qint64 mostBytes = qint64(1) << 30;

} // namespace

LockHistory historyOf(const Recording &recording, milliseconds from, milliseconds to)
{
    LockHistory history(mostSlices, mostBytes);
    const TimePoint as{};
    RecordingCursor cursor(recording, from, as, RecordingCursor::AcrossGaps::Events);
    const RecordedSnapshot begin = recording.pictureAt(from, as);
    LockDiff known;
    known.changed = begin.locks;
    known.events = foundIn(begin);
    history.apply(known, begin.wallMs);
    bool isCurrent = begin.watching.isCurrentElsewhere();
    history.setUnknownSlots(begin.watching.unknownSlots, begin.wallMs);
    if (begin.isRecorded && isCurrent)
        history.confirm(begin.wallMs);
    else
        history.addLost(begin.wallMs);
    for (auto step = cursor.next(); step && cursor.momentOf(*step) <= to; step = cursor.next()) {
        if (const auto *gap = std::get_if<RecordingGap>(&*step)) {
            history.addLost(gap->wallFromMs);
            continue;
        }
        if (std::holds_alternative<RecordedConfirmation>(*step)) {
            history.confirm(recording.wallAt(cursor.momentOf(*step)));
            continue;
        }
        const auto &entry = std::get<RecordedEntry>(*step);
        std::visit(Match{[&](const LockDiff &diff) { history.apply(diff, entry.wallMs); },
                         [&](const WatchState &watching) {
                             history.setUnknownSlots(watching.unknownSlots, entry.wallMs);
                             const bool isNowCurrent = watching.isCurrentElsewhere();
                             if (isCurrent != isNowCurrent)
                                 history.add({isNowCurrent ? MonitorEventKind::Reconnected
                                                           : MonitorEventKind::Disconnected,
                                              {},
                                              entry.wallMs,
                                              {}});
                             isCurrent = isNowCurrent;
                             if (isCurrent) // the confirmation is told once for many entries
                                 history.confirm(entry.wallMs);
                         },
                         [](const auto &) {}},
                   entry.what);
    }
    return history;
}

} // namespace lockscope
