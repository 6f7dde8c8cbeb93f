// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/servermessages.h"

#include "core/words/messages.h"

#include "core/base/printable.h"
#include "core/words/texts.h"

#include <QLocale>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype longestPart = 24;

QString secondsInWords(std::optional<qint64> seconds)
{
    return describe(milliseconds(std::clamp<qint64>(seconds.value_or(0), 0, 1'000'000'000) * 1000));
}

} // namespace

QString productText(const ServerInfo &server)
{
    if (server.version.isEmpty())
        return {};
    QString name = server.name == "keydb" ? QStringLiteral("KeyDB") : printable(server.name, longestPart);
    if (!name.isEmpty())
        name[0] = name[0].toUpper();
    QStringList parts{name, printable(server.version, longestPart)};
    // That it stands alone is what everybody expects: the room is needed.
    if (server.mode != "standalone")
        parts.append(printable(server.mode, longestPart));
    parts.removeAll(QString());
    return parts.join(u' ');
}

QString replicaText(const ReplicaLink &link)
{
    if (link.isSyncing)
        return Texts::tr("replica, copying its data");
    if (!link.isUp && link.downSeconds.value_or(-1) < 0)
        return Texts::tr("replica, no link");
    if (!link.isUp)
        return Texts::tr("replica, link down for %1").arg(secondsInWords(link.downSeconds));
    if (link.heardSeconds.value_or(0) <= 1) // what it hears when nothing changes
        return Texts::tr("replica, link up");
    return Texts::tr("replica, last heard %1 ago").arg(secondsInWords(link.heardSeconds));
}

QString describe(const Eviction &eviction)
{
    return Texts::tr("The server may evict locks (maxmemory-policy %1). Keys evicted: %2")
        .arg(printable(eviction.policy, longestPart), QLocale().toString(eviction.evicted));
}

QString replicaWarning(const ReplicaLink &link)
{
    const QString primary = link.primary.toDisplayString();
    if (link.isSyncing)
        return Texts::tr("The replica is copying data from %1; locks may be old or missing.").arg(primary);
    if (!link.isUp && link.downSeconds.value_or(-1) < 0)
        return Texts::tr("The replica has no link to %1; locks may be old.").arg(primary);
    if (!link.isUp)
        return Texts::tr("The replica lost its link to %1 %2 ago; later changes are missing.")
            .arg(primary, secondsInWords(link.downSeconds));
    return Texts::tr("Read from a replica of %1; latest changes may be missing.").arg(primary);
}

QStringList gapsInWords(const ScanStats &stats)
{
    QStringList gaps;
    if (stats.slotsMissing > 0)
        gaps << Texts::tr("%1 slot(s) have no node; their locks are missing.", nullptr, stats.slotsMissing)
                    .arg(QLocale().toString(stats.slotsMissing));
    if (stats.unanswered > 0)
        gaps << Texts::tr("%1 key(s) could not be read: no node answers.", nullptr, plural(stats.unanswered))
                    .arg(grouped(stats.unanswered));
    return gaps;
}

QString whyMissing(const NodeStatus &node, const QString &serverName)
{
    // Which names the node itself.
    return describe(node.error, node.error.kind == ErrorKind::NodeNotReached ? serverName : node.name);
}

} // namespace lockscope
