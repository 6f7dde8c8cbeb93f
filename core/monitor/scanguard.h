// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

#include <QByteArray>

#include <optional>

namespace lockscope {

/// True if a scan was stopped for this reason: its results are valid but incomplete.
inline bool isIncomplete(ErrorKind kind)
{
    return kind == ErrorKind::EndlessScan || kind == ErrorKind::TooManyLocks;
}

/// Detects an endless SCAN pass in constant memory: by a cursor that is no number or was repeated in this
/// pass, or by far more calls or names than the keyspace explains. Pure.
class ScanGuard
{
public:
    /// Takes the cursor and number of names of a page; an Error (EndlessScan) if the pass must be stopped.
    Result<quint64> take(const QByteArray &cursor, qint64 names);
    /// Takes the reply to DBSIZE. The largest counts: a keyspace may grow or shrink during a pass.
    void setKeyspace(qint64 keys);

    qint64 calls() const { return m_calls; }

private:
    bool isRepeated(quint64 cursor);

    qint64 m_calls = 0;
    qint64 m_names = 0;
    std::optional<qint64> m_keyspace; ///< absent: unknown
    // Brent's algorithm for cycles: each cursor is compared with one earlier, which is replaced at distances that double.
    std::optional<quint64> m_mark;
    qint64 m_sinceMark = 0;
    qint64 m_stride = 1;
};

} // namespace lockscope
