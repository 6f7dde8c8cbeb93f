// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/look.h"

#include <QString>

#include <optional>

namespace lockscope {

struct Style
{
    std::optional<StatusColor> color{}; ///< absent: the terminal's own
    bool isBold = false;
    bool isReversed = false;

    friend bool operator==(const Style &, const Style &) = default;
};

/// A terminal's screen, onto which each frame is written anew. Cells that a frame does not write are blank.
class Screen
{
public:
    virtual ~Screen() = default;

    virtual int rows() const = 0;
    virtual int columns() const = 0;
    /// The text must fit: see fitted().
    virtual void write(int row, int column, const QString &text, Style style = {}) = 0;
    /// Shows the cursor, which is hidden otherwise.
    virtual void placeCursor(int row, int column) = 0;

protected:
    Screen() = default;
    Screen(const Screen &) = default;
    Screen &operator=(const Screen &) = default;
};

struct Key
{
    enum Kind : quint8 {
        Text, ///< `text` has the character
        Enter,
        Escape,
        Backspace,
        Delete,
        Up,
        Down,
        Left,
        Right,
        PageUp,
        PageDown,
        Home,
        End,
        Clear,   ///< Ctrl-U
        Refresh, ///< F5
    };
    Kind kind = Text;
    QString text{};

    bool is(QChar character) const { return kind == Text && text == character; }
};

/// Columns of a text in the terminal by wcwidth(); characters that it does not know count as one.
int cellsOf(const QString &text);
/// The text cut to `width` columns, with "…" in its middle or, for `isEndCut`, at its end; characters that
/// wcwidth() does not know are replaced.
QString fitted(const QString &text, int width, bool isEndCut = false);
/// fitted() and filled with blanks, to the left if `isRight`.
QString filled(const QString &text, int width, bool isRight = false);
/// A bar of `width` columns that is filled by `share`, 0 to 1: "███▌░░".
QString shareBar(double share, int width);

/// One line that the user edits.
class EditedLine
{
public:
    /// Longer texts cannot be typed.
    static constexpr qsizetype maxTyped = 4'000;

    explicit EditedLine(const QString &text = {}) : m_text(text), m_cursor(text.size()) {}

    const QString &text() const { return m_text; }
    qsizetype cursor() const { return m_cursor; }
    /// Returns false for keys that do not edit.
    bool press(const Key &key);
    /// Writes `prompt` and the line, from the part that keeps the cursor in sight, and places the cursor.
    void paint(Screen &screen, int row, const QString &prompt, Style style = {}) const;

private:
    qsizetype beside(int step) const;

    QString m_text;
    qsizetype m_cursor = 0;
};

} // namespace lockscope
