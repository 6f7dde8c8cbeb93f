// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/familyfile.h"

#include <QStringList>

namespace lockscope {

/// A file that was not loaded, and why.
struct RefusedFamily
{
    QString path;
    FileFault fault; ///< the first fault
};

/// Folders of user families, which may be missing: /etc/lockscope/families.d, then
/// $XDG_CONFIG_HOME/lockscope/families.
QStringList familyFolders();

/// Adds the families in *.toml files of these folders, in the order of folders and names. Among those with
/// the same name, the highest version wins, and the last of equal ones. Bad files are skipped and returned.
/// Call once, before any family is looked up.
QList<RefusedFamily> loadFamilies(const QStringList &folders);

/// The files that loadFamilies() skipped.
const QList<RefusedFamily> &refusedFamilies();

/// The fault in a compiler's format: "/etc/lockscope/families.d/a.toml:3:7: expected …".
Phrase faultInFile(const QString &path, const FileFault &fault);

} // namespace lockscope
