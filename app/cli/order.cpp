// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/order.h"

#include "app/cli/eventlines.h"
#include "app/cli/json.h"
#include "app/words.h"
#include "core/base/glob.h"
#include "core/base/printable.h"
#include "core/history/lockorder.h"
#include "core/recording/recordedhistory.h"
#include "core/recording/recording.h"
#include "core/words/durations.h"

#include <algorithm>

namespace lockscope {

namespace {

using Risk = OrderCycle::Risk;

constexpr EnumNames riskName{Named<Risk>{Risk::Deadlock, "deadlock"},
                             Named<Risk>{Risk::TooFewThreads, "too-few-threads"},
                             Named<Risk>{Risk::Gated, "gated"}};

QString titleOf(const OrderCycle &cycle)
{
    if (!cycle.isSure() && cycle.risk != Risk::Gated)
        return Words::tr("Perhaps contradicting; both locks were seen together for %1 only:")
            .arg(describe(milliseconds(cycle.togetherMs)));
    switch (cycle.risk) {
    case Risk::Deadlock:
        return Words::tr("Can deadlock:");
    case Risk::TooFewThreads:
        return Words::tr("Can deadlock if more threads do it:");
    case Risk::Gated:
        return cycle.gate.isEmpty() ? Words::tr("Harmless, within outer locks:")
                                    : Words::tr("Harmless, within %1:").arg(printable(cycle.gate.bytes, 60));
    }
    return {};
}

QString textOf(const NestedPair &order, const LockHistory &history)
{
    return Words::tr("%1 → %2, %n time(s); at %3 by %4", "outer and inner lock", plural(order.times))
        .arg(printable(order.outer.bytes, 60), printable(order.inner.bytes, 60),
             timeText(history.clock().wallAt(order.atMs)), ownerIdText(order.owner.bytes, 60));
}

QJsonObject toJson(const OrderCycle &cycle, const LockHistory &history)
{
    QJsonArray orders;
    for (const NestedPair &order : cycle.orders) {
        QJsonObject object{{QStringLiteral("times"), order.times},
                           {QStringLiteral("at"), history.clock().wallAt(order.atMs)}};
        insertBytes(object, QStringLiteral("outer"), order.outer.bytes);
        insertBytes(object, QStringLiteral("inner"), order.inner.bytes);
        insertBytes(object, QStringLiteral("owner"), order.owner.bytes);
        orders.append(object);
    }
    QJsonObject object{{QStringLiteral("risk"), QString::fromLatin1(riskName(cycle.risk))},
                       {QStringLiteral("sure"), cycle.isSure()},
                       {QStringLiteral("together_ms"), cycle.togetherMs},
                       {QStringLiteral("orders"), orders}};
    if (!cycle.gate.isEmpty())
        insertBytes(object, QStringLiteral("gate"), cycle.gate.bytes);
    return object;
}

} // namespace

ExitStatus printOrders(const Options &options, const Recording &recording, milliseconds from, milliseconds to)
{
    const LockHistory history = historyOf(recording, from, to);
    LockOrders found = lockOrdersIn(history, history.firstMs(), history.clock().now(recording.wallAt(to)));
    std::erase_if(found.cycles, [&options](const OrderCycle &cycle) {
        return !options.patterns.isEmpty() &&
               std::ranges::none_of(cycle.orders, [&](const NestedPair &order) {
                   return globMatchesAny(options.patterns, order.outer.bytes);
               });
    });
    if (options.json) {
        QJsonArray cycles;
        for (const OrderCycle &cycle : found.cycles)
            cycles.append(toJson(cycle, history));
        return deliver(jsonLine({{QStringLiteral("from"), recording.wallAt(from)},
                                 {QStringLiteral("until"), recording.wallAt(to)},
                                 {QStringLiteral("orders"), found.orders},
                                 {QStringLiteral("nameless"), found.nameless},
                                 {QStringLiteral("cycles"), cycles}}),
                       ExitStatus::Done);
    }
    QString text;
    for (const OrderCycle &cycle : found.cycles) {
        text += titleOf(cycle) + u'\n';
        for (const NestedPair &order : cycle.orders)
            text += QStringLiteral("  ") + textOf(order, history) + u'\n';
    }
    const auto risky = std::ranges::count_if(
        found.cycles, [](const OrderCycle &each) { return each.risk == Risk::Deadlock && each.isSure(); });
    text += Words::tr("Orders of two locks: %1; contradictions: %2, can deadlock: %3")
                .arg(grouped(found.orders), grouped(std::ssize(found.cycles)), grouped(risky)) +
            u'\n';
    if (found.nameless > 0)
        text += Words::tr("Owners of %n lock(s) name no thread: their orders are unknown.", nullptr,
                          plural(found.nameless)) +
                u'\n';
    return deliver(text.toUtf8(), ExitStatus::Done);
}

} // namespace lockscope
