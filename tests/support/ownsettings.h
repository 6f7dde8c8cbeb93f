// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QSettings>
#include <QTemporaryDir>

namespace lockscope {

/// The settings of a test, in a directory of their own that goes with this: a test neither reads nor changes its user's. What
/// else a test writes may stand there too.
class OwnSettings
{
public:
    OwnSettings()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("lockscope"));
        QCoreApplication::setApplicationName(QStringLiteral("test"));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_directory.path());
    }

    QString path() const { return m_directory.path(); }
    QString filePath(const QString &name) const { return m_directory.filePath(name); }

private:
    QTemporaryDir m_directory;
};

} // namespace lockscope
