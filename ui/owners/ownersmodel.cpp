// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/owners/ownersmodel.h"

#include "core/base/printable.h"
#include "core/table/locktext.h"
#include "core/table/waittext.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/spokenrole.h"

#include <QFontMetrics>
#include <QGuiApplication>
#include <QIcon>
#include <QLocale>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype nameCodePoints = 160;
constexpr int rowPadding = 8;

QString countText(qint64 count)
{
    return count > 0 ? QLocale().toString(count) : QString();
}

QString behindText(const BlockedWaiters &behind)
{
    if (behind.count == 0)
        return {};
    return behind.isExact ? countText(behind.count) : QStringLiteral("≥ ") + countText(behind.count);
}

} // namespace

OwnersModel::OwnersModel(const OwnerIndex &index, const LockTableModel &locks, const DisplayClock &clock,
                         QObject *parent)
    : QAbstractItemModel(parent), m_index(index), m_locks(locks), m_clock(clock)
{
}

void OwnersModel::refresh()
{
    emit layoutAboutToBeChanged();
    const QModelIndexList kept = persistentIndexList();
    std::vector<std::pair<quintptr, std::optional<Child>>> was;
    was.reserve(size_t(kept.size()));
    for (const QModelIndex &index : kept) {
        const Child *child = childAt(index);
        was.emplace_back(child ? index.internalId() : m_rows[size_t(index.row())].number,
                         child ? std::optional(*child) : std::nullopt);
    }
    m_rows.clear();
    m_rowOf.clear();
    for (const OwnerIndex::Group *group : m_index.ranked(maxGroups)) {
        m_rowOf.insert(group->number, int(m_rows.size()));
        m_rows.push_back({group->whose, group->number, m_index.nameOf(*group), std::ssize(group->held),
                          std::ssize(group->waits), group->behind, group->worst, group->longest});
    }
    m_children.removeIf([this](const auto &opened) { return !m_rowOf.contains(opened.key()); });
    for (auto opened = m_children.begin(); opened != m_children.end(); ++opened)
        *opened = childrenOf(m_rows[size_t(m_rowOf[opened.key()])].whose);
    QModelIndexList moved;
    for (qsizetype i = 0; i < kept.size(); ++i) {
        const auto &[number, child] = was[size_t(i)];
        int row = -1;
        if (!child) {
            row = m_rowOf.value(number, -1);
        } else if (m_rowOf.contains(number)) {
            const auto &now = children(number);
            const auto at = std::ranges::find_if(now, [&sought = *child](const Child &each) {
                return each.key == sought.key && each.isWait == sought.isWait;
            });
            row = at == now.end() ? -1 : int(at - now.begin());
        }
        moved << (row < 0 ? QModelIndex() : createIndex(row, kept[i].column(), child ? number : quintptr(0)));
    }
    changePersistentIndexList(kept, moved);
    emit layoutChanged();
}

std::vector<OwnersModel::Child> OwnersModel::childrenOf(const OwnerGroup &whose) const
{
    std::vector<Child> list;
    const OwnerIndex::Group *group = m_index.find(whose);
    if (!group)
        return list;
    for (const LockKey &key : group->worstHeld(maxLocks))
        list.push_back({key, false});
    std::vector<LockKey> waits = group->waits;
    const auto end = waits.begin() + std::min<qsizetype>(2 * maxLocks - std::ssize(list), std::ssize(waits));
    std::ranges::partial_sort(waits, end, {}, &LockKey::bytes);
    for (auto key = waits.begin(); key != end; ++key)
        list.push_back({*key, true});
    return list;
}

const std::vector<OwnersModel::Child> &OwnersModel::children(quintptr number) const
{
    static const std::vector<Child> none;
    const auto opened = m_children.constFind(number);
    return opened == m_children.cend() ? none : *opened;
}

const OwnersModel::Child *OwnersModel::childAt(const QModelIndex &index) const
{
    if (!index.isValid() || index.internalId() == 0)
        return nullptr;
    const std::vector<Child> &list = children(index.internalId());
    return size_t(index.row()) < list.size() ? &list[size_t(index.row())] : nullptr;
}

const OwnerGroup *OwnersModel::groupAt(const QModelIndex &index) const
{
    const QModelIndex top = index.parent().isValid() ? index.parent() : index;
    return top.isValid() ? &m_rows[size_t(top.row())].whose : nullptr;
}

std::optional<LockKey> OwnersModel::lockAt(const QModelIndex &index) const
{
    const Child *child = childAt(index);
    return child ? std::optional(child->key) : std::nullopt;
}

QModelIndex OwnersModel::indexOf(const OwnerGroup &whose) const
{
    const auto row = std::ranges::find(m_rows, whose, &Row::whose);
    return row == m_rows.end() ? QModelIndex() : index(int(row - m_rows.begin()), 0);
}

QModelIndex OwnersModel::index(int row, int column, const QModelIndex &parent) const
{
    if (row < 0 || row >= rowCount(parent) || column < 0 || column >= columns)
        return {};
    return createIndex(row, column, parent.isValid() ? m_rows[size_t(parent.row())].number : quintptr(0));
}

QModelIndex OwnersModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || child.internalId() == 0)
        return {};
    const int row = m_rowOf.value(child.internalId(), -1);
    return row < 0 ? QModelIndex() : createIndex(row, 0, quintptr(0));
}

int OwnersModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return int(m_rows.size());
    if (parent.internalId() != 0 || parent.column() != 0)
        return 0;
    return int(children(m_rows[size_t(parent.row())].number).size());
}

