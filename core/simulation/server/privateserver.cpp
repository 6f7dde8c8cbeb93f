// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/server/privateserver.h"

#include "core/base/childenvironment.h"
#include "core/base/directoryname.h"

#include <QDeadlineTimer>
#include <QLocalSocket>
#include <QStandardPaths>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

namespace lockscope {

namespace {

constexpr int startMs = 10'000;
constexpr int endMs = 5'000;
constexpr int pollMs = 10;

/// $1: the directory to make and remove; the rest: redis-server with its arguments. The shell's standard
/// input is a pipe that we hold open and write the faults into. However our program ends, the kernel closes its
/// end, and the shell outlives us just long enough to clean up. SIGKILL loses nothing: the server persists
/// nothing. Each server has a reader of its own, which goes with it: what is written while one follows another
/// stays in the pipe for the next.
///
/// Why a shell: PR_SET_PDEATHSIG ends a child with the thread that started it, not with the program, exists on Linux
/// alone, and leaves the directory behind. Whoever cleans up has to outlive us, so it is a process, which would be a second
/// program to build and install; these lines need none, and hold without a thread or a signal handler of ours.
constexpr char supervisor[] = R"sh(
trap '' HUP INT PIPE TERM
umask 077
directory=$1
shift
mkdir "$directory" || exit
exec 3<&0
again=$directory/again
: >"$again"
while rm "$again" 2>/dev/null; do
    "$@" 3<&- &
    server=$!
    {
        while read -r word <&3; do
            case $word in
            pause) kill -STOP "$server" ;;
            resume) kill -CONT "$server" ;;
            restart)
                : >"$again"
                break ;;
            esac
        done
        kill -KILL "$server"
    } 2>/dev/null &
    reader=$!
    wait "$server"
    kill -KILL "$reader"
done
tail -n 5 "$directory/log" >&2
rm -rf "$directory"
)sh";

bool answers(const QString &socketPath)
{
    QLocalSocket socket;
    socket.connectToServer(socketPath);
    if (!socket.waitForConnected(pollMs))
        return false;
    socket.write("PING\r\n");
    return socket.waitForReadyRead(startMs) && socket.readAll().startsWith("+PONG");
}

} // namespace

bool PrivateServer::tryToStart(const QString &program)
{
    m_directory = freshDirectoryName();
    // Without a port, which any local user could use.
    const QStringList fixed =
        QStringLiteral("--port 0 --unixsocketperm 700 --appendonly no --maxmemory 256mb").split(u' ');
    m_process.start(QStringLiteral("/bin/sh"),
                    QStringList{QStringLiteral("-c"), QString::fromLatin1(supervisor), QStringLiteral("sh"),
                                m_directory, program} +
                        fixed +
                        QStringList{QStringLiteral("--unixsocket"), socketPath(), QStringLiteral("--dir"),
                                    m_directory, QStringLiteral("--logfile"),
                                    m_directory + QStringLiteral("/log"), QStringLiteral("--save"),
                                    QString()});
    if (!m_process.waitForStarted())
        return false;
    const QDeadlineTimer deadline(startMs);
    while (!deadline.hasExpired()) {
        if (answers(socketPath()))
            return true;
        if (m_process.waitForFinished(pollMs) || m_process.state() == QProcess::NotRunning)
            return false;
    }
    stop();
    return false;
}

void PrivateServer::stop()
{
    m_process.closeWriteChannel();
    m_process.waitForFinished(endMs);
}

void PrivateServer::send(const char *word)
{
    if (m_process.state() != QProcess::Running)
        return;
    m_process.write(word);
    m_process.waitForBytesWritten(); // a pipe has room for more words than anybody says: this does not wait
}

PrivateServer::PrivateServer(QObject *parent) : QObject(parent)
{
    m_process.setStandardOutputFile(QProcess::nullDevice());
    m_process.setProcessEnvironment(childEnvironment());
#ifdef Q_OS_UNIX
    // Ctrl-C in our terminal must reach us, not the one who cleans up behind us.
    m_process.setChildProcessModifier([] { ::setsid(); });
#endif
}

PrivateServer::~PrivateServer()
{
    stop();
}

Result<void> PrivateServer::start()
{
    const QString program = QStandardPaths::findExecutable(QStringLiteral("redis-server"));
    if (program.isEmpty()) {
        return tl::unexpected(Error(
            ErrorKind::NotStarted,
            Phrase(QT_TRANSLATE_NOOP("phrases", "Install redis-server: apt-get install redis-server"))));
    }
    if (tryToStart(program))
        return {};
    const QString printed = QString::fromLocal8Bit(m_process.readAllStandardError()).trimmed();
    const Phrase failure(QT_TRANSLATE_NOOP("phrases", "redis-server does not start: %1"),
                         printed.isEmpty() ? m_process.errorString() : printed);
    return tl::unexpected(Error(ErrorKind::NotStarted, failure));
}

void PrivateServer::pause()
{
    send("pause\n");
}

void PrivateServer::resume()
{
    send("resume\n");
}

void PrivateServer::restart()
{
    send("restart\n");
}

ServerAddress PrivateServer::address() const
{
    ServerAddress address;
    address.transport = ServerAddress::Transport::Unix;
    address.socketPath = socketPath();
    return address;
}

} // namespace lockscope
