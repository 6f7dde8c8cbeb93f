// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/heldmemory.h"

#include <QLockFile>
#include <QString>

namespace lockscope {

/// A HeldMemory between runs: a file of mode 0600, replaced as a whole. Checks that run at the same time take turns: one that
/// has opened the file keeps others waiting until it is gone. Blocking.
class HeldMemoryFile
{
public:
    static constexpr std::chrono::seconds patience{5};
    static constexpr qint64 mostBytes = qint64(64) << 20;

    /// `path` empty: check-DIGEST.json in the state directory, another one for each subject.
    HeldMemoryFile(QString path, QByteArray subject);

    const QString &path() const { return m_path; }

    /// Empty where there is no file yet, or a damaged one. An error where the file must not be used: a symbolic link, no
    /// regular file, writable by others, too big, of a later version or another subject, nothing that a check has written; or
    /// where it can't be read.
    tl::expected<HeldMemory, Phrase> open();
    /// There was a file, and it could not be read as one of ours: it will be replaced.
    bool wasDamaged() const { return m_wasDamaged; }
    /// Only after open() has succeeded.
    tl::expected<void, Phrase> save(const HeldMemory &memory);

private:
    const QByteArray m_subject;
    const QString m_path;
    QLockFile m_lock;
    bool m_wasDamaged = false;
};

} // namespace lockscope
