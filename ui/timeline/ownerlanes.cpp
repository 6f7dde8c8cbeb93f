// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/ownerlanes.h"

#include "core/base/printable.h"
#include "core/family/ownergroup.h"
#include "core/words/durations.h"
#include "ui/lanes/timescale.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype ownerLaneCodePoints = 120;
constexpr qsizetype lockCodePoints = 80;

} // namespace

OwnerLanes::OwnerLanes(By by, const LockHistory &history, const LockTableModel &model,
                       const DisplayClock &clock, const OwnerNames &names)
    : HistoryLanes(history, model, clock, names), m_by(by)
{
}

/// Returns the process of an owner ID, or only its host; the full ID if it names none.
QByteArray OwnerLanes::idOf(const LockKey &key, const OwnerId &owner) const
{
    const Family family = m_history.store().at(key).family;
    if (m_by == By::Owner)
        return owner.bytes;
    const OwnerGroup process = ownerGroup(OwnerGrouping::Process, family, key, owner);
    const bool isTold = process.names == OwnerGroup::Names::Process;
    return isTold ? process.bytes : ownerGroup(OwnerGrouping::Host, family, key, owner).bytes;
}

bool OwnerLanes::update(TimeRange shown)
{
    QHash<QByteArray, int> known;
    std::vector<Lane> lanes;
    std::vector<LockKey> keys;
    // One owner holds many locks in a row: its id is looked into once for each lock.
    QHash<std::pair<int, quint32>, int> laneOf;
    m_isTooMuch = !m_history.visitStays(
        shown.fromMs, std::min(shown.toMs, this->known().toMs + 1), this->known().toMs, maxStays,
        [&](const LockKey &key, const HistorySlice &slice) {
            if (keys.empty() || keys.back() != key)
                keys.push_back(key);
            const int keyNumber = int(keys.size()) - 1;
            auto lane = laneOf.constFind({keyNumber, slice.value});
            if (lane == laneOf.cend()) {
                const OwnerId &owner = m_history.store().owner(slice.value);
                const QByteArray id = idOf(key, owner);
                auto there = known.constFind(id);
                if (there == known.cend()) {
                    const QString called = m_by == By::Owner ? nameOf(key, owner) : m_names.nameOf(id);
                    const auto place = m_places.constFind(id);
                    lanes.push_back({.id = id,
                                     .name = called.isEmpty() ? printable(id, ownerLaneCodePoints) : called,
                                     .place = place == m_places.cend() ? m_nextPlace++ : *place,
                                     .holds = {},
                                     .waits = {}});
                    there = known.insert(id, int(lanes.size()) - 1);
                }
                lane = laneOf.insert({keyNumber, slice.value}, *there);
            }
            Lane &its = lanes[size_t(*lane)];
            (slice.kind == SliceKind::Hold ? its.holds : its.waits).push_back({slice, keyNumber});
        });
    if (m_isTooMuch)
        lanes.clear();
    std::ranges::sort(lanes, {}, &Lane::place);
    m_found = int(lanes.size());
    if (m_found > maxLanes)
        lanes.resize(size_t(maxLanes));
    m_places.clear();
    for (Lane &lane : lanes) {
        lane.holdRows = std::max(arrange(lane.holds), 1);
        lane.waitRows = arrange(lane.waits);
        m_places.insert(lane.id, lane.place);
    }
    m_lanes = std::move(lanes);
    m_keys = std::move(keys);
    return true;
}

/// Arranges stays in few rows without overlap, at most LockHistory::maxRows; returns their number.
int OwnerLanes::arrange(std::vector<Stay> &stays)
{
    std::ranges::stable_sort(stays, {}, [](const Stay &stay) { return stay.slice.fromMs; });
    std::array<qint64, LockHistory::maxRows> ends{};
    int rows = 0;
    for (Stay &stay : stays) {
        const auto free = std::ranges::find_if(ends, [&](qint64 end) { return end <= stay.slice.fromMs; });
        stay.row = int(std::min<std::ptrdiff_t>(free - ends.begin(), LockHistory::maxRows - 1));
        qint64 &end = ends[size_t(stay.row)];
        end = std::max(end, stay.slice.toMs);
        rows = std::max(rows, stay.row + 1);
    }
    return rows;
}

QString OwnerLanes::summary() const
{
    if (m_isTooMuch)
        return tr("more than %1 holds and waits: show a shorter time").arg(grouped(maxStays));
    if (m_found > laneCount())
        return (m_by == By::Owner ? tr("%1 of %2 owners") : tr("%1 of %2 processes"))
            .arg(grouped(laneCount()), grouped(m_found));
    return (m_by == By::Owner ? tr("owners: %1") : tr("processes: %1")).arg(grouped(laneCount()));
}

QList<LaneBand> OwnerLanes::bands(TimeRange time) const
{
    return bandsOf(m_history.gapsOfAny(), time);
}

bool OwnerLanes::isChosen(int lane) const
{
    if (!m_chosen)
        return false;
    const qint64 now = known().toMs;
    const auto goesOn = [&](const Stay &stay) {
        return stay.slice.end == SliceEnd::Open && stay.slice.fromMs <= now &&
               m_keys[size_t(stay.key)] == *m_chosen;
    };
    return std::ranges::any_of(m_lanes[size_t(lane)].holds, goesOn) ||
           std::ranges::any_of(m_lanes[size_t(lane)].waits, goesOn);
}

