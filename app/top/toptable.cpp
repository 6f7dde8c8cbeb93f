// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/top/toptable.h"

#include "core/base/printable.h"
#include "core/state/lockstate.h"
#include "core/table/locktext.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope {

namespace {

constexpr int markWidth = 2; // tag and a blank
/// Narrower screens have shorter cells, and the time left is drawn upon its bar.
constexpr int wideScreen = 100;
constexpr int barWidth = 8;
constexpr int leastKey = 14;
constexpr int leastOwner = 11;
constexpr int maxShared = 50; // of keys and owners, before further columns get room

/// In the order in which columns are shown; the bar stands before the time left.
constexpr std::array shownOrder{LockColumn::State, LockColumn::Key,     LockColumn::Owner,
                                LockColumn::Holds, LockColumn::Waiters, LockColumn::WaitsFor,
                                LockColumn::Ttl,   LockColumn::Held,    LockColumn::Family,
                                LockColumn::Node,  LockColumn::Problem};
/// In the order in which columns get room; those of the second list only after whole keys and owners.
constexpr std::array firstColumns{LockColumn::State,   LockColumn::Key,  LockColumn::Ttl,  LockColumn::Owner,
                                  LockColumn::Waiters, LockColumn::Held, LockColumn::Holds};
constexpr std::array moreColumns{LockColumn::Node, LockColumn::Family, LockColumn::WaitsFor,
                                 LockColumn::Problem};

bool isShared(LockColumn column)
{
    return column == LockColumn::Key || column == LockColumn::Owner;
}

/// The filled share of a lock's bar; negative: none. A lock without expiry has a full one if that is its problem.
double barShare(const WatchedLock &lock, TimePoint now)
{
    const LockState state = stateOf(lock, now);
    if (state == LockState::Unreadable || (!lock.lock.deadline && state != LockState::NoExpiry))
        return -1;
    return lock.lock.deadline ? leaseLeft(lock, now) : 1;
}

} // namespace

int TopTable::row() const
{
    const QModelIndex pinned = m_model.pinned();
    return pinned.isValid() ? pinned.row() : std::clamp(m_row, 0, std::max(m_model.rowCount() - 1, 0));
}

void TopTable::choose(int row)
{
    m_row = std::clamp(row, 0, std::max(m_model.rowCount() - 1, 0));
    m_model.pin(m_model.rowCount() > 0 ? m_row : -1);
    m_hasMoved = true;
}

void TopTable::follow()
{
    if (m_model.pinned().isValid())
        m_row = m_model.pinned().row();
    else if (m_hasMoved)
        choose(m_row);
    const bool hadTags = !m_tagged.isEmpty();
    for (auto key = m_tagged.begin(); key != m_tagged.end();)
        key = m_model.find(*key) ? std::next(key) : m_tagged.erase(key);
    m_areTagsGone |= hadTags && m_tagged.isEmpty();
}

const WatchedLock *TopTable::chosen() const
{
    return m_model.rowCount() > 0 ? &m_model.at(row()) : nullptr;
}

bool TopTable::isChosenGone() const
{
    return m_model.rowCount() > 0 && m_model.isGone(row());
}

QList<WatchedLock> TopTable::toActOn() const
{
    QList<WatchedLock> locks;
    for (const LockKey &key : m_tagged) {
        if (const WatchedLock *lock = m_model.find(key))
            locks.append(*lock);
    }
    std::ranges::sort(locks, {}, &WatchedLock::key);
    if (locks.isEmpty() && !m_areTagsGone && chosen() && !isChosenGone())
        locks.append(*chosen());
    return locks;
}

QList<LockKey> TopTable::visible() const
{
    QList<LockKey> keys;
    if (const WatchedLock *lock = chosen())
        keys.append(lock->key());
    for (int row = m_top; row < std::min(m_top + m_height, m_model.rowCount()); ++row)
        keys.append(m_model.at(row).key());
    return keys;
}

