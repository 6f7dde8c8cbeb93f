// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/bannerchoice.h"

#include "core/model/quorum.h"
#include "core/monitor/scanguard.h"
#include "core/table/locktext.h"
#include "core/table/permissiontext.h"
#include "core/table/resettext.h"
#include "core/words/messages.h"
#include "core/words/permissionmessages.h"
#include "core/words/recordingmessages.h"
#include "core/words/servermessages.h"
#include "core/words/texts.h"

#include <algorithm>

namespace lockscope {

namespace {

/// Skips errors of missing permissions, which have their own banner.
const Error *troubleOf(const MonitorState &watched)
{
    const auto &trouble = watched.trouble();
    return trouble && trouble->kind != ErrorKind::NoPermission ? &*trouble : nullptr;
}

/// Warns that servers of a Redlock group are missing, and what is unknown without them.
BannerChoice missingMembers(qsizetype all, qsizetype missing, const QString &why)
{
    const bool isMajority = all - missing >= Quorum::majorityOf(static_cast<int>(all));
    const QString title =
        Texts::tr("%n server(s) of the Redlock group are not available", nullptr, static_cast<int>(missing));
    const QString effect =
        isMajority ? Texts::tr("locks are known only from the others") : Texts::tr("no lock can be acquired");
    return {isMajority ? StatusColor::Warning : StatusColor::Danger, Texts::tr("%1: %2").arg(title, effect),
            why, BannerStep::RetryNow};
}

std::optional<BannerChoice> missingNodes(const BannerFacts &facts)
{
    const ClusterStatus &cluster = facts.watched.cluster();
    const QList<NodeStatus> missing = cluster.hasSeveral() ? cluster.missing() : QList<NodeStatus>();
    if (missing.isEmpty())
        return std::nullopt;
    QStringList detail;
    for (const NodeStatus &node : missing.first(std::min<qsizetype>(missing.size(), 3))) {
        if (node.error != Error())
            detail.append(whyMissing(node, facts.serverName));
    }
    if (const Error *trouble = troubleOf(facts.watched))
        detail.append(describe(*trouble, facts.serverName));
    detail.removeDuplicates();
    if (cluster.isGroup)
        return missingMembers(cluster.nodes.size(), missing.size(), detail.join(u' '));
    const auto count = static_cast<int>(missing.size());
    const bool wereRead =
        std::ranges::any_of(missing, [](const NodeStatus &node) { return node.confirmedAt.has_value(); });
    const QString title = count > 1 ? Texts::tr("%n node(s) of the cluster are not available", nullptr, count)
                                    : Texts::tr("%1 is not available").arg(missing.first().name);
    const QString effect =
        wereRead ? Texts::tr("gray rows are as last read") : Texts::tr("its locks are not shown", "of nodes");
    return BannerChoice{StatusColor::Danger, Texts::tr("%1: %2").arg(title, effect), detail.join(u' '),
                        BannerStep::RetryNow};
}

/// Warns if a replica may lack data of its primary; nullopt if it is up to date as far as known.
std::optional<BannerChoice> replication(const BannerFacts &facts)
{
    const ClusterStatus &cluster = facts.watched.cluster();
    if (cluster.hasSeveral() || cluster.nodes.isEmpty())
        return std::nullopt;
    const NodeStatus &node = cluster.nodes.first();
    const Error *trouble = troubleOf(facts.watched);
    if (node.replicaOf && (!node.replicaOf->isUp || node.replicaOf->isSyncing))
        return BannerChoice{StatusColor::Warning, replicaWarning(*node.replicaOf),
                            trouble ? describe(*trouble, facts.serverName) : QString()};
    if (cluster.sentinels && cluster.sentinels->known > 0 && cluster.sentinels->answering == 0)
        return BannerChoice{StatusColor::Warning, Texts::tr("No Sentinel answers"),
                            Texts::tr("%1 is still connected; a failover is noticed late.").arg(node.name)};
    return std::nullopt;
}

BannerChoice deadlock(const BannerFacts &facts)
{
    // Of several the first is told, the rest are in the panel.
    const QString words = facts.cycle.join(Texts::tr("; ", "between two who wait for each other"));
    return {StatusColor::Danger,
            Texts::tr("%n deadlock(s): these owners wait for each other", nullptr,
                      static_cast<int>(facts.deadlocks)),
            Texts::tr("%1.", "a sentence of its words").arg(words),
            facts.areWaitsInSight ? BannerStep::None : BannerStep::ShowWaits};
}

std::optional<BannerChoice> chooseConnected(const BannerFacts &facts)
{
    const MonitorState &watched = facts.watched;
    if (auto missing = missingNodes(facts))
        return missing;
    if (auto behind = replication(facts))
        return behind;
    if (const Error *trouble = troubleOf(watched))
        return BannerChoice{StatusColor::Warning, describe(*trouble, facts.serverName),
                            isIncomplete(trouble->kind)
                                ? Texts::tr("Still connected; scans again within a minute, or now with F5.")
                                : Texts::tr("Still connected; retrying.")};
    if (facts.deadlocks > 0)
        return deadlock(facts);
    const ServerInfo &server = watched.status().server;
    if (!watched.resets().isEmpty())
        return BannerChoice{StatusColor::Warning, resetText(watched.resets().largest(), server),
                            resetDetail(watched.resets()), BannerStep::DismissResets};
    const PermissionStatus &permissions = watched.permissions();
    if (!hidesLocks(permissions))
        return std::nullopt;
    const bool isGrantKnown = !grantRule(permissions, facts.user, server.major).isEmpty();
    return BannerChoice{StatusColor::Warning, permissionTitle(permissions),
                        permissionDetail(permissions, facts.user, server.major),
                        isGrantKnown ? BannerStep::CopyGrant : BannerStep::None};
}

QString nextTry(const BannerFacts &facts)
{
    QString text;
    if (const auto at = facts.watched.status().nextTryAt) {
        const auto left = std::chrono::ceil<std::chrono::seconds>(*at - facts.now).count();
        text += u' ' + (left > 0 ? Texts::tr("Next attempt in %n s.", nullptr, static_cast<int>(left))
                                 : Texts::tr("Connecting now."));
    }
    const auto &sentinels = facts.watched.cluster().sentinels;
    if (sentinels && sentinels->isFailingOver)
        text += u' ' + Texts::tr("A failover is under way.");
    return text;
}

} // namespace

std::optional<BannerChoice> chooseBanner(const BannerFacts &facts)
{
    using State = Link::State;
    const ConnectionStatus &status = facts.watched.status();
    const QString age = facts.age ? Texts::tr("The data shown is %1 old.").arg(countdown(*facts.age))
                                  : Texts::tr("Nothing has been read yet.");
    switch (status.state) {
    case State::Ready:
        return chooseConnected(facts);
    case State::Connecting:
        return BannerChoice{StatusColor::Warning, Texts::tr("Connecting to %1 again…").arg(facts.serverName),
                            age};
    case State::Backoff:
        return BannerChoice{StatusColor::Danger, describe(status.error, facts.serverName),
                            age + nextTry(facts), BannerStep::RetryNow};
    case State::Refused:
        return BannerChoice{StatusColor::Danger, describe(status.error, facts.serverName), age,
                            BannerStep::EditConnection};
    case State::Closed:
        break;
    }
    return std::nullopt;
}

std::optional<BannerChoice> chooseReplayBanner(const BannerFacts &facts, const ReplayFacts &replay)
{
    if (replay.isHalfTold)
        return BannerChoice{StatusColor::Warning, Texts::tr("This moment is being read"),
                            Texts::tr("Gray rows may be outdated until all is read.")};
    if (replay.lack != GapCause::None)
        return BannerChoice{StatusColor::Warning, Texts::tr("Not all locks are known at this moment"),
                            Texts::tr("%1. Gray rows are as last known.", "why a recording lacks something")
                                .arg(lackText(replay.lack)),
                            replay.isEverKnown ? BannerStep::GoToKnown : BannerStep::None};
    if (facts.deadlocks > 0)
        return deadlock(facts);
    if (hidesLocks(facts.watched.permissions()))
        return BannerChoice{StatusColor::Warning, permissionTitle(facts.watched.permissions()), {}};
    return std::nullopt;
}

QString stepText(BannerStep step)
{
    switch (step) {
    case BannerStep::RetryNow:
        return Texts::tr("Retry now");
    case BannerStep::EditConnection:
        return Texts::tr("Edit connection…");
    case BannerStep::ShowWaits:
        return Texts::tr("Show lock waits");
    case BannerStep::DismissResets:
        return Texts::tr("Dismiss");
    case BannerStep::CopyGrant:
        return Texts::tr("Copy ACL rule");
    case BannerStep::GoToKnown:
        return Texts::tr("Go to the next known moment");
    case BannerStep::None:
        break;
    }
    return {};
}

QString lackText(GapCause lack)
{
    QString text = describe(lack);
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace lockscope
