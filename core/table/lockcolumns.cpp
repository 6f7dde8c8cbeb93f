// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/lockcolumns.h"

#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/state/filterword.h"
#include "core/state/lockstate.h"
#include "core/state/severity.h"
#include "core/table/locktext.h"
#include "core/table/waittext.h"
#include "core/words/familymessages.h"
#include "core/words/texts.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

/// Converts a moment to an unsigned number that keeps the order.
quint64 ordered(TimePoint at)
{
    return static_cast<quint64>(at.time_since_epoch().count()) ^ (quint64(1) << 63);
}

/// Ranks "at least three" above three.
quint64 rankOf(qint64 count, bool isExact)
{
    return 1 + 2 * static_cast<quint64>(std::max<qint64>(count, 0)) + (!isExact && count > 0 ? 1 : 0);
}

quint64 rankOf(const Waiters &waiters)
{
    const bool isExact = waiters.certainty == WaiterCertainty::Exact;
    return waiters.certainty == WaiterCertainty::Unknown ? 0 : rankOf(waiters.count, isExact);
}

QStringList term(const char *field, const QByteArray &name)
{
    return {QLatin1String(field) + u':' + QString::fromLatin1(name)};
}

QStringList exactTerm(const char *field, QByteArrayView bytes)
{
    const auto word = bytes.isEmpty() ? std::nullopt : exactWord(field, bytes);
    return word ? QStringList(*word) : QStringList();
}

QString certaintyWord(const Lock &lock)
{
    if (lock.family.isUnknown())
        return Texts::tr("unknown");
    switch (certaintyOf(lock)) {
    case Certainty::Certain:
        return Texts::tr("certain", "family");
    case Certainty::Likely:
        return Texts::tr("likely", "family");
    case Certainty::Ambiguous:
        return Texts::tr("ambiguous", "family");
    }
    return {};
}

using Cell = const LockCell &;
using Cluster = const ClusterStatus &;

