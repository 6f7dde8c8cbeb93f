// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace lockscope {

/// Writes a result in pieces to standard output: of a million locks it is never held whole.
class ResultWriter
{
public:
    void add(const QByteArray &text)
    {
        m_text += text;
        if (m_text.size() >= pieceSize)
            flush();
    }
    /// Nobody takes any more of it.
    bool isStopped() const { return m_written.how != console::WriteResult::All; }
    /// `status`, unless not all could be written, which is told then: see exitStatusOf().
    ExitStatus end(ExitStatus status)
    {
        flush();
        return exitStatusOf(m_written.how == console::WriteResult::All ? console::settle() : m_written,
                            status);
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
    console::WriteResult m_written;
};

} // namespace lockscope