bool TopTable::press(const Key &key)
{
    if (key.kind == Key::Up || key.is(u'k'))
        choose(row() - 1);
    else if (key.kind == Key::Down || key.is(u'j'))
        choose(row() + 1);
    else if (key.kind == Key::PageUp)
        choose(row() - m_height);
    else if (key.kind == Key::PageDown)
        choose(row() + m_height);
    else if (key.kind == Key::End)
        choose(m_model.rowCount() - 1);
    else if (key.is(u's'))
        sortByNext(1);
    else if (key.is(u'S'))
        sortByNext(-1);
    else if (key.is(u'r'))
        sortBy(m_sortedBy, m_order == Qt::AscendingOrder ? Qt::DescendingOrder : Qt::AscendingOrder);
    else if (key.kind == Key::Home) {
        m_model.pin(-1);
        m_hasMoved = false;
        m_row = 0;
    } else if (key.is(u't')) {
        const WatchedLock *lock = chosen();
        if (lock && !m_tagged.remove(lock->key()) && !isChosenGone())
            m_tagged.insert(lock->key());
        choose(row() + 1);
    } else {
        return false;
    }
    m_areTagsGone &= key.is(u's') || key.is(u'S') || key.is(u'r'); // which move no cursor
    return true;
}

void TopTable::sortBy(LockColumn column, Qt::SortOrder order)
{
    m_sortedBy = column;
    m_order = order;
    m_model.sort(static_cast<int>(column), order);
}

/// Sorts by the next or previous visible column.
void TopTable::sortByNext(int step)
{
    const auto at = std::ranges::find(m_places, m_sortedBy, &Place::column) - m_places.begin();
    const qsizetype count = std::max<qsizetype>(m_places.size(), 1);
    const LockColumn next = m_places.value((at % count + step + count) % count).column;
    sortBy(next, specOf(next).isMuchFirst ? Qt::DescendingOrder : Qt::AscendingOrder);
}

/// The least width of a column.
int TopTable::widthOf(LockColumn column) const
{
    const int needed = std::max(m_needed.at(size_t(column)), 1);
    switch (column) {
    case LockColumn::State:
        return std::min(needed, m_width < wideScreen ? 14 : 20);
    case LockColumn::Key:
        return std::min(needed, leastKey);
    case LockColumn::Owner:
        return std::min(needed, leastOwner);
    default:
        return std::min(needed, 30);
    }
}

/// Chooses columns and their widths; a blank stands between them.
void TopTable::layOut()
{
    std::array<int, std::tuple_size_v<decltype(m_needed)>> widths{};
    m_barWidth = m_width < wideScreen ? 0 : barWidth + 1;
    int left = m_width - markWidth + 1 - m_barWidth;
    const auto take = [&](LockColumn column) {
        const int wanted = widthOf(column);
        const bool fits = wanted < left;
        widths.at(size_t(column)) = fits ? wanted : 0;
        left -= fits ? wanted + 1 : 0;
    };
    for (const LockColumn column : firstColumns) {
        if (column != LockColumn::Holds || m_width >= wideScreen)
            take(column);
    }
    // Keys and owners share the rest by what they lack.
    const auto lack = [&](LockColumn column) {
        const int has = widths.at(size_t(column));
        return has == 0 ? 0 : std::max(std::min(m_needed.at(size_t(column)), maxShared) - has, 0);
    };
    const int lacking = lack(LockColumn::Key) + lack(LockColumn::Owner);
    const int shared = std::clamp(left, 0, lacking);
    const int more = lacking > 0 ? shared * lack(LockColumn::Key) / lacking : 0;
    widths.at(size_t(LockColumn::Owner)) += shared - more;
    widths.at(size_t(LockColumn::Key)) += more;
    left -= shared;
    for (const LockColumn column : moreColumns) {
        if (column != LockColumn::Node || m_clock.cluster().hasSeveral())
            take(column);
    }
    m_places.clear();
    for (const LockColumn column : shownOrder) {
        if (widths.at(size_t(column)) > 0)
            m_places.append({column, widths.at(size_t(column))});
    }
}

QString TopTable::titleOf(LockColumn column) const
{
    return m_model.headerData(static_cast<int>(column), Qt::Horizontal, Qt::DisplayRole).toString();
}

QString TopTable::cellText(int row, LockColumn column) const
{
    if (column == LockColumn::Waiters && m_width < wideScreen) // the state tells of dead ones
        return waiterCountText(m_model.at(row));
    const QString text = m_model.index(row, static_cast<int>(column)).data().toString();
    if (column == LockColumn::Owner && m_width < wideScreen &&
        !text.isEmpty()) { // which has no column of holds
        const QList<LockOwner> &owners = m_model.at(row).lock.owners;
        if (owners.size() == 1 && owners.first().holdCount.value_or(1) > 1)
            return text + QStringLiteral(" ×") + grouped(*owners.first().holdCount);
    }
    return text;
}

