// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/settings.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace lockscope {

namespace {

constexpr QFile::Permissions owners =
    QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser;
constexpr QFile::Permissions others = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup |
                                      QFile::ReadOther | QFile::WriteOther | QFile::ExeOther;

void closeToOthers(const QString &path, QFile::Permissions permissions)
{
    if (QFile::permissions(path) & others)
        QFile::setPermissions(path, permissions);
}

} // namespace

Settings::Settings()
{
    const QString file = fileName();
    const QString directory = QFileInfo(file).path();
    if (!QFileInfo::exists(directory))
        QDir().mkpath(directory);
    if (QFileInfo(directory).fileName() == organizationName()) // ours alone
        closeToOthers(directory, owners | QFile::ExeOwner | QFile::ExeUser);
    // What is written later keeps the permissions of what it replaces.
    if (QFile made(file); !made.exists() && made.open(QIODevice::WriteOnly | QIODevice::NewOnly))
        made.setPermissions(owners);
    closeToOthers(file, owners);
}

} // namespace lockscope
