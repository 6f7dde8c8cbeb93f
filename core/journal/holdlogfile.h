// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/holdlog.h"

#include <QLockFile>
#include <QString>

namespace lockscope {

/// Keeps a HoldLog between runs, in a file of mode 0600, replaced as a whole. Simultaneous checks take
/// turns: an open file blocks others until this object is destroyed. Blocking.
class HoldLogFile
{
public:
    static constexpr std::chrono::seconds patience{5};
    static constexpr qint64 maxBytes = qint64(64) << 20;

    /// `path` empty: check-DIGEST.json in the state directory, one per subject.
    HoldLogFile(QString path, QByteArray subject);

    const QString &path() const { return m_path; }

    /// Empty if the file is missing or damaged. An error if it must not be used (symbolic link, special file,
    /// writable by others, too big, of a later version, another subject or another program), or if it is
    /// unreadable.
    tl::expected<HoldLog, Phrase> open();
    /// True if the file was damaged and will be replaced.
    bool wasDamaged() const { return m_wasDamaged; }
    /// Requires a successful open().
    tl::expected<void, Phrase> save(const HoldLog &memory);

private:
    const QByteArray m_subject;
    const QString m_path;
    QLockFile m_lock;
    bool m_wasDamaged = false;
};

} // namespace lockscope
