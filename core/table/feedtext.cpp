// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/feedtext.h"
#include "core/table/celltext.h"

#include "core/base/printable.h"
#include "core/table/locktext.h"
#include "core/words/messages.h"
#include "core/words/texts.h"

#include <QStringList>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype patternCodePoints = 40;

QString routeText(const FeedStatus::Route &route)
{
    const QString pattern = printable(route.pattern, patternCodePoints);
    switch (route.feed) {
    case FeedMode::Tracking:
        return Texts::tr("%1: the server pushes every change.").arg(pattern);
    case FeedMode::KeyedTracking:
        return Texts::tr("%1: the server pushes changes of known locks; scans find new ones.").arg(pattern);
    case FeedMode::Notifications:
        return Texts::tr("%1: changes come as keyspace notifications.").arg(pattern);
    case FeedMode::Polling:
        break;
    }
    return Texts::tr("%1: known locks are polled; scans find new ones.").arg(pattern);
}

/// True if the pattern has no literal prefix, which the server needs to push new keys.
bool beginsAnyhow(const FeedStatus::Route &route)
{
    return route.feed == FeedMode::KeyedTracking &&
           QByteArrayView("*?[").contains(route.pattern.isEmpty() ? '*' : route.pattern.front());
}

QString causeText(FeedGap gap)
{
    switch (gap) {
    case FeedGap::Flushed:
        return Texts::tr("The server reported that every key may have changed.");
    case FeedGap::ForeignPublish:
        return Texts::tr("Another client published to the server's own channel.");
    case FeedGap::Lost:
        return Texts::tr("The change feed's connection was lost.");
    case FeedGap::HeartbeatTimeout:
        return Texts::tr("The change feed stopped answering.");
    case FeedGap::RedirectBroken:
        break;
    }
    return Texts::tr("The server stopped pushing changes.");
}

QString incidentText(const FeedStatus::Incident &incident, TimePoint now)
{
    const auto age = std::chrono::duration_cast<milliseconds>(std::max(now, incident.at) - incident.at);
    return Texts::tr("%1 (%2 ago)", "a change feed's gap").arg(gapText(incident.what), countdown(age));
}

} // namespace

QString feedText(FeedMode feed)
{
    switch (feed) {
    case FeedMode::Tracking:
        return Texts::tr("change feed: tracking");
    case FeedMode::KeyedTracking:
        return Texts::tr("change feed: tracking by key");
    case FeedMode::Notifications:
        return Texts::tr("change feed: notifications");
    case FeedMode::Polling:
        break;
    }
    return Texts::tr("change feed: polling");
}

QString gapText(FeedGap gap)
{
    return Texts::tr("%1 All locks are read again.").arg(causeText(gap));
}

QString feedToolTip(const FeedStatus &status, const QString &serverName, TimePoint now)
{
    QStringList lines;
    for (const FeedStatus::Route &route : status.routes)
        lines << routeText(route);
    if (lines.isEmpty())
        lines << Texts::tr("Known locks are polled; scans find new ones.");
    if (std::ranges::any_of(status.routes, beginsAnyhow))
        lines << Texts::tr("New locks are pushed only for patterns with a literal prefix.");
    if (status.fallbackReason)
        lines << Texts::tr("A better mode is not available: %1")
                     .arg(describe(*status.fallbackReason, serverName));
    if (status.incident)
        lines << incidentText(*status.incident, now);
    for (QString &line : lines)
        line = plainToolTip(line);
    return lines.join(QStringLiteral("<br>"));
}

} // namespace lockscope
