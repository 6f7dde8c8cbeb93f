// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/watch/clusterstatus.h"
#include "ui/locks/ownernames.h"
#include "ui/locks/waitindex.h"

#include <QFlags>
#include <QString>
#include <QStringList>

#include <span>

namespace lockscope {

/// What is shown of a lock, from left to right.
enum class LockColumn : quint8 {
    State,
    Key,
    Family,
    Certainty, ///< of the family
    Owner,
    Holds,
    Waiters,
    Blocks,   ///< those that wait behind it, for other locks too
    WaitsFor, ///< the locks in whose queues its owner stands
    Ttl,
    Held,
    Node,
    Problem
};

/// What a cell says, and where its lock stands, is made of this. Refers to all of it.
struct LockCell
{
    const WatchedLock &watched;
    TimePoint now; ///< of this lock; where locks are put in order: of all
    const ClusterStatus &cluster;
    const WaitIndex &waits = WaitIndex::none();
    const OwnerNames &names = OwnerNames::none();
    const Lock &lock = watched.lock;
};

/// What changes a cell without news of its lock.
enum class CellChange : quint8 {
    Damage = 0x01,   ///< it is stalled, or held unusually long
    TimeLeft = 0x02, ///< or its state
    TimeHeld = 0x04,
    Waits = 0x08,   ///< of others
    Cluster = 0x10, ///< only a deployment of several servers has the column
};
Q_DECLARE_FLAGS(CellChanges, CellChange)

/// How a cell is painted.
enum class CellPaint : quint8 { Text, Monospaced, State, Waiters, Ttl, Problem };

/// What a column gets until the user sets the columns: in turns, as far as there is room. What has none, the inspector tells; and
/// the state says the first problem.
struct ColumnRoom
{
    static constexpr int always = 0;
    static constexpr int whenChosen = 255; ///< by the user

    int turn = whenChosen;
    int characters = 0;  ///< at least, and as its title needs
    int share = 0;       ///< of what is left when each has as much
    bool isLess = false; ///< only where keys have more than they need
};

/// All that is known of a column. What is nullptr, it has not.
struct LockColumnSpec
{
    LockColumn id;
    const char *name; ///< in settings, which are read by later versions
    QString (*title)(const ClusterStatus &cluster);
    QString (*titleToolTip)() = nullptr;
    QString (*text)(const LockCell &cell);
    QString (*toolTip)(const LockCell &cell) = nullptr;
    /// In place of the text, to those who do not see the row.
    QString (*spoken)(const LockCell &cell) = nullptr;
    /// Terms of the filter that match the locks of which a cell says the same. None where the filter has no words for it.
    QStringList (*terms)(const LockCell &cell) = nullptr;
    /// Sorts locks, the part that fits a number. By moments, never by what is left of them.
    quint64 (*rank)(const LockCell &cell) = nullptr;
    /// Sort locks of the same rank, before their keys do.
    QByteArrayView (*bytes)(const WatchedLock &lock) = nullptr;
    CellChanges changes = {};
    CellPaint paint = CellPaint::Text;
    /// A text of less importance.
    bool (*isMuted)(const LockCell &cell) = nullptr;
    bool isNumber = false;       ///< stands on the right
    bool isMuchFirst = isNumber; ///< at the first click: what there is much of is sought
    ColumnRoom room;
};

/// From left to right, each at the place of its id.
std::span<const LockColumnSpec> lockColumns();
inline const LockColumnSpec &specOf(LockColumn column)
{
    return lockColumns()[static_cast<size_t>(column)];
}

/// What a cell says, as a term of the filter.
struct CellTerm
{
    LockColumn column;
    QString term;
};
/// Of each cell of a row, in the order of the columns.
QList<CellTerm> cellTerms(const LockCell &cell);

} // namespace lockscope

Q_DECLARE_OPERATORS_FOR_FLAGS(lockscope::CellChanges)
