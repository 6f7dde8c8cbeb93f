// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/emptytable.h"

#include "core/base/printable.h"
#include "core/watch/keynamefilter.h"
#include "core/words/permissionmessages.h"
#include "ui/actions/mainactions.h"
#include "ui/shell/permissiontext.h"
#include "ui/widgets/emptystate.h"

#include <QCoreApplication>
#include <QLocale>

namespace lockscope {

namespace {

struct EmptyWords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::emptytable)
};

} // namespace

void showEmptyTable(EmptyState &empty, const BannerFacts &facts, const QList<QByteArray> &patterns,
                    bool hasScanned, const MainActions &commands, QAction *copyGrant)
{
    QStringList names;
    for (const QByteArray &pattern : patterns)
        names << printable(pattern, 40);
    if (KeyNameFilter(patterns).discovers())
        names << EmptyWords::tr("usual names of known families");
    const QString wanted = names.join(QStringLiteral(",  "));
    const QString scanned = QLocale().toString(facts.watched.scan().keysScanned);
    const PermissionStatus &permissions = facts.watched.permissions();
    const int major = facts.watched.status().server.major;
    if (hidesLocks(permissions))
        empty.setMessage(Glyph::Padlock, EmptyWords::tr("No lock can be read"),
                         permissionTitle(permissions) + u'\n' +
                             permissionDetail(permissions, facts.user, major),
                         grantRule(permissions, facts.user, major).isEmpty()
                             ? QList<QAction *>{commands.scan, commands.patterns}
                             : QList<QAction *>{copyGrant, commands.scan, commands.patterns});
    else if (hasScanned)
        empty.setMessage(Glyph::Padlock, EmptyWords::tr("No locks at the moment"),
                         EmptyWords::tr("%1 keys scanned for\n%2").arg(scanned, wanted),
                         {commands.patterns, commands.findLocks, commands.scan});
    else
        empty.setMessage(Glyph::Scan, EmptyWords::tr("Scanning for locks…"),
                         EmptyWords::tr("%1 keys scanned so far, for\n%2").arg(scanned, wanted),
                         {commands.patterns});
}

void showEmptyReplay(EmptyState &empty, const BannerFacts &facts, const ReplayFacts &replay,
                     const MainActions &commands)
{
    if (replay.isHalfTold)
        return empty.setMessage(Glyph::Padlock, EmptyWords::tr("This moment is being read"), {}, {});
    const PermissionStatus &permissions = facts.watched.permissions();
    const QString lack = replay.lack != GapCause::None ? lackText(replay.lack) + u'.'
                         : hidesLocks(permissions)     ? permissionTitle(permissions)
                                                       : QString();
    empty.setMessage(Glyph::Padlock,
                     !replay.hasLocks ? EmptyWords::tr("No locks in this recording")
                     : lack.isEmpty() ? EmptyWords::tr("No locks at this moment")
                                      : EmptyWords::tr("Locks not known"),
                     lack, {commands.nextEvent});
}

} // namespace lockscope
