// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/servermessages.h"

#include "core/base/printable.h"

namespace lockscope {

namespace {

constexpr qsizetype longestPart = 24;

} // namespace

QString productText(const ServerInfo &server)
{
    if (server.version.isEmpty())
        return {};
    QString name = printable(server.name, longestPart);
    if (!name.isEmpty())
        name[0] = name[0].toUpper();
    QStringList parts{name, printable(server.version, longestPart)};
    // That it stands alone is what everybody expects: the room is needed.
    if (server.mode != "standalone")
        parts.append(printable(server.mode, longestPart));
    parts.removeAll(QString());
    return parts.join(u' ');
}

} // namespace lockscope
