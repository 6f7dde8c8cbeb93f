// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include "app/interrupt.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <clocale>
#include <csignal>
#include <limits>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

namespace lockscope::console {

namespace {

using std::chrono::steady_clock;

// So much fits at once into a pipe that is said to be writable: the write waits for nobody, and a line is written whole or
// not at all.
constexpr qsizetype chunkBytes = PIPE_BUF;

// Why it ends is told even then, to a reader that does not stand still as well.
constexpr std::chrono::seconds lastWordsTime{1};

std::optional<steady_clock::time_point> waitUntil;
bool progressShown = false;

int pollTime(std::optional<steady_clock::time_point> until)
{
    if (!until)
        return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - steady_clock::now());
    return static_cast<int>(std::clamp<qint64>(left.count(), 0, std::numeric_limits<int>::max()));
}

/// Returns false if the time limit or a signal ended the waiting.
bool waitUntilWritable(int fd)
{
    std::optional<steady_clock::time_point> until = waitUntil;
    bool isLast = fd != STDERR_FILENO;
    int interrupt = Interrupt::descriptor();
    for (;;) {
        std::array<pollfd, 2> files{pollfd{fd, POLLOUT, 0}, pollfd{interrupt, POLLIN, 0}};
        const int ready = ::poll(files.data(), files.size(), pollTime(until));
        if (ready < 0 && errno == EINTR)
            continue;
        const bool isToEnd = ready == 0 || (ready > 0 && files[1].revents != 0);
        if (!isToEnd || (fd == STDERR_FILENO && files[0].revents != 0))
            return true; // or it is an error, which the write tells
        if (isLast)
            return false;
        isLast = true;
        interrupt = -1; // poll() passes it over
        until = steady_clock::now() + lastWordsTime;
    }
}

/// Returns the part of `rest` to write at once: whole lines unless they are too long.
QByteArrayView chunkOf(QByteArrayView rest)
{
    const QByteArrayView most = rest.first(std::min(rest.size(), chunkBytes));
    const qsizetype lineEnd = most.lastIndexOf('\n');
    return lineEnd < 0 || most.size() == rest.size() ? most : most.first(lineEnd + 1);
}

WriteResult writeAll(int fd, QByteArrayView rest)
{
    struct stat status = {};
    const bool isSocket = ::fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
    while (!rest.isEmpty()) {
        if (!waitUntilWritable(fd))
            return {WriteResult::Stopped};
        const QByteArrayView chunk = chunkOf(rest);
        const auto size = static_cast<size_t>(chunk.size());
        const ssize_t count = isSocket ? ::send(fd, chunk.data(), size, MSG_DONTWAIT | MSG_NOSIGNAL)
                                       : ::write(fd, chunk.data(), size);
        if (count >= 0)
            rest = rest.sliced(count);
        else if (errno == EPIPE || errno == ECONNRESET)
            return {WriteResult::NobodyReads};
        else if (errno != EINTR && errno != EAGAIN)
            return {WriteResult::Failed, errno};
    }
    return {};
}

class EchoOff
{
public:
    explicit EchoOff(int tty) : m_tty(tty)
    {
        ::tcgetattr(m_tty, &m_before);
        termios silent = m_before;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        ::tcsetattr(m_tty, TCSAFLUSH, &silent);
    }
    ~EchoOff() { ::tcsetattr(m_tty, TCSAFLUSH, &m_before); }
    EchoOff(const EchoOff &) = delete;
    EchoOff &operator=(const EchoOff &) = delete;

private:
    int m_tty;
    termios m_before{};
};

/// Makes Ctrl-C interrupt a read() instead of the program, which would leave the terminal without echo.
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

/// True for a terminal that knows no control sequences.
bool isDumb()
{
    return qgetenv("TERM") == "dumb";
}

} // namespace

void openStandardStreams()
{
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        // The lowest number that is free is given: this one.
        if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF) [[maybe_unused]]
            const int opened = ::open(
                "/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY); // NOLINT(android-cloexec-open)
    }
}

WriteResult out(const QByteArray &text)
{
    return writeAll(STDOUT_FILENO, text);
}

void waitNoLongerThan(steady_clock::time_point moment)
{
    waitUntil = moment;
}

WriteResult settle()
{
    struct stat status = {};
    if (::fstat(STDOUT_FILENO, &status) != 0 || !S_ISREG(status.st_mode))
        return {};
    const bool isFlushed = ::fsync(STDOUT_FILENO) == 0 || errno == EINVAL || errno == EROFS || errno == EINTR;
    if (!isFlushed)
        return {WriteResult::Failed, errno};
    const int twin = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0); // on some file systems only a close tells
    if (twin >= 0 && ::close(twin) != 0 && errno != EINTR)
        return {WriteResult::Failed, errno};
    return {};
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

void printError(const QString &text)
{
    progress({});
    writeAll(STDERR_FILENO, "lockscope-cli: " + text.toUtf8() + '\n');
}

void progress(const QString &text)
{
    if (::isatty(STDERR_FILENO) == 0 || isDumb() || (text.isEmpty() && !progressShown))
        return;
    progressShown = !text.isEmpty();
    writeAll(STDERR_FILENO, "\r\x1b[K" + text.toUtf8());
}

bool hasColor()
{
    return isTerminal() && !isDumb() && qEnvironmentVariableIsEmpty("NO_COLOR");
}

bool isTerminal()
{
    return ::isatty(STDOUT_FILENO) != 0;
}

void summary(const QByteArray &text)
{
    writeAll(STDERR_FILENO, text);
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

bool hasTerminal()
{
    const int tty = ::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (tty >= 0)
        ::close(tty);
    return tty >= 0;
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
        const EchoOff silence(tty);
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
