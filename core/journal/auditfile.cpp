// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/auditfile.h"

#include "core/base/statedirectory.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QFileInfo>
#include <QThread>

#include <cerrno>
#include <chrono>
#include <cstring>

#include <sys/stat.h>

namespace lockscope {

namespace {

// A holder of the lock writes one line and leaves; one that is stopped in between must not stop us for ever.
constexpr std::chrono::milliseconds patience{5000};

/// Users who can write to the directory can replace the log, whoever owns it.
Result<void> checkIsPrivate(const QString &directory)
{
    struct stat status = {};
    if (::stat(QFile::encodeName(directory).constData(), &status) != 0)
        return auditFailed(directory, errno);
    if (status.st_uid != ::geteuid() && status.st_uid != 0)
        return auditFailed(QT_TRANSLATE_NOOP("phrases", "%1 belongs to another user."), directory);
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return auditFailed(QT_TRANSLATE_NOOP("phrases", "%1 is writable by others. Run chmod go-w on it."),
                           directory);
    return {};
}

/// A new file's name is on disk only once its directory is.
bool flushDirectory(const QString &directory)
{
    const FileDescriptor opened(
        ::open(QFile::encodeName(directory).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return opened >= 0 && ::fsync(opened) == 0;
}

Result<FileDescriptor> openOrMake(const QString &path, const QString &directory)
{
    const QByteArray name = QFile::encodeName(path);
    // Opening a FIFO must not wait for its other end.
    constexpr int flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    FileDescriptor file(::open(name.constData(), flags));
    if (file < 0 && errno == ENOENT) {
        file = FileDescriptor(::open(name.constData(), flags | O_CREAT, 0600));
        if (file >= 0 && !flushDirectory(directory))
            return auditFailed(directory, errno);
    }
    if (file < 0 && errno == ELOOP)
        return auditFailed(QT_TRANSLATE_NOOP("phrases", "%1 is not a regular file."), path);
    if (file < 0)
        return auditFailed(path, errno);
    return file;
}

Result<void> checkIsOurs(const struct stat &status, const QString &path)
{
    if (!S_ISREG(status.st_mode))
        return auditFailed(QT_TRANSLATE_NOOP("phrases", "%1 is not a regular file."), path);
    if (status.st_uid != ::geteuid())
        return auditFailed(QT_TRANSLATE_NOOP("phrases", "%1 belongs to another user."), path);
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return auditFailed(QT_TRANSLATE_NOOP("phrases", "%1 is writable by others. Run chmod go-w on it."),
                           path);
    return {};
}

} // namespace

tl::unexpected<Error> auditFailed(const QString &path, int systemError)
{
    return auditFailed("%1: %2", path, QString::fromLocal8Bit(std::strerror(systemError)));
}

Result<void> lockAuditFile(const FileDescriptor &file, int operation, const QString &path)
{
    const QDeadlineTimer deadline(patience);
    while (::flock(file, operation | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return auditFailed(path, errno);
        if (deadline.hasExpired())
            return auditFailed(QT_TRANSLATE_NOOP("phrases", "Another program keeps %1 locked."), path);
        QThread::msleep(2);
    }
    return {};
}

Result<FileDescriptor> openAuditFile(const QString &path)
{
    const QString directory = QFileInfo(path).path();
    if (!makePrivatePath(directory))
        return auditFailed(directory, errno);
    if (const auto isPrivate = checkIsPrivate(directory); !isPrivate)
        return tl::unexpected(isPrivate.error());
    for (;;) {
        Result<FileDescriptor> file = openOrMake(path, directory);
        if (!file)
            return file;
        if (const auto locked = lockAuditFile(*file, LOCK_EX, path); !locked)
            return tl::unexpected(locked.error());
        struct stat opened = {};
        if (::fstat(*file, &opened) != 0)
            return auditFailed(path, errno);
        if (const auto ours = checkIsOurs(opened, path); !ours)
            return tl::unexpected(ours.error());
        // Moved away while we waited for the lock: the next look at this path would not find what we write.
        struct stat named = {};
        if (::lstat(QFile::encodeName(path).constData(), &named) == 0 && named.st_ino == opened.st_ino &&
            named.st_dev == opened.st_dev)
            return file;
    }
}

Result<void> appendToAuditFile(const FileDescriptor &file, const QByteArray &bytes, const QString &path)
{
    struct stat before = {};
    if (::fstat(file, &before) != 0)
        return auditFailed(path, errno);
    qsizetype written = 0;
    while (written < bytes.size()) {
        const ssize_t count =
            ::write(file, bytes.constData() + written, static_cast<size_t>(bytes.size() - written));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            const int why = errno;
            // Half a record on a full disk would break the chain for nothing; if this fails too, the next
            // writer mends it.
            [[maybe_unused]] const int undone = ::ftruncate(file, before.st_size);
            return auditFailed(path, why);
        }
        written += count;
    }
    return ::fsync(file) == 0 ? Result<void>() : auditFailed(path, errno);
}

} // namespace lockscope