/// Lets columns grow with the texts in sight. Returns true if one has grown.
bool TopTable::measure()
{
    bool hasGrown = false;
    const auto grow = [&](LockColumn column, const QString &text) {
        int &needed = m_needed.at(size_t(column));
        const int cells = cellsOf(text);
        hasGrown |= cells > needed;
        needed = std::max(needed, cells);
    };
    for (const LockColumn column : shownOrder) // with the arrow of the order
        grow(column, titleOf(column) + (isShared(column) ? QString() : QStringLiteral(" ")));
    const int last = std::min(m_top + m_height, m_model.rowCount());
    for (int row = m_top; row < last; ++row) {
        for (const Place &place : std::as_const(m_places))
            grow(place.column, cellText(row, place.column));
    }
    return hasGrown;
}

void TopTable::paint(Screen &screen, int top, int rows)
{
    m_height = std::max(rows - 1, 1);
    if (std::exchange(m_width, screen.columns()) != screen.columns())
        m_needed.fill(0); // for another width other texts
    const int chosen = row();
    m_top = std::clamp(m_top, std::max(chosen - m_height + 1, 0), chosen);
    m_top = std::min(m_top, std::max(m_model.rowCount() - m_height, 0));
    // Columns that get room by others' growth are measured, too.
    for (int pass = 0; pass < 3 && (measure() || pass == 0); ++pass)
        layOut();
    paintTitles(screen, top);
    for (int at = 0; at < m_height && m_top + at < m_model.rowCount(); ++at)
        paintRow(screen, top + 1 + at, m_top + at);
}

void TopTable::paintTitles(Screen &screen, int top) const
{
    const Style style{.isBold = true, .isReversed = true};
    screen.write(top, 0, QString(m_width, u' '), style);
    int x = markWidth;
    for (const Place &place : m_places) {
        const int width = place.width + (place.column == LockColumn::Ttl ? m_barWidth : 0);
        QString title = titleOf(place.column);
        if (place.column == m_sortedBy)
            title += QChar(m_order == Qt::AscendingOrder ? 0x25b2 : 0x25bc);
        screen.write(top, x, filled(title, width, specOf(place.column).isNumber), style);
        x += width + 1;
    }
}

void TopTable::paintRow(Screen &screen, int at, int row) const
{
    const WatchedLock &lock = m_model.at(row);
    const DisplayTime time = m_model.timeAt(row, m_clock);
    const bool isPale = m_model.isGone(row) || time.isStopped();
    const Style base{.color = isPale ? std::optional(StatusColor::Muted) : std::nullopt,
                     .isReversed = row == this->row()};
    Style state = base;
    if (!isPale) {
        state.color = appearanceOf(lock, time.now()).color;
        state.isBold = state.color == StatusColor::Danger;
    }
    screen.write(at, 0, QString(m_width, u' '), base);
    if (m_tagged.contains(lock.key()))
        screen.write(at, 0, QStringLiteral("*"), base);
    int x = markWidth;
    const LockCell cell = m_model.cellOf(lock, time.now());
    for (const Place &place : m_places) {
        const LockColumnSpec &column = specOf(place.column);
        Style style = column.paint == CellPaint::State ? state : base;
        if (!isPale && column.isMuted && column.isMuted(cell))
            style.color = StatusColor::Muted;
        const bool isTtl = place.column == LockColumn::Ttl;
        const double share = isTtl && !m_model.isGone(row) ? barShare(lock, time.now()) : -1;
        if (isTtl && m_barWidth > 0 && share >= 0)
            screen.write(at, x, shareBar(share, barWidth), state);
        x += isTtl ? m_barWidth : 0;
        const QString text = cellText(row, place.column);
        const QString shown = column.paint == CellPaint::State ? fitted(text, place.width, true)
                                                               : filled(text, place.width, column.isNumber);
        screen.write(at, x, shown, style);
        if (const auto filledPart = static_cast<qsizetype>(share * place.width + 0.5);
            m_barWidth == 0 && filledPart > 0) // the figure upon its bar
            screen.write(at, x, shown.first(std::min(filledPart, shown.size())),
                         {.color = state.color, .isReversed = !base.isReversed});
        x += place.width + 1;
    }
}

} // namespace lockscope
