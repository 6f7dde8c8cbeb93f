// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace lockscope {

/// Writes a result in pieces to standard output, so that a large one is never in memory as a whole.
class ResultWriter
{
public:
    void add(const QByteArray &text)
    {
        m_text += text;
        if (m_text.size() >= pieceSize)
            flush();
    }
    /// Adds a line below the result, which goes to standard error unless a person reads here.
    void addSummary(const QString &text) { (console::isTerminal() ? m_text : m_summary) += text.toUtf8(); }
    /// True after a write failed or was cut short.
    bool isStopped() const { return m_written.how != console::WriteResult::All; }
    /// Writes the rest. Returns `status`, or NotWritten if output was lost, with an error on standard error; after a closed
    /// pipe `status` stands.
    ExitStatus end(ExitStatus status)
    {
        flush();
        const ExitStatus ended =
            exitStatusOf(m_written.how == console::WriteResult::All ? console::settle() : m_written, status);
        if (!m_summary.isEmpty())
            console::summary(m_summary);
        return ended;
    }

private:
    static constexpr qsizetype pieceSize = 1 << 16; // bytes

    void flush()
    {
        if (m_written.how == console::WriteResult::All && !m_text.isEmpty())
            m_written = console::out(m_text);
        m_text.clear();
    }

    QByteArray m_text;
    QByteArray m_summary;
    console::WriteResult m_written;
};

} // namespace lockscope
