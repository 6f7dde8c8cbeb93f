// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/resettext.h"

#include "core/words/messages.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <limits>

namespace lockscope {

namespace {

struct ResetWords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::resettext)
};

QString moment(qint64 wallMs)
{
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(wallMs);
    const QString time = at.time().toString(QStringLiteral("HH:mm"));
    // It stands there until somebody has seen it, which may be another day.
    return at.date() == QDate::currentDate()
               ? time
               : QLocale().toString(at.date(), QLocale::ShortFormat) + u' ' + time;
}

QString goneText(qint64 locks)
{
    if (locks == 0)
        return ResetWords::tr("no known lock is gone");
    const int plural = static_cast<int>(std::min<qint64>(locks, std::numeric_limits<int>::max()));
    return ResetWords::tr("%1 lock(s) gone", nullptr, plural).arg(QLocale().toString(locks));
}

QString certaintyText(const ServerReset &reset)
{
    switch (reset.cause) {
    case ServerReset::Cause::Flush:
        return ResetWords::tr("Holders were not notified and may still be working.");
    case ServerReset::Cause::Swap:
        return ResetWords::tr(
            "Likely this swap: most known locks went with it. Holders may still be working.");
    case ServerReset::Cause::Restart:
        if (!reset.hasData)
            return {};
        if (*reset.hasData)
            return ResetWords::tr("The server came back with data.");
        return reset.locks == 0 ? ResetWords::tr("The server came back empty.")
                                : ResetWords::tr("The server came back empty. Holders may still be working.");
    case ServerReset::Cause::Failover:
        return ResetWords::tr(
                   "Locks acquired just before may be missing on %1; their holders may still be working.")
            .arg(reset.to);
    case ServerReset::Cause::Unknown:
        break;
    }
    return ResetWords::tr(
        "Flushed, swapped, or all keys deleted or expired; the server does not report which.");
}

QString whatHappened(const ServerReset &reset, const ServerInfo &server)
{
    const QString at = moment(reset.wallMs);
    const QString gone = goneText(reset.locks);
    switch (reset.cause) {
    case ServerReset::Cause::Flush:
        return server.isReplica() ? ResetWords::tr("The replica was emptied at %1; %2.").arg(at, gone)
                                  : ResetWords::tr("The database was flushed at %1; %2.").arg(at, gone);
    case ServerReset::Cause::Swap:
        return ResetWords::tr("The database was swapped with another (SWAPDB) at %1; %2.").arg(at, gone);
    case ServerReset::Cause::Restart:
        return ResetWords::tr("The server was restarted or replaced at %1; %2.").arg(at, gone);
    case ServerReset::Cause::Failover:
        return ResetWords::tr("%1 took over from %2 at %3; %4.").arg(reset.to, reset.from, at, gone);
    case ServerReset::Cause::Unknown:
        break;
    }
    return ResetWords::tr("The database was found empty at %1; %2.").arg(at, gone);
}

} // namespace

QString resetText(const ServerReset &reset, const ServerInfo &server)
{
    return inItsGroup(reset, whatHappened(reset, server));
}

QString resetDetail(const UndismissedResets &resets)
{
    QStringList lines{certaintyText(resets.largest())};
    if (resets.others() > 0)
        lines << ResetWords::tr("%n more such event(s), the latest at %1.", nullptr, resets.others())
                     .arg(moment(resets.latestOtherMs()));
    lines.removeAll(QString());
    return lines.join(u'\n');
}

} // namespace lockscope
