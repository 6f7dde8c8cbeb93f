// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/locklanes.h"

#include "core/base/printable.h"
#include "core/state/severity.h"
#include "core/table/locktext.h"
#include "core/words/durations.h"
#include "ui/lanes/timescale.h"

#include <QLocale>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype laneNameCodePoints = 120;

} // namespace

QList<LockKey> LockLanes::wanted(TimeRange shown)
{
    QList<LockKey> keys;
    keys.reserve(std::min(m_model.rowCount(), maxLanes));
    m_withoutLane = 0;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        if (keys.size() == maxLanes) {
            m_withoutLane = m_model.rowCount() - row;
            break;
        }
        if (const LockKey &key = m_model.at(row).key(); m_history.store().find(key))
            keys.append(key);
    }
    // What is gone has no owner that a filter could be asked of.
    if (keys.size() < maxLanes && m_model.filter().isOfKeysAlone()) {
        m_history.store().visitKeys([&](const LockKey &key) {
            if (m_withoutLane == maxLanes || m_model.find(key) || !m_model.filter().admits(key) ||
                !m_history.isTouched(key, shown.fromMs, shown.toMs))
                return;
            if (keys.size() < maxLanes)
                keys.append(key);
            else
                ++m_withoutLane;
        });
    }
    return keys;
}

bool LockLanes::update(TimeRange shown)
{
    struct Place
    {
        Severity damage;
        quint64 number;
        LockKey key;
    };
    std::vector<Place> places;
    QHash<LockKey, quint64> numbers;
    const QList<LockKey> all = wanted(shown);
    places.reserve(size_t(all.size()));
    numbers.reserve(all.size());
    for (const LockKey &key : all) {
        const auto known = m_places.constFind(key);
        const quint64 number = known == m_places.cend() ? m_nextPlace++ : *known;
        numbers.insert(key, number);
        const WatchedLock *lock = m_model.find(key);
        places.push_back({lock ? severityOf(*lock, m_clock.of(key).now()) : Severity::None, number, key});
    }
    m_places = numbers;
    std::ranges::sort(places, [](const Place &a, const Place &b) {
        return std::pair(a.damage, a.number) < std::pair(b.damage, b.number);
    });
    QList<LockKey> keys;
    std::vector<Rows> rows;
    keys.reserve(all.size());
    rows.reserve(places.size());
    for (const Place &place : places) {
        keys.append(place.key);
        rows.push_back(
            {m_history.store().at(place.key).holdRows, m_history.store().at(place.key).waitRows()});
    }
    const bool isOther = keys != m_keys || rows != m_rows;
    m_keys = keys;
    m_rows = rows;
    return isOther;
}

QString LockLanes::summary() const
{
    return m_withoutLane > 0
               // Where the table alone has too many, nobody has looked which others there were.
               ? tr("%1 of %2 locks")
                     .arg(grouped(laneCount()), QStringLiteral("≥ ") + grouped(laneCount() + m_withoutLane))
               : tr("locks: %1").arg(grouped(laneCount()));
}

QString LockLanes::laneName(int lane) const
{
    return printable(m_keys[lane].bytes, laneNameCodePoints);
}

StatusColor LockLanes::laneColor(int lane) const
{
    const WatchedLock *lock = m_model.find(m_keys[lane]);
    return lock ? appearanceOf(*lock, stateOf(*lock, m_clock.of(lock->key()).now())).color
                : StatusColor::Muted;
}

void LockLanes::fill(LaneContent &content, int lane, TimeRange time, qint64 stepMs) const
{
    const LockKey &key = m_keys[lane];
    const TimeRange all = known();
    m_history.visit(key, std::max(time.fromMs, all.fromMs), std::min(time.toMs, all.toMs + 1), all.toMs,
                    stepMs, [&](const HistorySlice &slice) { addSlice(content, key, slice, stepMs); });
    for (const HistoryEvent &moment : m_history.moments()) {
        if (moment.kind == MonitorEventKind::Deadlock && moment.key == key)
            content.marks.append({moment.atMs, Glyph::Circle, StatusColor::Danger});
    }
}

