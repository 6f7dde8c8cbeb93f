// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/notifyclaim.h"

#include <QCryptographicHash>
#include <QFile>
#include <QLockFile>
#include <QString>

namespace lockscope {

namespace {

constexpr qsizetype claimDigest = 32; // of its hexadecimal digits

} // namespace

NotifyClaim::NotifyClaim() = default;
NotifyClaim::~NotifyClaim() = default;

bool NotifyClaim::take(const QByteArray &subject)
{
    if (subject != m_subject)
        giveUp();
    if (m_file)
        return true;
    const QString directory = qEnvironmentVariable("XDG_RUNTIME_DIR");
    if (directory.isEmpty())
        return true;
    const QByteArray digest = QCryptographicHash::hash(subject, QCryptographicHash::Sha256).toHex();
    auto file =
        std::make_unique<QLockFile>(QStringLiteral("%1/lockscope-notifies-%2.lock")
                                        .arg(directory, QString::fromLatin1(digest.first(claimDigest))));
    file->setStaleLockTime(0); // by its process alone: a window may stand open for weeks
    if (!file->tryLock(0))
        return file->error() != QLockFile::LockFailedError;
    QFile::setPermissions(file->fileName(),
                          QFile::ReadOwner | QFile::WriteOwner); // else it is for all to read
    m_subject = subject;
    m_file = std::move(file);
    return true;
}

void NotifyClaim::giveUp()
{
    m_file.reset();
}

} // namespace lockscope