void OwnerLanes::fill(LaneContent &content, int lane, TimeRange time, qint64 stepMs) const
{
    const qint64 now = known().toMs;
    std::array<qint64, LockHistory::maxRows> drawn{}; // by row: up to where
    const auto add = [&](QList<LaneBar> &bars, const Stay &stay, LaneBar bar) {
        bar.time = {stay.slice.fromMs, stay.slice.end == SliceEnd::Open ? now : stay.slice.toMs};
        if (bar.time.toMs < time.fromMs || bar.time.fromMs > time.toMs)
            return;
        qint64 &end = drawn[size_t(stay.row)];
        if (bar.time.toMs <= end) // all of it is drawn; in the last row many may lie above each other
            return;
        if (bar.time.toMs - bar.time.fromMs < stepMs) {
            bar.look = LaneBar::Look::Dense;
            bar.time.toMs = bar.time.fromMs + stepMs;
        }
        end = bar.time.toMs;
        bar.row = stay.row;
        if (bar.look != LaneBar::Look::Dense && hasRoomForText(bar.time, stepMs))
            bar.text = printable(m_keys[size_t(stay.key)].bytes, lockCodePoints);
        addBar(bars, bar, stepMs);
    };
    for (const Stay &hold : m_lanes[size_t(lane)].holds)
        add(content.bars, hold,
            {.depth = std::max<int>(hold.slice.detail, 1),
             .isOpenLeft = hold.slice.begin == SliceBegin::Found,
             .isOpenRight = hold.slice.end == SliceEnd::Open || hold.slice.end == SliceEnd::Vanished ||
                            hold.slice.end == SliceEnd::Unwatched});
    drawn = {};
    for (const Stay &wait : m_lanes[size_t(lane)].waits)
        add(content.waits, wait,
            {.look = wait.slice.detail ? LaneBar::Look::Crossed : LaneBar::Look::Hatched,
             .color = wait.slice.detail ? StatusColor::Danger : StatusColor::Warning,
             .isOpenLeft = wait.slice.begin == SliceBegin::Found,
             .isOpenRight = wait.slice.end == SliceEnd::Open || wait.slice.end == SliceEnd::Unwatched});
    for (const Stay &hold : m_lanes[size_t(lane)].holds) {
        if (hold.slice.end == SliceEnd::Expired)
            content.marks.append({hold.slice.toMs, Glyph::Hourglass, StatusColor::Warning});
        else if (hold.slice.end == SliceEnd::Forced)
            content.marks.append({hold.slice.toMs, Glyph::Bolt, StatusColor::Danger});
        else if (hold.slice.end == SliceEnd::Vanished)
            content.marks.append({hold.slice.toMs, std::nullopt, StatusColor::Muted});
    }
}

QList<const OwnerLanes::Stay *> OwnerLanes::at(const std::vector<Stay> &stays, qint64 atMs) const
{
    QList<const Stay *> found;
    for (const Stay &stay : stays) {
        if (stay.slice.fromMs <= atMs && (atMs < stay.slice.toMs || stay.slice.end == SliceEnd::Open))
            found.append(&stay);
    }
    return found;
}

bool OwnerLanes::isGap(qint64 atMs) const
{
    return atMs < known().fromMs || atMs > known().toMs || !bands({atMs, atMs + 1}).isEmpty();
}

QString OwnerLanes::stateText(int lane, qint64 atMs) const
{
    if (isGap(atMs))
        return tr("unknown");
    const auto holds = at(m_lanes[size_t(lane)].holds, atMs);
    const auto waits = at(m_lanes[size_t(lane)].waits, atMs);
    QStringList parts;
    for (const auto &[stays, text] :
         {std::pair(holds, tr("holds %1")), std::pair(waits, tr("waits for %1"))}) {
        if (!stays.isEmpty())
            parts << text.arg(stays.size() == 1
                                  ? printable(m_keys[size_t(stays.first()->key)].bytes, lockCodePoints)
                                  : tr("%n lock(s)", nullptr, int(stays.size())));
    }
    return parts.isEmpty() ? tr("no hold seen") : parts.join(QStringLiteral(" · "));
}

QString OwnerLanes::toolTip(int lane, qint64 atMs) const
{
    QStringList lines{laneName(lane), tr("At %1").arg(TimeScale::labelOf(wallMs(atMs), 1))};
    if (isGap(atMs))
        lines << tr("unknown");
    constexpr qsizetype maxLines = 20;
    const auto tell = [&](const QList<const Stay *> &stays, const QString &text) {
        for (const Stay *stay : stays.first(std::min(stays.size(), maxLines)))
            lines << text.arg(printable(m_keys[size_t(stay->key)].bytes, lockCodePoints),
                              describe(milliseconds(std::max<qint64>(atMs - stay->slice.fromMs, 0))));
        if (stays.size() > maxLines)
            lines << tr("and %n more", nullptr, int(stays.size() - maxLines));
    };
    tell(at(m_lanes[size_t(lane)].holds, atMs), tr("Holds %1 for at least %2"));
    tell(at(m_lanes[size_t(lane)].waits, atMs), tr("Waits for %1 for at least %2"));
    return lines.join(u'\n');
}

std::optional<LockKey> OwnerLanes::lockAt(int lane, qint64 atMs) const
{
    const Lane &its = m_lanes[size_t(lane)];
    const Stay *last = nullptr;
    for (const std::vector<Stay> *stays : {&its.holds, &its.waits}) {
        if (const auto there = at(*stays, atMs); !there.isEmpty())
            return m_keys[size_t(there.first()->key)];
        for (const Stay &stay : *stays) {
            if (stay.slice.fromMs <= atMs && (!last || last->slice.fromMs < stay.slice.fromMs))
                last = &stay;
        }
    }
    return last ? std::optional(m_keys[size_t(last->key)]) : std::nullopt;
}

} // namespace lockscope
