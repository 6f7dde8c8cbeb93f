// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/directoryname.h"

#include <QDir>
#include <QFile>
#include <QUuid>

namespace lockscope {

QString freshDirectoryName()
{
    constexpr qsizetype longest = 80;
    const QString name = QStringLiteral("/lockscope-") + QUuid::createUuid().toString(QUuid::Id128).left(12);
    const QString directory = QDir::tempPath() + name;
    return QFile::encodeName(directory).size() <= longest ? directory : QStringLiteral("/tmp") + name;
}

} // namespace lockscope
