// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/resettext.h"

#include "core/words/messages.h"
#include "core/words/texts.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <limits>

namespace lockscope {

namespace {

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
        return Texts::tr("no known lock is gone");
    const int plural = static_cast<int>(std::min<qint64>(locks, std::numeric_limits<int>::max()));
    return Texts::tr("%1 lock(s) gone", nullptr, plural).arg(QLocale().toString(locks));
}

QString certaintyText(const ServerReset &reset)
{
    switch (reset.cause) {
    case ServerReset::Cause::Flush:
        return Texts::tr("Holders were not notified and may still be working.");
    case ServerReset::Cause::Swap:
        return Texts::tr("Likely this swap: most known locks went with it. Holders may still be working.");
    case ServerReset::Cause::Restart:
        if (!reset.hasData)
            return {};
        if (*reset.hasData)
            return Texts::tr("The server came back with data.");
        return reset.locks == 0 ? Texts::tr("The server came back empty.")
                                : Texts::tr("The server came back empty. Holders may still be working.");
    case ServerReset::Cause::Failover:
        return Texts::tr(
                   "Locks acquired just before may be missing on %1; their holders may still be working.")
            .arg(reset.to);
    case ServerReset::Cause::Unknown:
        break;
    }
    return Texts::tr("Flushed, swapped, or all keys deleted or expired; the server does not report which.");
}

} // namespace

QString resetText(const ServerReset &reset, const ServerInfo &server)
{
    const bool isEmptied = reset.cause == ServerReset::Cause::Flush && server.isReplica();
    return inItsGroup(reset,
                      Texts::tr("%1 at %2; %3.")
                          .arg(isEmptied ? Texts::tr("The replica was emptied") : resetCauseInWords(reset),
                               moment(reset.wallMs), goneText(reset.locks)));
}

QString resetDetail(const UndismissedResets &resets)
{
    QStringList lines{certaintyText(resets.largest())};
    if (resets.others() > 0)
        lines << Texts::tr("%n more such event(s), the latest at %1.", nullptr, resets.others())
                     .arg(moment(resets.latestOtherMs()));
    lines.removeAll(QString());
    return lines.join(u'\n');
}

} // namespace lockscope
