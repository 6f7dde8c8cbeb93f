// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cursesscreen.h"

#include "app/interrupt.h"
#include "app/words.h"

#include <array>
#include <csignal>
#include <cstdio>

#define NCURSES_NOMACROS
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#undef columns // of term.h

namespace lockscope {

namespace {

constexpr int escapeDelayMs = 50;
constexpr short brightBlack = 8;
constexpr wint_t redraw = 0x0c; // Ctrl-L
constexpr std::array deadly{SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGQUIT};

// For handlers of signals, which may not allocate.
termios modeBefore{};
QByteArray resetText;
volatile std::sig_atomic_t isOpen = 0;

void restoreTerminal()
{
    if (isOpen == 0)
        return;
    isOpen = 0;
    [[maybe_unused]] const ssize_t written =
        ::write(STDOUT_FILENO, resetText.constData(), static_cast<size_t>(resetText.size()));
    ::tcsetattr(STDIN_FILENO, TCSANOW, &modeBefore);
}

void die(int number)
{
    restoreTerminal();
    std::signal(number, SIG_DFL);
    std::raise(number);
}

QByteArray capability(const char *name)
{
    const char *text = ::tigetstr(name);
    const bool isThere = text != nullptr && text != reinterpret_cast<const char *>(-1); // NOLINT
    return isThere ? QByteArray(text) : QByteArray();
}

short pairOf(StatusColor color)
{
    return static_cast<short>(static_cast<int>(color) + 1);
}

short colorOf(StatusColor color)
{
    switch (color) {
    case StatusColor::Muted:
        return brightBlack;
    case StatusColor::Held:
        return COLOR_CYAN;
    case StatusColor::Warning:
        return COLOR_YELLOW;
    case StatusColor::Endless:
        return COLOR_MAGENTA;
    case StatusColor::Danger:
        return COLOR_RED;
    case StatusColor::Good:
        break;
    }
    return COLOR_GREEN;
}

WINDOW *inputPad = nullptr; // reading from it repaints nothing
SCREEN *terminal = nullptr;

std::optional<Key> functionKey(wint_t code)
{
    switch (code) {
    case KEY_UP:
        return Key{Key::Up};
    case KEY_DOWN:
        return Key{Key::Down};
    case KEY_LEFT:
        return Key{Key::Left};
    case KEY_RIGHT:
        return Key{Key::Right};
    case KEY_PPAGE:
        return Key{Key::PageUp};
    case KEY_NPAGE:
        return Key{Key::PageDown};
    case KEY_HOME:
        return Key{Key::Home};
    case KEY_END:
        return Key{Key::End};
    case KEY_DC:
        return Key{Key::Delete};
    case KEY_BACKSPACE:
        return Key{Key::Backspace};
    case KEY_ENTER:
        return Key{Key::Enter};
    case KEY_F(5):
        return Key{Key::Refresh};
    default:
        return std::nullopt;
    }
}

std::optional<Key> characterKey(wint_t code)
{
    switch (code) {
    case '\r':
    case '\n':
        return Key{Key::Enter};
    case 0x1b:
        return Key{Key::Escape};
    case 0x7f:
    case '\b':
        return Key{Key::Backspace};
    case 0x15: // Ctrl-U
        return Key{Key::Clear};
    case 0x01: // Ctrl-A
        return Key{Key::Home};
    case 0x05: // Ctrl-E
        return Key{Key::End};
    default:
        break;
    }
    const auto point = static_cast<char32_t>(code);
    return code < ' ' ? std::nullopt : std::optional(Key{Key::Text, QString::fromUcs4(&point, 1)});
}

} // namespace

std::optional<QString> CursesScreen::whyNone()
{
    int found = 0;
    const bool isTerminal = ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0;
    const bool canMove = isTerminal && ::setupterm(nullptr, STDOUT_FILENO, &found) == OK && found == 1 &&
                         !capability("cup").isEmpty() && !capability("clear").isEmpty();
    if (canMove)
        return std::nullopt;
    return isTerminal ? Words::tr("top cannot use this terminal (TERM=%1). Use list or watch.")
                            .arg(qEnvironmentVariable("TERM"))
                      : Words::tr("top needs a terminal. Use list or watch.");
}

CursesScreen::CursesScreen()
{
    ::tcgetattr(STDIN_FILENO, &modeBefore);
    terminal = ::newterm(nullptr, stdout, stdin);
    resetText = capability("sgr0") + capability("cnorm") + capability("rmkx") + capability("rmcup") + "\r\n";
    isOpen = 1;
    Interrupt::setLastWords(restoreTerminal);
    for (const int number : deadly)
        std::signal(number, die);
    ::set_escdelay(escapeDelayMs);
    ::cbreak();
    ::noecho();
    ::nonl();
    ::curs_set(0);
    m_hasColors = ::has_colors() && qEnvironmentVariableIsEmpty("NO_COLOR");
    if (m_hasColors) {
        ::start_color();
        ::use_default_colors();
        for (int i = 0; i <= static_cast<int>(StatusColor::Good); ++i) {
            const auto color = static_cast<StatusColor>(i);
            const bool isPlain = color == StatusColor::Muted && COLORS <= brightBlack;
            ::init_pair(pairOf(color), isPlain ? short(-1) : colorOf(color), -1);
        }
    }
    inputPad = ::newpad(1, 1);
    ::keypad(inputPad, true);
    ::nodelay(inputPad, true);
}

CursesScreen::~CursesScreen()
{
    Interrupt::setLastWords(nullptr);
    for (const int number : deadly)
        std::signal(number, SIG_DFL);
    ::delwin(inputPad);
    ::endwin();
    isOpen = 0;
    ::delscreen(terminal);
}

int CursesScreen::rows() const
{
    return getmaxy(stdscr);
}

int CursesScreen::columns() const
{
    return getmaxx(stdscr);
}

void CursesScreen::write(int row, int column, const QString &text, Style style)
{
    attr_t attributes = A_NORMAL;
    if (style.isBold)
        attributes |= A_BOLD;
    if (style.isReversed)
        attributes |= A_REVERSE;
    if (style.color == StatusColor::Muted && (!m_hasColors || COLORS <= brightBlack))
        attributes |= A_DIM;
    const short pair = style.color && m_hasColors ? pairOf(*style.color) : short(0);
    ::wattr_set(stdscr, attributes, pair, nullptr);
    const std::wstring wide = text.toStdWString();
    ::mvwaddnwstr(stdscr, row, column, wide.data(), static_cast<int>(wide.size()));
}

void CursesScreen::placeCursor(int row, int column)
{
    m_hasCursor = true;
    ::wmove(stdscr, row, column);
}

void CursesScreen::beginFrame()
{
    m_hasCursor = false;
    ::wattr_set(stdscr, A_NORMAL, 0, nullptr);
    ::werase(stdscr);
}

void CursesScreen::endFrame()
{
    ::curs_set(m_hasCursor ? 1 : 0);
    ::wnoutrefresh(stdscr);
    ::doupdate();
}

std::optional<Key> CursesScreen::nextKey()
{
    for (;;) {
        wint_t code = 0;
        const int got = ::wget_wch(inputPad, &code);
        if (got == ERR)
            return std::nullopt;
        if (got != KEY_CODE_YES && code == redraw)
            ::clearok(curscr, true);
        else if (const auto key = got == KEY_CODE_YES ? functionKey(code) : characterKey(code))
            return key;
    }
}

bool CursesScreen::hasInputEnded()
{
    int waiting = 0;
    return ::ioctl(STDIN_FILENO, FIONREAD, &waiting) != 0 || waiting == 0;
}

} // namespace lockscope
