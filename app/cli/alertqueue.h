// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>

#include <utility>

namespace lockscope {

/// Lines to be passed on in batches. Bounded in number and bytes: the oldest are dropped and counted.
class AlertQueue
{
public:
    static constexpr qsizetype maxLines = 10'000;
    static constexpr qsizetype maxBytes = 16 * 1024 * 1024;
    static constexpr qsizetype maxAtOnce = 1000;
    static constexpr qsizetype maxBytesAtOnce = 1024 * 1024; ///< except for a single longer line

    void add(const QByteArray &line)
    {
        m_lines.append(line);
        m_bytes += line.size();
        while (m_lines.size() > maxLines || (m_bytes > maxBytes && m_lines.size() > 1)) {
            takeFirst();
            ++m_dropped;
        }
    }
    qsizetype size() const { return m_lines.size(); }
    bool isEmpty() const { return m_lines.isEmpty(); }
    QByteArrayList takeSome()
    {
        QByteArrayList some;
        qsizetype bytes = 0;
        while (!m_lines.isEmpty() && some.size() < maxAtOnce &&
               (some.isEmpty() || bytes + m_lines.first().size() <= maxBytesAtOnce)) {
            bytes += m_lines.first().size();
            some.append(takeFirst());
        }
        return some;
    }
    /// Returns the number of lines dropped since the last call.
    qint64 takeDropped() { return std::exchange(m_dropped, 0); }

private:
    QByteArray takeFirst()
    {
        m_bytes -= m_lines.first().size();
        return m_lines.takeFirst();
    }

    QByteArrayList m_lines;
    qsizetype m_bytes = 0;
    qint64 m_dropped = 0;
};

} // namespace lockscope
