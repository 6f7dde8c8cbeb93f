// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/eventlines.h"

#include "app/cli/json.h"
#include "app/cli/sweep.h"
#include "app/words.h"
#include "core/base/enumnames.h"
#include "core/base/printable.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/words/messages.h"
#include "core/words/textlayout.h"

#include <QDateTime>

namespace lockscope {

namespace {

// Columns of a stream can't know what is still to come: wide enough for most, and a longer cell pushes its own line only.
constexpr int eventWidth = 13;
constexpr int keyWidth = 28;
constexpr int ownerWidth = 40;
constexpr int holdsWidth = 5;
constexpr qsizetype patternCodePoints = 40;

QString routeName(FeedMode feed)
{
    static constexpr EnumNames names{Named<FeedMode>{FeedMode::Tracking, "tracking"},
                                     Named<FeedMode>{FeedMode::KeyedTracking, "tracking-by-key"},
                                     Named<FeedMode>{FeedMode::Notifications, "notifications"},
                                     Named<FeedMode>{FeedMode::Polling, "polling"}};
    return QString::fromLatin1(names(feed));
}

/// True if new keys are not pushed, only changes of known locks or nothing.
bool missesNew(FeedMode feed)
{
    return feed == FeedMode::KeyedTracking || feed == FeedMode::Polling;
}

QString columns(qint64 wallMs, const QString &event, const QString &key, const QString &owner,
                const QString &holds, const QString &ttl, Dates dates)
{
    const QString gap = QStringLiteral("  ");
    QString line = timeText(wallMs, dates) + gap + padded(event, eventWidth) + gap + padded(key, keyWidth) +
                   gap + padded(owner, ownerWidth) + gap + padded(holds, holdsWidth) + gap + ttl;
    while (line.endsWith(u' '))
        line.chop(1);
    return line + u'\n';
}

} // namespace

QString timeText(qint64 wallMs, Dates dates)
{
    return QDateTime::fromMSecsSinceEpoch(wallMs).toString(
        dates == Dates::Yes ? QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz") : QStringLiteral("HH:mm:ss.zzz"));
}

QJsonObject feedDetails(const FeedStatus &status)
{
    QJsonArray feeds;
    for (const FeedStatus::Route &route : status.routes) {
        QJsonObject feed{{QStringLiteral("feed"), routeName(route.feed)}};
        insertBytes(feed, QStringLiteral("pattern"), route.pattern);
        feeds.append(feed);
    }
    const FeedMode worst = status.worst();
    return {{QStringLiteral("feed"), routeName(missesNew(worst) ? FeedMode::Polling : worst)},
            {QStringLiteral("feeds"), feeds}};
}

QString feedInWords(const FeedStatus &status, milliseconds scanInterval)
{
    QStringList ways;
    QStringList missing;
    for (const FeedMode feed :
         {FeedMode::Tracking, FeedMode::KeyedTracking, FeedMode::Notifications, FeedMode::Polling}) {
        QStringList patterns;
        for (const FeedStatus::Route &route : status.routes) {
            if (route.feed == feed)
                patterns << printable(route.pattern, patternCodePoints);
        }
        if (patterns.isEmpty())
            continue;
        const bool isOnly = patterns.size() == status.routes.size();
        const QString list = patterns.join(QStringLiteral(", "));
        ways << (isOnly ? routeName(feed) : QStringLiteral("%1 (%2)").arg(routeName(feed), list));
        if (missesNew(feed))
            missing << list;
    }
    const QString text = Words::tr("change feed: %1").arg(ways.join(QStringLiteral(", ")));
    if (missing.isEmpty())
        return text;
    return Words::tr("%1; new locks of %2 are found by scans (every %3 or slower)")
        .arg(text, missing.join(QStringLiteral(", ")), describe(scanInterval));
}

QByteArray eventLine(const LockEvent &event, bool json, Dates dates)
{
    if (json)
        return jsonLine(toJson(event));
    const LockOwner holder = event.owners.value(0);
    const QString atLeast = specOf(event.family).clientMayCount ? QStringLiteral("≥") : QString();
    const QString holds =
        holder.holdCount ? atLeast + QString::number(*holder.holdCount) : printable(holder.rawHoldCount, 20);
    QStringList possible;
    for (const EventKind end : event.kind == EventKind::Vanished ? event.possible.list() : QList<EventKind>())
        possible << QString::fromLatin1(eventName(end));
    return columns(event.wallMs, QString::fromLatin1(eventName(event.kind)),
                   printable(event.address.key.bytes), ownerIdText(holder.owner.bytes, 60), holds,
                   event.ttl ? describe(*event.ttl) : possible.join(u'|'), dates)
        .toUtf8();
}

QByteArray momentLine(TextEvent moment, qint64 wallMs, bool json, Dates dates)
{
    moment.details[QStringLiteral("event")] = QLatin1String(moment.event);
    moment.details[QStringLiteral("at")] = wallMs;
    return json ? jsonLine(moment.details)
                : columns(wallMs, QLatin1String(moment.event), moment.text, {}, {}, {}, dates).toUtf8();
}

TextEvent momentOf(const ServerReset &reset)
{
    using Cause = ServerReset::Cause;
    const bool isRestart = reset.cause == Cause::Restart;
    const bool isSwap = reset.cause == Cause::Swap; // nothing was flushed
    if (reset.cause == Cause::Failover)
        return {"failed-over",
                {{QStringLiteral("locks"), reset.locks},
                 {QStringLiteral("from"), reset.from},
                 {QStringLiteral("to"), reset.to}},
                describe(reset)};
    const char *cause = isRestart                     ? "restart"
                        : isSwap                      ? "swap"
                        : reset.cause == Cause::Flush ? "flush"
                                                      : "unknown";
    QJsonObject details{{QStringLiteral("locks"), reset.locks},
                        {QStringLiteral("cause"), QLatin1String(cause)}};
    if (reset.isOfGroup()) {
        details[QStringLiteral("node")] = reset.to;
        details[QStringLiteral("still_held")] = reset.stillHeld;
    }
    return {isSwap                                ? "swapped"
            : isRestart && reset.hasData != false ? "restarted"
                                                  : "flushed",
            details, describe(reset)};
}

} // namespace lockscope
