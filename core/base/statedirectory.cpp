// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/statedirectory.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>

#include <sys/stat.h>

namespace lockscope {

QString stateDirectory()
{
    // As the XDG base directory specification says: a relative path there is to be ignored.
    QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (!QDir::isAbsolutePath(state))
        state = QDir::homePath() + QStringLiteral("/.local/state");
    return state + QStringLiteral("/lockscope");
}

bool makePrivatePath(const QString &directory)
{
    if (QFileInfo(directory).isDir())
        return true;
    const QString parent = QFileInfo(directory).path();
    if (parent != directory && !makePrivatePath(parent))
        return false;
    return ::mkdir(QFile::encodeName(directory).constData(), 0700) == 0 || errno == EEXIST;
}

} // namespace lockscope
