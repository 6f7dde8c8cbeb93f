// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockexport.h"

#include "core/act/lockjson.h"
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/state/lockstate.h"
#include "core/words/texts.h"

#include <QLocale>

#include <array>

namespace lockscope {

namespace {

QVariant orUnknown(const std::optional<milliseconds> &time)
{
    return time ? QVariant(qint64(time->count())) : QVariant::fromValue(nullptr);
}

struct ExportedLock
{
    const LockExport &data;
    const WatchedLock &watched;
    TimePoint at;

    const Lock &lock() const { return watched.lock; }
    QList<LockOwner> owners() const { return isNoLock(lock()) ? QList<LockOwner>() : lock().owners; }
    const Waiters &waiters() const { return lock().companions->waiters; }
    QVariant ofWaiters(const QVariant &value) const
    {
        return waiters().certainty == WaiterCertainty::Unknown ? QVariant() : value;
    }
    bool mayBeRead() const { return !watched.problems().testFlag(Problem::Unreadable); }
    std::optional<milliseconds> ttl() const { return mayBeRead() ? ttlAt(lock(), at) : std::nullopt; }
    qint64 wallMs() const
    {
        return data.wallMs - std::chrono::duration_cast<milliseconds>(data.madeAt - at).count();
    }
    HeldTime held() const { return heldTime(watched, at, wallMs()); }
};

using Each = const ExportedLock &;

/// Fields marked false are for CSV alone: lockJson() has them in more detail.
constexpr auto exportedFields = std::to_array<ExportField<ExportedLock>>({
    {"key", [](Each each) -> QVariant { return each.lock().key().bytes; }, false},
    {"state", [](Each each) -> QVariant { return stateName(stateOf(each.watched, each.at)); }},
    {"family", [](Each each) -> QVariant { return familyName(each.lock().family); }, false},
    {"certainty", [](Each each) -> QVariant { return QByteArray(certaintyName(certaintyOf(each.lock()))); },
     false},
    {"owner", [](Each each) -> QVariant { return each.owners().value(0).owner.bytes; }, false},
    {"owners", [](Each each) -> QVariant { return each.owners().size(); }, false},
    {"holds",
     [](Each each) -> QVariant {
         const LockOwner first = each.owners().value(0);
         return first.holdCount ? QVariant(*first.holdCount) : first.rawHoldCount;
     },
     false},
    {"waiters", [](Each each) { return each.ofWaiters(each.waiters().count); }, false},
    {"waiters_certainty",
     [](Each each) {
         const bool isExact = each.waiters().certainty == WaiterCertainty::Exact;
         return each.ofWaiters(QByteArray(isExact ? "exact" : "at-least"));
     },
     false},
    {"expires",
     [](Each each) -> QVariant {
         const bool isKnown = each.mayBeRead() && each.lock().leaseOf != LeaseOf::Unknown;
         return QByteArray(each.ttl() ? "yes" : isKnown ? "no" : "unknown");
     },
     false},
    {"ttl_ms", [](Each each) { return orUnknown(each.ttl()); }, false},
    {"held_at_least_ms", [](Each each) { return orUnknown(each.held().atLeast); }},
    {"held_at_most_ms", [](Each each) { return orUnknown(each.held().atMost); }},
    {"problems",
     [](Each each) -> QVariant {
         QByteArrayList names;
         for (const Problem problem : problemList(each.watched.problems()))
             names.append(problemName(problem));
         return names.join(' ');
     },
     false},
    {"node",
     [](Each each) {
         const ClusterStatus &cluster = each.data.cluster;
         const NodeStatus *node = cluster.isCluster() ? cluster.nodeOf(each.lock().key()) : nullptr;
         return node && !node->name.isEmpty() ? QVariant(node->name) : QVariant();
     }},
    {"db", [](Each each) -> QVariant { return each.lock().address.database; }, false},
    {"lease_at_least_ms",
     [](Each each) {
         const milliseconds longest = each.watched.maxObservedTtl;
         const bool isKnown = longest > milliseconds(0) && !each.owners().isEmpty();
         return orUnknown(isKnown ? std::optional(longest) : std::nullopt);
     }},
});

/// Describes the lock as `lockscope-cli list --json` does, plus what was observed while watching.
QJsonObject detailsOf(const ExportedLock &each, const QStringList &members)
{
    return lockJson(each.watched, each.at, each.wallMs(), members);
}

} // namespace

void writeExport(const LockExport &data, ExportFormat format, const ExportSink &write)
{
    QStringList members;
    if (data.cluster.isGroup) {
        for (const NodeStatus &node : data.cluster.nodes)
            members.append(node.name);
    }
    const auto element = [&](qsizetype at) -> ExportElements::Element {
        const ExportedLock each{data, data.rows[at].lock, data.rows[at].at};
        return {valuesOf(exportedFields, each, format),
                format == ExportFormat::Json ? detailsOf(each, members) : QJsonObject()};
    };
    const QJsonObject head{{QStringLiteral("data_age_ms"), QJsonValue::fromVariant(orUnknown(data.age))},
                           {QStringLiteral("selection"), data.isSelection}};
    writeElements(data, head, {"locks", namesOf(exportedFields), data.rows.size(), element}, format, write);
}

FileExport fileExport(const LockExport &data)
{
    const auto locks = static_cast<int>(data.rows.size());
    return {Texts::tr("Export %n lock(s)", nullptr, locks),
            suggestedName(QStringLiteral("locks"), data.server, data.shownMs.value_or(data.wallMs)),
            Texts::tr("%1 lock(s) written to %2", nullptr, locks)
                .arg(QLocale().toString(locks), QStringLiteral("%1")),
            [data](ExportFormat format, const ExportSink &write) { writeExport(data, format, write); }};
}

} // namespace lockscope
