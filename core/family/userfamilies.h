// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/familyfile.h"

#include <QStringList>

namespace lockscope {

/// A file that was left out, and why.
struct RefusedFamily
{
    QString path;
    FileFault fault; ///< the first
};

/// Where families of users stand: /etc/lockscope/families.d, then $XDG_CONFIG_HOME/lockscope/families. Folders that need not be there.
QStringList familyFolders();

/// Adds the families in the files *.toml of these folders to those built in, in the order of folders and names. Of two with one name
/// the higher version counts, and the later of equal ones. A bad file is left out, and nothing else. Once, before any family is asked
/// for.
QList<RefusedFamily> loadFamilies(const QStringList &folders);

/// Those that loadFamilies() has left out.
const QList<RefusedFamily> &refusedFamilies();

/// "/etc/lockscope/families.d/a.toml:3:7: expected …", as compilers say it.
Phrase faultInFile(const QString &path, const FileFault &fault);

} // namespace lockscope
