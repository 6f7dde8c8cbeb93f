// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/emptytable.h"

#include "core/base/printable.h"
#include "core/table/permissiontext.h"
#include "core/watch/keynamefilter.h"
#include "core/words/permissionmessages.h"
#include "core/words/texts.h"
#include "ui/actions/mainactions.h"
#include "ui/widgets/emptystate.h"

#include <QLocale>

namespace lockscope {

void showEmptyTable(EmptyState &empty, const BannerFacts &facts, const QList<QByteArray> &patterns,
                    bool hasScanned, const MainActions &commands, QAction *copyGrant)
{
    QStringList names;
    for (const QByteArray &pattern : patterns)
        names << printable(pattern, 40);
    if (KeyNameFilter(patterns).discovers())
        names << Texts::tr("usual names of known families");
    const QString wanted = names.join(QStringLiteral(",  "));
    const QString scanned = QLocale().toString(facts.watched.scan().keysScanned);
    const PermissionStatus &permissions = facts.watched.permissions();
    const int major = facts.watched.status().server.major;
    if (hidesLocks(permissions))
        empty.setMessage(Glyph::Padlock, Texts::tr("No lock can be read"),
                         permissionTitle(permissions) + u'\n' +
                             permissionDetail(permissions, facts.user, major),
                         grantRule(permissions, facts.user, major).isEmpty()
                             ? QList<QAction *>{commands.scan, commands.patterns}
                             : QList<QAction *>{copyGrant, commands.scan, commands.patterns});
    else if (hasScanned)
        empty.setMessage(Glyph::Padlock, Texts::tr("No locks at the moment"),
                         Texts::tr("%1 keys scanned for\n%2").arg(scanned, wanted),
                         {commands.patterns, commands.findLocks, commands.scan});
    else
        empty.setMessage(Glyph::Scan, Texts::tr("Scanning for locks…"),
                         Texts::tr("%1 keys scanned so far, for\n%2").arg(scanned, wanted),
                         {commands.patterns});
}

void showEmptyReplay(EmptyState &empty, const BannerFacts &facts, const ReplayFacts &replay,
                     const MainActions &commands)
{
    if (replay.isHalfTold)
        return empty.setMessage(Glyph::Padlock, Texts::tr("This moment is being read"), {}, {});
    const PermissionStatus &permissions = facts.watched.permissions();
    const QString lack = replay.lack != GapCause::None ? lackText(replay.lack) + u'.'
                         : hidesLocks(permissions)     ? permissionTitle(permissions)
                                                       : QString();
    empty.setMessage(Glyph::Padlock,
                     !replay.hasLocks ? Texts::tr("No locks in this recording")
                     : lack.isEmpty() ? Texts::tr("No locks at this moment")
                                      : Texts::tr("Locks not known"),
                     lack, {commands.nextEvent});
}

} // namespace lockscope
