// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace lockscope::console {

namespace {

bool writeAll(int fd, const QByteArray &bytes)
{
    for (qsizetype written = 0; written < bytes.size();) {
        const ssize_t count =
            ::write(fd, bytes.constData() + written, static_cast<size_t>(bytes.size() - written));
        if (count < 0 && errno != EINTR)
            return false;
        written += std::max<ssize_t>(count, 0);
    }
    return true;
}

bool progressShown = false;

/// Switches the echo of a terminal off while it lives.
class Silence
{
public:
    explicit Silence(int tty) : m_tty(tty)
    {
        ::tcgetattr(m_tty, &m_before);
        termios silent = m_before;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        ::tcsetattr(m_tty, TCSAFLUSH, &silent);
    }
    ~Silence() { ::tcsetattr(m_tty, TCSAFLUSH, &m_before); }
    Silence(const Silence &) = delete;
    Silence &operator=(const Silence &) = delete;

private:
    int m_tty;
    termios m_before{};
};

/// Lets Ctrl-C end a read() instead of the program, which would leave the terminal without echo.
class InterruptibleRead
{
public:
    InterruptibleRead()
    {
        struct sigaction action = {};
        action.sa_handler = [](int) {};
        ::sigaction(SIGINT, &action, &m_before);
    }
    ~InterruptibleRead() { ::sigaction(SIGINT, &m_before, nullptr); }
    InterruptibleRead(const InterruptibleRead &) = delete;
    InterruptibleRead &operator=(const InterruptibleRead &) = delete;

private:
    struct sigaction m_before = {};
};

} // namespace

bool out(const QByteArray &text)
{
    return writeAll(STDOUT_FILENO, text);
}

bool out(const QString &text)
{
    return out(text.toUtf8());
}

bool readerIsGone()
{
    pollfd output{STDOUT_FILENO, 0, 0};
    return ::poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

bool canWrite()
{
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&output, 1, 0) > 0;
}

void complain(const QString &text)
{
    progress({});
    writeAll(STDERR_FILENO, "lockscope-cli: " + text.toUtf8() + '\n');
}

void progress(const QString &text)
{
    if (::isatty(STDERR_FILENO) == 0 || (text.isEmpty() && !progressShown))
        return;
    progressShown = !text.isEmpty();
    writeAll(STDERR_FILENO, "\r\x1b[K" + text.toUtf8());
}

bool hasColour()
{
    return ::isatty(STDOUT_FILENO) != 0 && qEnvironmentVariableIsEmpty("NO_COLOR");
}

int width()
{
    constexpr int usual = 80;
    winsize size{};
    const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : usual;
}

void measureUtf8()
{
    if (MB_CUR_MAX == 1)
        std::setlocale(LC_CTYPE, "C.UTF-8");
}

void ignoreBrokenPipes()
{
    std::signal(SIGPIPE, SIG_IGN);
}

std::optional<QByteArray> askPassword(const QString &question)
{
    const int tty = ::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (tty < 0)
        return std::nullopt;
    std::array<char, 4096> line{};
    ssize_t size = 0;
    {
        const InterruptibleRead interruptible;
        const Silence silence(tty);
        writeAll(tty, question.toUtf8());
        size = ::read(tty, line.data(), line.size());
        writeAll(tty, "\n");
    }
    ::close(tty);
    if (size <= 0 || line[static_cast<size_t>(size) - 1] != '\n')
        return std::nullopt;
    const QByteArray password(line.data(), size - 1);
    line.fill('\0');
    return password;
}

} // namespace lockscope::console