constexpr auto columnTable = std::to_array<LockColumnSpec>({
    {
        .id = LockColumn::State,
        .name = "state",
        .title = [](Cluster) { return Texts::tr("State"); },
        .text = [](Cell cell) { return appearanceOf(cell.watched, cell.now).text(); },
        .toolTip = [](Cell cell) { return problemSentences(cell.watched, cell.now); },
        .spoken = [](Cell cell) { return stateInWords(cell.watched, cell.now); },
        .terms = [](Cell cell) { return term("state", stateName(stateOf(cell.watched, cell.now))); },
        .rank = [](Cell cell) { return severityRank(cell.watched, cell.now); },
        .changes = CellChange::Severity,
        .paint = CellPaint::State,
        .room = {.turn = ColumnRoom::always, .characters = 20},
    },
    {
        .id = LockColumn::Key,
        .name = "key",
        .title = [](Cluster) { return Texts::tr("Key"); },
        .text = [](Cell cell) { return printable(cell.watched.key().bytes); },
        .toolTip = [](Cell cell) { return printable(cell.watched.key().bytes); },
        .terms = [](Cell cell) { return exactTerm("key", cell.watched.key().bytes); },
        .bytes = [](const WatchedLock &lock) { return QByteArrayView(lock.key().bytes); },
        .paint = CellPaint::Monospaced,
        .room = {.turn = ColumnRoom::always, .characters = 20, .isShared = true},
    },
    {
        .id = LockColumn::Family,
        .name = "family",
        .title = [](Cluster) { return Texts::tr("Family"); },
        .text = [](Cell cell) { return QString::fromLatin1(familyName(cell.lock.family)); },
        .toolTip = [](Cell cell) { return describe(cell.lock.family); },
        .terms = [](Cell cell) { return term("family", familyName(cell.lock.family)); },
        .rank = [](Cell cell) { return quint64(cell.lock.family.index()); },
        .isMuted = [](Cell) { return true; },
        .room = {.turn = 7, .characters = 13, .spare = 8, .isShared = true},
    },
    {
        .id = LockColumn::Certainty,
        .name = "certainty",
        .title = [](Cluster) { return Texts::tr("Certainty"); },
        .text = [](Cell cell) { return certaintyWord(cell.lock); },
        .toolTip = [](Cell cell) { return certaintyInWords(cell.lock); },
        .rank = [](Cell cell) { return quint64(certaintyOf(cell.lock)); },
        .isMuted = [](Cell) { return true; },
        .room = {},
    },
    {
        .id = LockColumn::Owner,
        .name = "owner",
        .title = [](Cluster) { return Texts::tr("Owner"); },
        .text = [](Cell cell) { return ownerText(cell.lock, cell.names); },
        .toolTip = [](Cell cell) { return ownerToolTip(cell.lock, cell.names); },
        .terms =
            [](Cell cell) {
                const QByteArray owner = cell.lock.owners.value(0).owner.bytes;
                return exactTerm("owner", specOf(cell.lock.family).ownersAreBytes ? owner.toHex() : owner);
            },
        .bytes =
            [](const WatchedLock &lock) {
                const QList<LockOwner> &owners = lock.lock.owners;
                return owners.isEmpty() ? QByteArrayView() : QByteArrayView(owners.first().owner.bytes);
            },
        .paint = CellPaint::Owner,
        .room = {.turn = 3, .characters = 21, .isShared = true},
    },
    {
        .id = LockColumn::Holds,
        .name = "holds",
        .title = [](Cluster) { return Texts::tr("Holds"); },
        .text = [](Cell cell) { return holdsText(cell.lock); },
        .toolTip =
            [](Cell cell) {
                const bool isTold = mayCountInClient(cell.lock) && !cell.lock.owners.isEmpty();
                return isTold ? holdsInWords(cell.lock, cell.lock.owners.first()) : QString();
            },
        .rank =
            [](Cell cell) {
                const QList<LockOwner> &owners = cell.lock.owners;
                return quint64(owners.isEmpty() ? 0 : owners.first().holdCount.value_or(0));
            },
        .isNumber = true,
        .room = {.turn = 5},
    },
    {
        .id = LockColumn::Waiters,
        .name = "waiters",
        .title = [](Cluster) { return Texts::tr("Waiters"); },
        .text = [](Cell cell) { return waitersText(cell.watched); },
        .toolTip = [](Cell cell) { return waitersSentence(cell.lock); },
        .terms =
            [](Cell cell) {
                const Waiters &waiters = cell.lock.companions->waiters;
                const QStringList known{QStringLiteral("waiters=%1").arg(waiters.count)};
                return waiters.certainty == WaiterCertainty::Unknown ? QStringList() : known;
            },
        .rank = [](Cell cell) { return rankOf(cell.lock.companions->waiters); },
        .paint = CellPaint::Waiters,
        .isNumber = true,
        .room = {.turn = 2},
    },
    {
        .id = LockColumn::Blocks,
        .name = "blocks",
        .title = [](Cluster) { return Texts::tr("Blocks", "column: number of waiters behind a lock"); },
        .text = [](Cell cell) { return blocksText(cell.lock, cell.waits); },
        .toolTip = [](Cell cell) { return blocksSentence(cell.lock, cell.waits); },
        .rank =
            [](Cell cell) {
                const quint64 own = rankOf(cell.lock.companions->waiters);
                if (own <= rankOf(0, true)) // not known to be waited for
                    return own;
                const BlockedWaiters blocked = cell.waits.blockedBy(cell.lock);
                return rankOf(blocked.count, blocked.isExact);
            },
        .changes = CellChange::Waits,
        .isMuted = [](Cell cell) { return cell.lock.companions->waiters.count <= 0; },
        .isNumber = true,
        .room = {}, // mostly the same as the waiters
    },
    {
        .id = LockColumn::WaitsFor,
        .name = "waits-for",
        .title =
            [](Cluster) { return Texts::tr("Waits for", "column: number of locks that an owner waits for"); },
        .text = [](Cell cell) { return waitsForText(cell.lock, cell.waits); },
        .toolTip = [](Cell cell) { return waitsOfOwner(cell.lock, cell.waits, cell.names); },
        .rank = [](Cell cell) { return quint64(cell.waits.waitsFor(cell.lock)); },
        .changes = CellChange::Waits,
        .isNumber = true,
        .room = {.turn = 8, .spare = 60}, // mostly empty
    },
    {
        .id = LockColumn::Ttl,
        .name = "time-left",
        .title = [](Cluster) { return Texts::tr("Time left"); },
        .text = [](Cell cell) { return ttlText(cell.watched, cell.now); },
        .rank =
            [](Cell cell) { return cell.lock.deadline ? ordered(cell.lock.deadline->latest) : ~quint64(0); },
        .changes = CellChange::TimeLeft,
        .paint = CellPaint::Ttl,
        .isNumber = true,
        .room = {.turn = 1, .isDuration = true},
    },
    {
        .id = LockColumn::Held,
        .name = "held-for",
        .title = [](Cluster) { return Texts::tr("Held for"); },
        .text = [](Cell cell) { return heldText(cell.watched, cell.now); },
        .rank = [](Cell cell) { return ~ordered(cell.watched.heldSince); },
        .changes = CellChange::TimeHeld,
        .isNumber = true,
        .room = {.turn = 4, .isDuration = true},
    },
    {
        .id = LockColumn::Node,
        .name = "node",
        .title = [](Cluster all) { return all.isGroup ? Texts::tr("Servers") : Texts::tr("Node"); },
        .text = [](Cell cell) { return nodeText(cell.lock, cell.cluster); },
        .toolTip = [](Cell cell) { return nodeToolTip(cell.lock, cell.cluster); },
        .terms =
            [](Cell cell) {
                const NodeStatus *node =
                    cell.cluster.isCluster() ? cell.cluster.nodeOf(cell.watched.key()) : nullptr;
                return node ? exactTerm("node", node->name.toUtf8()) : QStringList();
            },
        .rank =
            [](Cell cell) { // nodes stand in the order of their addresses
                if (cell.lock.quorum || !cell.cluster.keepers)
                    return quint64(cell.lock.quorum ? cell.lock.quorum->agreeing : 0);
                return quint64((*cell.cluster.keepers)[size_t(slotOf(cell.watched.key().bytes))] + 1);
            },
        .changes = CellChange::Cluster,
        .paint = CellPaint::Monospaced,
        .isMuted = [](Cell) { return true; },
        .room = {.turn = 6}, // its characters are those of the nodes
    },
    {
        .id = LockColumn::Problem,
        .name = "problems",
        .title = [](Cluster) { return Texts::tr("Problems"); },
        .text = [](Cell cell) { return problemsText(cell.watched, cell.now); },
        .toolTip = [](Cell cell) { return problemSentences(cell.watched, cell.now); },
        .terms =
            [](Cell cell) {
                QStringList terms;
                if (stateOf(cell.watched, cell.now) == LockState::Stalled)
                    terms += term("problem", "stalled");
                if (isUnusuallyLong(cell.watched, cell.now))
                    terms += term("problem", "unusual");
                for (const Problem problem : problemList(cell.watched.problems()))
                    terms += term("problem", problemName(problem));
                return terms;
            },
        .rank =
            [](Cell cell) {
                return quint64(cell.watched.problems().toInt()) * 4 +
                       (cell.now > stalledAfter(cell.watched) ? 2 : 0) +
                       (isUnusuallyLong(cell.watched, cell.now) ? 1 : 0);
            },
        .changes = CellChange::Severity,
        .isMuchFirst = true,
        .room = {.characters = 19}, // the state tells the worst one
    },
});

static_assert([at = size_t(0)]() mutable {
    return std::ranges::all_of(columnTable, [&](const auto &each) { return size_t(each.id) == at++; });
}());

} // namespace

std::span<const LockColumnSpec> lockColumns()
{
    return columnTable;
}

QList<CellTerm> cellTerms(const LockCell &cell)
{
    QList<CellTerm> terms;
    for (const LockColumnSpec &column : columnTable) {
        for (const QString &term : column.terms ? column.terms(cell) : QStringList())
            terms.append({column.id, term});
    }
    return terms;
}

} // namespace lockscope