int OwnersModel::columnCount(const QModelIndex &) const
{
    return columns;
}

bool OwnersModel::hasChildren(const QModelIndex &parent) const
{
    return !parent.isValid() ? !m_rows.empty() : parent.internalId() == 0 && parent.column() == 0;
}

bool OwnersModel::canFetchMore(const QModelIndex &parent) const
{
    return parent.isValid() && parent.internalId() == 0 &&
           !m_children.contains(m_rows[size_t(parent.row())].number);
}

void OwnersModel::fetchMore(const QModelIndex &parent)
{
    if (!canFetchMore(parent))
        return;
    const Row &row = m_rows[size_t(parent.row())];
    std::vector<Child> list = childrenOf(row.whose);
    if (list.empty()) {
        m_children.insert(row.number, {});
        return;
    }
    beginInsertRows(index(parent.row(), 0), 0, int(list.size()) - 1);
    m_children.insert(row.number, std::move(list));
    endInsertRows();
}

QVariant OwnersModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto column = Column(index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(column <= Column::State ? Qt::AlignLeft | Qt::AlignVCenter
                                                           : Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::AccessibleTextRole && column > Column::State)
        return spokenFigure(index);
    if (role == Qt::SizeHintRole && column == Column::Name)
        return QSize(0, QFontMetrics(QGuiApplication::font()).height() + rowPadding);
    if (role == Qt::ForegroundRole && m_isStale)
        return textColor(StatusColor::Muted, QGuiApplication::palette());
    if (const Child *child = childAt(index))
        return dataOf(*child, column, role);
    return index.internalId() == 0 ? dataOf(m_rows[size_t(index.row())], column, role) : QVariant();
}

QVariant OwnersModel::stateOf(const LockKey &key, int role, bool isOnlyProblem) const
{
    const WatchedLock *lock = m_locks.find(key);
    if (!lock)
        return {};
    const LockState state = lockscope::stateOf(*lock, m_clock.of(key).now());
    if (isOnlyProblem && !isProblem(state) && !lock->problems())
        return {};
    const StateAppearance appearance = appearanceOf(*lock, state);
    const QColor color =
        textColor(m_isStale ? StatusColor::Muted : appearance.color, QGuiApplication::palette());
    switch (role) {
    case Qt::DisplayRole:
        return appearance.word;
    case Qt::DecorationRole:
        return QIcon(glyphPixmap(appearance.glyph, 14, color, 2));
    case Qt::ForegroundRole:
        return color;
    case Qt::ToolTipRole:
        return plainToolTip(printable(key.bytes, nameCodePoints) + QStringLiteral(": ") + appearance.word);
    default:
        return {};
    }
}

QVariant OwnersModel::dataOf(const Row &row, Column column, int role) const
{
    if (column == Column::State)
        return stateOf(row.worst, role, true);
    if (role == Qt::ToolTipRole && column == Column::Name)
        return plainToolTip(row.whose.bytes.isEmpty() ? row.name : printable(row.whose.bytes));
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Name:
        return row.name;
    case Column::Held:
        return countText(row.held);
    case Column::WaitsFor:
        return countText(row.waits);
    case Column::Waiters:
        return behindText(row.behind);
    case Column::HeldFor:
        if (const WatchedLock *lock = m_locks.find(row.longest))
            return heldText(*lock, m_clock.of(row.longest).now());
        break;
    case Column::State:
        break;
    }
    return {};
}

QVariant OwnersModel::dataOf(const Child &child, Column column, int role) const
{
    const WatchedLock *lock = m_locks.find(child.key);
    if (column == Column::State && !child.isWait)
        return stateOf(child.key, role, false);
    if (role == Qt::ToolTipRole && column == Column::Name)
        return plainToolTip(printable(child.key.bytes));
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Name:
        return printable(child.key.bytes, nameCodePoints);
    case Column::State:
        return tr("waits in its queue");
    case Column::Held:
        return lock && !child.isWait ? holdsText(lock->lock) : QString();
    case Column::Waiters:
        return lock && !child.isWait ? blocksText(lock->lock, m_locks.waits()) : QString();
    case Column::HeldFor:
        return lock && !child.isWait ? heldText(*lock, m_clock.of(child.key).now()) : QString();
    case Column::WaitsFor:
        break;
    }
    return {};
}

QVariant OwnersModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(section <= int(Column::State) ? Qt::AlignLeft | Qt::AlignVCenter
                                                                 : Qt::AlignRight | Qt::AlignVCenter);
    const bool isTip = role == Qt::ToolTipRole;
    if (role != Qt::DisplayRole && !isTip)
        return {};
    // Each with its tool tip.
    static constexpr std::pair<const char *, const char *> titles[] = {
        {QT_TR_NOOP("Owner and its locks"), QT_TR_NOOP("Worst problems and most waiters first")},
        {QT_TR_NOOP("State"), QT_TR_NOOP("Worst state of the group's locks")},
        {QT_TR_NOOP("Held"), QT_TR_NOOP("Locks of the group; for a lock, its hold count")},
        {QT_TR_NOOP("Waits for"), QT_TR_NOOP("Queues in which the group waits")},
        {QT_TR_NOOP("Waiters"), QT_TR_NOOP("Waiters behind these locks, direct or indirect, each once")},
        {QT_TR_NOOP("Held for"), QT_TR_NOOP("Longest hold of the group")},
    };
    static_assert(std::size(titles) == columns);
    const auto &[title, tip] = titles[section];
    return tr(isTip ? tip : title);
}

} // namespace lockscope
