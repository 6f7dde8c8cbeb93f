// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/table/ownernames.h"
#include "core/table/waitindex.h"
#include "core/watch/clusterstatus.h"

#include <QFlags>
#include <QString>
#include <QStringList>

#include <span>

namespace lockscope {

enum class LockColumn : quint8 {
    State,
    Key,
    Family,
    Certainty,
    Owner,
    Holds,
    Waiters,
    Blocks,   ///< number of waiters behind the lock, also for other locks
    WaitsFor, ///< number of locks that its owners wait for
    Ttl,
    Held,
    Node,
    Problem
};

/// Input of a cell's text and rank. Refers to all of its values.
struct LockCell
{
    const WatchedLock &watched;
    TimePoint now; ///< time of this lock; when sorting, of all locks
    const ClusterStatus &cluster;
    const WaitIndex &waits = WaitIndex::none();
    const OwnerNames &names = OwnerNames::none();
    const Lock &lock = watched.lock;
};

/// A reason why a cell changes without a change of its lock.
enum class CellChange : quint8 {
    Severity = 0x01, ///< stalled, or held unusually long
    TimeLeft = 0x02, ///< also the state
    TimeHeld = 0x04,
    Waits = 0x08,   ///< changes behind other locks
    Cluster = 0x10, ///< node column of a cluster or group
};
Q_DECLARE_FLAGS(CellChanges, CellChange)

enum class CellPaint : quint8 { Text, Monospaced, Owner, State, Waiters, Ttl };

/// When a column is shown and how wide it is until the user sets the columns.
struct ColumnRoom
{
    static constexpr int always = 0;
    static constexpr int whenChosen = 255; ///< only by the user

    int turn = whenChosen;
    int characters = 0;      ///< minimum width; at least that of the title
    int spare = 0;           ///< shown only if keys and owners have so many more characters
    bool isShared = false;   ///< gets a part of the remaining width, where its texts are cut
    bool isDuration = false; ///< has room for all durations
};

/// The properties of a column; nullptr: not available.
struct LockColumnSpec
{
    LockColumn id;
    const char *name; ///< stable: stored in settings
    QString (*title)(const ClusterStatus &cluster);
    QString (*text)(const LockCell &cell);
    QString (*toolTip)(const LockCell &cell) = nullptr;
    /// Replaces the text for screen readers.
    QString (*spoken)(const LockCell &cell) = nullptr;
    /// Returns filter terms that match locks with the same cell; empty if the filter has no such term.
    QStringList (*terms)(const LockCell &cell) = nullptr;
    /// Sort rank of a lock. Uses moments, never the time left.
    quint64 (*rank)(const LockCell &cell) = nullptr;
    /// Secondary sort value, compared before the keys.
    QByteArrayView (*bytes)(const WatchedLock &lock) = nullptr;
    CellChanges changes = {};
    CellPaint paint = CellPaint::Text;
    bool (*isMuted)(const LockCell &cell) = nullptr;
    bool isNumber = false;       ///< right-aligned
    bool isMuchFirst = isNumber; ///< sorted descending on the first click
    ColumnRoom room;
};

/// Returns all columns, indexed by LockColumn.
std::span<const LockColumnSpec> lockColumns();
inline const LockColumnSpec &specOf(LockColumn column)
{
    return lockColumns()[static_cast<size_t>(column)];
}

struct CellTerm
{
    LockColumn column;
    QString term;
};
QList<CellTerm> cellTerms(const LockCell &cell);

} // namespace lockscope

Q_DECLARE_OPERATORS_FOR_FLAGS(lockscope::CellChanges)
