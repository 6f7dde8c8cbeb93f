// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/top/screen.h"

#include <QByteArray>

#include <optional>

namespace lockscope {

/// The terminal of standard input and output by ncurses, the only user of it. Restores the terminal when
/// destroyed, also if the program crashes or a second signal ends it. At most one object at a time.
class CursesScreen : public Screen
{
public:
    /// Why there is no screen to use; nullopt: there is one.
    static std::optional<QString> whyNone();

    CursesScreen();
    ~CursesScreen() override;
    CursesScreen(const CursesScreen &) = delete;
    CursesScreen &operator=(const CursesScreen &) = delete;

    int rows() const override;
    int columns() const override;
    void write(int row, int column, const QString &text, Style style = {}) override;
    void placeCursor(int row, int column) override;

    /// Blanks the frame to come.
    void beginFrame();
    /// Sends the cells that differ from the previous frame.
    void endFrame();
    /// Returns a key without waiting, and takes a new size of the terminal; nullopt: none.
    std::optional<Key> nextKey();
    /// True if the terminal is gone. Call if standard input is readable but has no key.
    static bool hasInputEnded();

private:
    bool m_hasColors = false;
    bool m_hasCursor = false;
};

} // namespace lockscope
