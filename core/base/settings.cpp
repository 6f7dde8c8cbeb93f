// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/settings.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <memory>

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

constexpr int currentFormat = 1;

/// Of a newer version's settings; null: there was no need.
std::unique_ptr<QTemporaryDir> &copyDirectory()
{
    static std::unique_ptr<QTemporaryDir> directory;
    return directory;
}

bool isCopy(const QString &file)
{
    return copyDirectory() && file.startsWith(copyDirectory()->path());
}

/// Lets a copy take the place of settings that this version must not write, and returns whose they are.
QString organizationOfSettings()
{
    const QSettings settings;
    const QVariant format = settings.value(QStringLiteral("format"), currentFormat);
    bool isNumber = false;
    if ((format.toInt(&isNumber) <= currentFormat && isNumber) || isCopy(settings.fileName()))
        return settings.organizationName();
    copyDirectory() = std::make_unique<QTemporaryDir>();
    const QDir copies(copyDirectory()->path());
    const QFileInfo file(settings.fileName());
    copies.mkdir(settings.organizationName());
    QFile::copy(file.filePath(), copies.filePath(settings.organizationName() + u'/' + file.fileName()));
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, copies.path());
    return settings.organizationName();
}

} // namespace

Settings::Settings() : QSettings(organizationOfSettings(), QCoreApplication::applicationName())
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

bool Settings::areNewer()
{
    return isCopy(Settings().fileName());
}

Phrase Settings::newerText()
{
    return Phrase(QT_TRANSLATE_NOOP(
        "phrases", "A newer Lockscope wrote the settings. Changes are not kept. Update Lockscope."));
}

} // namespace lockscope
