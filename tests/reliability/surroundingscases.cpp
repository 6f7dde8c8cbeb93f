// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses, secrets, files and clocks around the program.
#include "core/journal/auditlog.h"
#include "tests/reliability/inputcase.h"

#include <QDir>
#include <QFile>
#include <QProcess>

#include <sys/stat.h>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

void addresses(InputProbe &probe)
{
    for (const char *text : {"redis://:p@ss:w/rd%@h",
                             "redis://h:99999",
                             "redis://h/abc",
                             "redis://h/-1",
                             "redis+sentinel://a:1,b:2/",
                             "redis://[::1]:6379/1",
                             "redis://[::1",
                             "redis://:pw@",
                             "redis://u:%ff%00@h",
                             "unix://",
                             "unix:///x?db=-1",
                             "rediss://",
                             "h:0",
                             "h:-1",
                             ":::",
                             "",
                             "//",
                             "redis://h:1/9999999999999999999",
                             "\xff\xfe",
                             "redis://%"}) {
        probe.timed([text] { std::ignore = ServerAddress::parse(QString::fromUtf8(text)); });
        const Ran ran = probe.command({"-u", text, "list"});
        probe.check(!ran.err.contains("p@ss"), "a password is repeated");
    }
    probe.timed([] { std::ignore = ServerAddress::parse(QString(128 * 1024, u'x')); });
}

/// A password on the command line is soon gone from what others see of it.
void secrets(InputProbe &probe)
{
    QProcess process;
    // One that takes it: refused, the program would be gone before it is looked at.
    const RedisServer &server = probe.server({{"CONFIG", "SET", "requirepass", "canary-7f3a"}});
    process.start(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope-cli"),
                  {QStringLiteral("-s"), server.socketPath(), QStringLiteral("-a"),
                   QStringLiteral("canary-7f3a"), QStringLiteral("watch"), QStringLiteral("--duration"),
                   QStringLiteral("1")});
    process.waitForStarted();
    bool gone = false;
    while (!gone && process.state() == QProcess::Running) {
        process.waitForFinished(10);
        QFile line(QStringLiteral("/proc/%1/cmdline").arg(process.processId()));
        gone = line.open(QIODevice::ReadOnly) && !line.readAll().contains("canary-7f3a");
    }
    process.waitForFinished();
    const QByteArray said = process.readAllStandardOutput() + process.readAllStandardError();
    probe.check(gone && !said.contains("canary"), "a password stays in sight");
}

/// Where the record can't be written nothing is sent.
void auditFiles(InputProbe &probe)
{
    probe.server();
    const QString state = probe.directory().filePath(QStringLiteral("state"));
    const QString file = state + QStringLiteral("/lockscope/audit.jsonl");
    int number = 0;
    const auto act = [&](bool works, const char *what) {
        const QByteArray key = "lock:" + QByteArray::number(number++);
        const Ran ran = probe.command(
            probe.bySocket() + QByteArrayList{"--json", "acquire", key, "--owner", "me", "--lease", "9"},
            {QStringLiteral("XDG_STATE_HOME=") + state});
        probe.check((ran.exitCode == 0) == works, QByteArray(what) + ": " + ran.err);
        probe.check((probe.server().cli({"EXISTS", key}) == "1") == works,
                    QByteArray(what) + ": sent all the same");
    };
    QDir().mkpath(state + QStringLiteral("/lockscope"));
    ::chmod(QFile::encodeName(state + QStringLiteral("/lockscope")).constData(), 0700);
    const QByteArray path = QFile::encodeName(file);
    act(true, "a new file");
    QFile::remove(file);
    QFile::link(QStringLiteral("/dev/null"), file);
    act(false, "a symbolic link");
    QFile::remove(file);
    ::mkfifo(path.constData(), 0600);
    act(false, "a FIFO");
    QFile::remove(file);
    QDir().mkdir(file);
    act(false, "a directory");
    QDir().rmdir(file);
    QFile garbage(file);
    if (garbage.open(QIODevice::WriteOnly))
        garbage.write("no record\n");
    garbage.close();
    ::chmod(path.constData(), 0600);
    act(false, "garbage");
    for (const QByteArray &bytes : {QByteArray("{"), QByteArray("\0\0\0\n", 4), QByteArray(3'000'000, 'x'),
                                    QByteArray("[").repeated(100'000) + '\n', QByteArray("\xff\n")}) {
        QFile odd(file);
        if (odd.open(QIODevice::WriteOnly | QIODevice::Truncate))
            odd.write(bytes);
        odd.close();
        probe.timed([&] { std::ignore = AuditLog::verify(file); });
        probe.command({"audit", "verify", path});
    }
}

/// The program's own clock is wrong.
void clocks(InputProbe &probe)
{
    probe.server({{"SET", "lock:a", "x", "PX", "600000"}});
    const QString clock = probe.directory().filePath(QStringLiteral("clock"));
    for (const qint64 offset : {qint64(-50) * 365 * 86400, qint64(200) * 365 * 86400, qint64(3600)}) {
        QFile file(clock);
        const qint64 microseconds = offset * 1'000'000;
        if (file.open(QIODevice::WriteOnly))
            file.write(reinterpret_cast<const char *>(&microseconds),
                       sizeof microseconds); // NOLINT: its bytes
        file.close();
        const QStringList shim{QStringLiteral("LD_PRELOAD=" LOCKSCOPE_CLOCK_SHIM),
                               QStringLiteral("CLOCK_SHIM=") + clock,
                               QStringLiteral("ASAN_OPTIONS=verify_asan_link_order=0")};
        const Ran ran = probe.command(probe.bySocket() + QByteArrayList{"--json", "get", "lock:a"}, shim);
        probe.check(ran.exitCode == 0, "with a wrong clock: " + ran.err);
        probe.command(probe.bySocket() + QByteArrayList{"extend", "lock:a", "--owner", "x", "--lease", "600"},
                      shim);
    }
}

void plans(InputProbe &probe)
{
    for (const QByteArrayList &options : {QByteArrayList{"--workers", "0"},
                                          {"--workers", "-1"},
                                          {"--workers", "1000000000"},
                                          {"--workers", "x"},
                                          {"--lease", "0.0001"},
                                          {"--lease", "-1"},
                                          {"--lease", "1e400"},
                                          {"--duration", "99999999999999"},
                                          {"--locks", "0"},
                                          {"--algorithm", "nonsense"},
                                          {"--scenario", "nonsense"},
                                          {"--seed", "-1"},
                                          {"--processes", "1000000"}}) {
        const Ran ran = probe.command(QByteArrayList{"simulate", "--demo"} + options);
        probe.check(ran.exitCode == 2 || ran.exitCode == 3,
                    "simulate " + options.join(' ') + " ended with " + QByteArray::number(ran.exitCode));
    }
}

} // namespace

std::vector<InputCase> surroundingsCases()
{
    return {
        {"B51", "addresses", addresses, true},
        {"B52", "passwords on the command line", secrets, true},
        {"B53", "settings that are damaged", {}}, // tests/ui/connect
        {"B54", "audit files that are none", auditFiles, true},
        {"B55", "tables for other programs", {}}, // there is no export yet
        {"B56", "exports of bytes that are no text", {}},
        {"B57", "exports over other files", {}},
        {"B58", "the clipboard", {}}, // tests/ui
        {"B59", "a local clock that is wrong", clocks, true},
        {"B60", "simulations of nonsense", plans},
    };
}

} // namespace lockscope
