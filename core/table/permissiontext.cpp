// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/permissiontext.h"

#include "core/table/celltext.h"
#include "core/words/messages.h"
#include "core/words/permissionmessages.h"
#include "core/words/texts.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace lockscope {

namespace {

using Use = PermissionStatus::Use;

QStringList reasons(const PermissionStatus &status)
{
    QStringList sentences;
    for (const PermissionStatus::Missing &missing : status.missing)
        sentences << describe(missing);
    return sentences;
}

QString retryText(const PermissionStatus &status)
{
    const QString interval = describe(status.retryInterval);
    if (status.unreadable > 0) // each refusal is a line in the server's log
        return Texts::tr("A few are retried every %1, all now with F5.").arg(interval);
    return Texts::tr("Retried every %1, or now with F5.").arg(interval);
}

} // namespace

bool hidesLocks(const PermissionStatus &status)
{
    return status.unreadable > 0 ||
           std::ranges::any_of(status.missing, [](const PermissionStatus::Missing &missing) {
               return missing.use == Use::Read || missing.use == Use::Scan;
           });
}

QString permissionText(const PermissionStatus &status)
{
    const QLocale locale;
    if (status.unreadable > 0)
        return Texts::tr("unreadable: %1").arg(locale.toString(status.unreadable));
    return status.missing.isEmpty()
               ? QString()
               : Texts::tr("not permitted: %1").arg(locale.toString(status.missing.size()));
}

QString permissionTitle(const PermissionStatus &status)
{
    const bool canFind = std::ranges::none_of(
        status.missing, [](const PermissionStatus::Missing &missing) { return missing.use == Use::Scan; });
    if (!canFind)
        return Texts::tr("No permission to scan: new locks may be missing.");
    if (status.lost > 0)
        return Texts::tr("Some locks may no longer be read; shown as last read.");
    if (status.unreadable > 0)
        return unreadableInWords(status.unreadable);
    return status.missing.isEmpty() ? QString() : describe(status.missing.first());
}

QString permissionDetail(const PermissionStatus &status, const QByteArray &user, int serverMajor)
{
    QStringList sentences = reasons(status);
    sentences.removeOne(permissionTitle(status));
    sentences << askForGrant(status, user, serverMajor) << retryText(status);
    sentences.removeAll(QString());
    return sentences.join(u'\n');
}

QString permissionToolTip(const PermissionStatus &status, const QByteArray &user, int serverMajor)
{
    QStringList lines;
    if (status.unreadable > 0)
        lines << unreadableInWords(status.unreadable);
    lines << reasons(status) << askForGrant(status, user, serverMajor) << retryText(status);
    lines.removeAll(QString());
    for (QString &line : lines)
        line = plainToolTip(line);
    return lines.join(QStringLiteral("<br>"));
}

} // namespace lockscope