void LockLanes::addSlice(LaneContent &content, const LockKey &key, const HistorySlice &slice,
                         qint64 stepMs) const
{
    const TimeRange time{slice.fromMs, slice.toMs};
    const bool hasText = slice.merged == 1 && hasRoomForText(time, stepMs);
    const auto add = [&](QList<LaneBar> &bars, LaneBar bar) {
        bar.time = time;
        if (slice.merged > 1)
            bar.look = LaneBar::Look::Dense;
        addBar(bars, bar, stepMs);
    };
    switch (slice.kind) {
    case SliceKind::Hold:
        add(content.bars,
            {.row = slice.row,
             .depth = std::max<int>(slice.detail, 1),
             .isOpenLeft = slice.begin == SliceBegin::Found,
             .isOpenRight = slice.end == SliceEnd::Open || slice.end == SliceEnd::Vanished ||
                            slice.end == SliceEnd::Unwatched,
             .text = !hasText           ? QString()
                     : slice.detail > 1 ? tr("%1 ×%2", "owner, hold count")
                                              .arg(nameOf(key, m_history.store().owner(slice.value)),
                                                   QString::number(slice.detail))
                                        : nameOf(key, m_history.store().owner(slice.value))});
        break;
    case SliceKind::Wait:
        add(content.waits, {.row = slice.row,
                            .look = slice.detail ? LaneBar::Look::Crossed : LaneBar::Look::Hatched,
                            .color = slice.detail ? StatusColor::Danger : StatusColor::Warning,
                            .isOpenLeft = slice.begin == SliceBegin::Found,
                            .isOpenRight = slice.end == SliceEnd::Open || slice.end == SliceEnd::Unwatched,
                            .text = hasText ? nameOf(key, m_history.store().owner(slice.value)) : QString()});
        break;
    case SliceKind::WaitCount: {
        const QString number = QLocale().toString(slice.value);
        add(content.waits, {.row = std::max(m_history.store().at(key).waitRows() - 1, 0),
                            .look = LaneBar::Look::Hatched,
                            .color = StatusColor::Warning,
                            .isOpenRight = slice.end == SliceEnd::Open || slice.end == SliceEnd::Unwatched,
                            .text = !hasText ? QString()
                                    : WaiterCertainty(slice.detail) == WaiterCertainty::Exact
                                        ? tr("%1 waiting").arg(number)
                                        : tr("≥ %1 waiting").arg(number)});
        break;
    }
    case SliceKind::Lease: {
        const auto longest = double(std::max<qint64>(m_history.store().at(key).longestLease, 1));
        const bool isEndless = slice.value == HistorySlice::noExpiry;
        const double left = isEndless ? 0 : slice.value;
        content.leases.append({time, left / longest,
                               std::max(left - double(time.toMs - time.fromMs), 0.0) / longest, isEndless,
                               slice.begin == SliceBegin::Renewed});
        break;
    }
    case SliceKind::Unknown:
        content.bars.append({.time = time, .look = LaneBar::Look::Unknown});
        break;
    case SliceKind::Mark:
        if (slice.end == SliceEnd::Expired)
            content.marks.append({slice.fromMs, Glyph::Hourglass, StatusColor::Warning});
        else if (slice.end == SliceEnd::Forced)
            content.marks.append({slice.fromMs, Glyph::Bolt, StatusColor::Danger});
        else
            content.marks.append({slice.fromMs, std::nullopt, StatusColor::Muted});
        break;
    }
}

QString LockLanes::leftText(const LaneState &state) const
{
    if (state.isEndless)
        return tr("no expiry");
    return state.leftMs ? tr("%1 left").arg(countdown(milliseconds(*state.leftMs))) : QString();
}

QString LockLanes::waitingText(const LaneState &state)
{
    if (state.waiters == 0)
        return {};
    const QString number = QLocale().toString(state.waiters);
    return state.certainty == WaiterCertainty::Exact ? tr("%1 waiting").arg(number)
                                                     : tr("≥ %1 waiting").arg(number);
}

QString LockLanes::stateText(int lane, qint64 atMs) const
{
    const LockKey &key = m_keys[lane];
    const LaneState state = m_history.stateAt(key, atMs, known().toMs);
    if (!state.isKnown)
        return tr("unknown");
    // Figures stand first: an id may need all the room.
    const bool isHeld = !state.holders.isEmpty();
    QStringList parts{isHeld ? leftText(state) : tr("no hold seen"), waitingText(state)};
    if (isHeld) {
        const LaneState::Holder &first = state.holders.first();
        const qsizetype owners = state.holders.size();
        if (owners > 1) // of more than have a row the rest is not counted
            parts << (owners < LockHistory::maxRows ? QString() : QStringLiteral("≥ ")) +
                         tr("%n owner(s)", nullptr, int(owners));
        if (first.holdCount > 1)
            parts << QStringLiteral("×%1").arg(first.holdCount);
        parts << nameOf(key, first.owner);
    }
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString LockLanes::toolTip(int lane, qint64 atMs) const
{
    const LockKey &key = m_keys[lane];
    const LaneState state = m_history.stateAt(key, atMs, known().toMs);
    QStringList lines{laneName(lane), tr("At %1").arg(TimeScale::labelOf(wallMs(atMs), 1))};
    if (!state.isKnown)
        lines << tr("Unknown: not watched, or changes may have been missed");
    for (const LaneState::Holder &holder : state.holders) {
        const QString held = describe(milliseconds(std::max<qint64>(atMs - holder.sinceMs, 0)));
        const QString name = nameOf(key, holder.owner);
        lines << (holder.isLate ? tr("Held by %1 for at least %2").arg(name, held)
                                : tr("Held by %1 for %2").arg(name, held));
        if (holder.holdCount > 1)
            lines << tr("Hold count %1").arg(holder.holdCount);
    }
    if (state.holders.isEmpty() && state.isKnown)
        lines << tr("No hold seen");
    if (const QString left = leftText(state); !left.isEmpty())
        lines << left;
    for (qsizetype place = 0; place < state.queue.size(); ++place) {
        const QString name = nameOf(key, state.queue[place].waiter);
        const QString number = QString::number(place + 1);
        lines << (state.queue[place].isDead ? tr("Waiter %1: %2 (dead)").arg(number, name)
                                            : tr("Waiter %1: %2").arg(number, name));
    }
    if (state.waiters > state.queue.size() ||
        (state.waiters > 0 && state.certainty != WaiterCertainty::Exact))
        lines << waitingText(state);
    return lines.join(u'\n');
}

} // namespace lockscope
