// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>

#include <algorithm>
#include <utility>

namespace lockscope {

/// Lines that wait to be handed on together. Bounded: the oldest are dropped, and counted.
class AlertQueue
{
public:
    static constexpr qsizetype mostLines = 10'000;
    static constexpr qsizetype mostAtOnce = 1000;

    void add(const QByteArray &line)
    {
        if (m_lines.size() == mostLines) {
            m_lines.removeFirst();
            ++m_dropped;
        }
        m_lines.append(line);
    }
    bool isEmpty() const { return m_lines.isEmpty(); }
    QByteArrayList takeSome()
    {
        const QByteArrayList some = m_lines.first(std::min(m_lines.size(), mostAtOnce));
        m_lines.remove(0, some.size());
        return some;
    }
    /// Since this was asked last.
    qint64 takeDropped() { return std::exchange(m_dropped, 0); }

private:
    QByteArrayList m_lines;
    qint64 m_dropped = 0;
};

} // namespace lockscope
