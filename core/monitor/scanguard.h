// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

#include <QByteArray>

#include <optional>

namespace lockscope {

/// A scan was given up for this: what was found until then is true, but not all.
inline bool isIncomplete(ErrorKind kind)
{
    return kind == ErrorKind::EndlessScan || kind == ErrorKind::TooManyLocks;
}

/// Finds out that a SCAN pass can't come to an end, in constant memory: by a cursor that is no number, one that was given
/// before in this pass, or far more calls or names than the keyspace explains. Pure.
class ScanGuard
{
public:
    /// The cursor of a page with so many names; an Error (EndlessScan) where the pass has to be given up.
    Result<quint64> take(const QByteArray &cursor, qint64 names);
    /// What DBSIZE said last. The largest counts: a keyspace may grow or shrink during a pass.
    void setKeyspace(qint64 keys);

    qint64 calls() const { return m_calls; }

private:
    bool isRepeated(quint64 cursor);

    qint64 m_calls = 0;
    qint64 m_names = 0;
    std::optional<qint64> m_keyspace; ///< absent: not known
    // Brent's algorithm for cycles: each cursor is compared with one earlier, which is replaced at distances that double.
    std::optional<quint64> m_mark;
    qint64 m_sinceMark = 0;
    qint64 m_stride = 1;
};

} // namespace lockscope
