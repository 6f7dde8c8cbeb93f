// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

#include <QString>

#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace lockscope {

/// An open file, closed by the destructor. Negative: none.
class FileDescriptor
{
public:
    explicit FileDescriptor(int fd) : m_fd(fd) {}
    FileDescriptor(FileDescriptor &&other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    FileDescriptor &operator=(FileDescriptor &&other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    ~FileDescriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    operator int() const { return m_fd; }

private:
    int m_fd;
};

/// ErrorKind::AuditFailed with a sentence, or with a path and the system's error.
template <typename... Arguments>
tl::unexpected<Error> auditFailed(const char *why, const Arguments &...arguments)
{
    return failedWith(ErrorKind::AuditFailed, why, arguments...);
}
tl::unexpected<Error> auditFailed(const QString &path, int systemError);

/// Takes the advisory lock of an open file (LOCK_EX, LOCK_SH); waits at most 5 s.
Result<void> lockAuditFile(const FileDescriptor &file, int operation, const QString &path);

/// Opens the file for appending and locks it; creates it if missing, with private directories. Refuses
/// symbolic links, special files, files of other users or writable by others, and directories writable by
/// others.
Result<FileDescriptor> openAuditFile(const QString &path);

/// Appends all of `bytes` and flushes to disk, or leaves the file unchanged.
Result<void> appendToAuditFile(const FileDescriptor &file, const QByteArray &bytes, const QString &path);

} // namespace lockscope
