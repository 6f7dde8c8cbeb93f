// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cursesscreen.h"

#include "app/interrupt.h"
#include "app/words.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>

#define NCURSES_NOMACROS
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <poll.h>
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

/// By StatusColor.
constexpr std::array<short, 6> colors{brightBlack,   COLOR_CYAN, COLOR_YELLOW,
                                      COLOR_MAGENTA, COLOR_RED,  COLOR_GREEN};
static_assert(colors.size() == size_t(StatusColor::Good) + 1);

WINDOW *inputPad = nullptr; // reading from it repaints nothing
SCREEN *terminal = nullptr;

struct NamedKey
{
    bool isFunction; ///< a code of ncurses, otherwise a character
    wint_t code;
    Key::Kind kind;
};
constexpr std::array namedKeys{
    NamedKey{true, KEY_UP, Key::Up},        NamedKey{true, KEY_DOWN, Key::Down},
    NamedKey{true, KEY_LEFT, Key::Left},    NamedKey{true, KEY_RIGHT, Key::Right},
    NamedKey{true, KEY_PPAGE, Key::PageUp}, NamedKey{true, KEY_NPAGE, Key::PageDown},
    NamedKey{true, KEY_HOME, Key::Home},    NamedKey{true, KEY_END, Key::End},
    NamedKey{true, KEY_DC, Key::Delete},    NamedKey{true, KEY_BACKSPACE, Key::Backspace},
    NamedKey{true, KEY_ENTER, Key::Enter},  NamedKey{true, KEY_F(5), Key::Refresh},
    NamedKey{false, '\r', Key::Enter},      NamedKey{false, '\n', Key::Enter},
    NamedKey{false, 0x1b, Key::Escape},     NamedKey{false, 0x7f, Key::Backspace},
    NamedKey{false, '\b', Key::Backspace},  NamedKey{false, 0x15, Key::Clear}, // Ctrl-U
    NamedKey{false, 0x01, Key::Home},                                          // Ctrl-A
    NamedKey{false, 0x05, Key::End},                                           // Ctrl-E
};

std::optional<Key> keyOf(bool isFunction, wint_t code)
{
    const auto *named = std::ranges::find_if(
        namedKeys, [&](const NamedKey &key) { return key.isFunction == isFunction && key.code == code; });
    if (named != namedKeys.end())
        return Key{named->kind};
    const auto point = static_cast<char32_t>(code);
    return isFunction || code < ' ' ? std::nullopt
                                    : std::optional(Key{Key::Text, QString::fromUcs4(&point, 1)});
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
        for (size_t i = 0; i < colors.size(); ++i) {
            const bool isThere = colors.at(i) < COLORS;
            ::init_pair(static_cast<short>(i + 1), isThere ? colors.at(i) : short(-1), -1);
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
    const short pair = style.color && m_hasColors ? static_cast<short>(int(*style.color) + 1) : short(0);
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
        else if (const auto key = keyOf(got == KEY_CODE_YES, code))
            return key;
    }
}

bool CursesScreen::hasInputEnded()
{
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return ::poll(&input, 1, 0) < 0 || (input.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

} // namespace lockscope
