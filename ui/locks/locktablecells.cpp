// SPDX-License-Identifier: GPL-3.0-or-later
// What the cells and the headers of a LockTableModel say.
#include "ui/locks/locktablemodel.h"

#include "core/base/printable.h"
#include "core/family/registry.h"
#include "core/state/lockstate.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"
#include "ui/locks/locktext.h"
#include "ui/locks/waittext.h"
#include "ui/widgets/plaintext.h"

namespace lockscope {

QVariant LockTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const WatchedLock &lock = at(index.row());
    if (role == KeyRole)
        return lock.key().bytes;
    const auto column = static_cast<Column>(index.column());
    const TimePoint now = m_clock.of(lock.key()).now();
    if (role == Qt::ToolTipRole) {
        if (column == Column::Key)
            return plainToolTip(printable(lock.key().bytes));
        if (column == Column::Owner && !lock.lock.owners.isEmpty())
            return plainToolTip(ownerToolTip(lock.lock, m_names));
        if (column == Column::State || column == Column::Problem)
            return plainToolTip(problemSentences(lock, now));
        if (column == Column::Family)
            return plainToolTip(describe(lock.lock.family));
        if (column == Column::Node)
            return plainToolTip(nodeToolTip(lock.lock, m_clock.cluster()));
        if (column == Column::Waiters)
            return plainToolTip(waitersSentence(lock.lock));
        if (column == Column::Blocks)
            return plainToolTip(blocksSentence(lock.lock, m_waits));
        if (column == Column::WaitsFor)
            return plainToolTip(waitsOfOwner(lock.lock, m_waits, m_names));
        if (column == Column::Holds && mayCountInClient(lock.lock) && !lock.lock.owners.isEmpty())
            return plainToolTip(holdsInWords(lock.lock, lock.lock.owners.first()));
        return {};
    }
    if (role == Qt::AccessibleTextRole && column == Column::State)
        return stateInWords(lock, now);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::State:
        return appearanceOf(lock, stateOf(lock, now)).word;
    case Column::Key:
        return printable(lock.key().bytes);
    case Column::Family:
        return QString::fromLatin1(familyName(lock.lock.family));
    case Column::Owner:
        return ownerText(lock.lock, m_names);
    case Column::Holds:
        return holdsText(lock.lock);
    case Column::Waiters:
        return waitersText(lock);
    case Column::Blocks:
        return blocksText(lock.lock, m_waits);
    case Column::WaitsFor:
        return waitsForText(lock.lock, m_waits);
    case Column::Ttl:
        return ttlText(lock, now);
    case Column::Held:
        return heldText(lock, now);
    case Column::Node:
        return nodeText(lock);
    case Column::Problem:
        return problemsText(lock, now);
    }
    return {};
}

QVariant LockTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    const auto column = static_cast<Column>(section);
    const bool number = column == Column::Holds || column == Column::Waiters || column == Column::Blocks ||
                        column == Column::WaitsFor || column == Column::Ttl || column == Column::Held;
    // What there is much of is sought first.
    if (role == Qt::InitialSortOrderRole)
        return number || column == Column::Problem ? Qt::DescendingOrder : Qt::AscendingOrder;
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue<Qt::Alignment>((number ? Qt::AlignRight : Qt::AlignLeft) |
                                                  Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole && column == Column::Blocks)
        return plainToolTip(tr("Waiters behind this lock: in its queue, and behind locks that these hold."));
    if (role == Qt::ToolTipRole && column == Column::WaitsFor)
        return plainToolTip(tr("Locks that the owner of this lock waits for."));
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::State:
        return tr("State");
    case Column::Key:
        return tr("Key");
    case Column::Family:
        return tr("Family");
    case Column::Owner:
        return tr("Owner");
    case Column::Holds:
        return tr("Holds");
    case Column::Waiters:
        return tr("Waiters");
    case Column::Blocks:
        return tr("Blocks", "column: number of waiters behind a lock");
    case Column::WaitsFor:
        return tr("Waits for", "column: number of locks that an owner waits for");
    case Column::Ttl:
        return tr("Time left");
    case Column::Held:
        return tr("Held for");
    case Column::Node:
        return m_clock.cluster().isGroup ? tr("Servers") : tr("Node");
    case Column::Problem:
        return tr("Problems");
    }
    return {};
}

} // namespace lockscope
