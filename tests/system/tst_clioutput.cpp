// SPDX-License-Identifier: GPL-3.0-or-later
// Standard output that takes nothing, or takes it slowly; and what stands in JSON.
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QtTest>

#include <csignal>
#include <memory>
#include <optional>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace lockscope;
using Words = QList<QByteArray>;

namespace {

/// The program, writing to a pipe whose other end is read when the test says so.
class Piped
{
public:
    explicit Piped(const Words &arguments, int flags = 0, bool isFull = false) : m_arguments(arguments)
    {
        if (::pipe2(m_ends.data(), O_CLOEXEC) != 0)
            qFatal("no pipe");
        if (isFull) {
            ::fcntl(m_ends[1], F_SETFL, O_NONBLOCK);
            const QByteArray page(4096, '-');
            while (::write(m_ends[1], page.constData(), static_cast<size_t>(page.size())) > 0) {
            }
        }
        ::fcntl(m_ends[1], F_SETFL, flags);
        QStringList list;
        for (const QByteArray &argument : arguments)
            list.append(QString::fromUtf8(argument));
        m_process.setChildProcessModifier([this] { ::dup2(m_ends[1], STDOUT_FILENO); });
        m_process.start(CliProgram::path(), list);
        m_process.waitForStarted();
        ::close(m_ends[1]);
    }
    ~Piped()
    {
        m_process.kill();
        m_process.waitForFinished();
        ::close(m_ends[0]);
    }
    Piped(const Piped &) = delete;
    Piped &operator=(const Piped &) = delete;

    int waiting() const
    {
        int bytes = 0;
        ::ioctl(m_ends[0], FIONREAD, &bytes);
        return bytes;
    }
    /// Nobody reads, and no more fits into the pipe (a line more, that is).
    bool isFull() const { return waiting() > 56 * 1024; }
    QByteArray readAll()
    {
        QByteArray all;
        std::array<char, 4096> chunk{};
        for (;;) {
            const ssize_t count = ::read(m_ends[0], chunk.data(), chunk.size());
            if (count <= 0)
                break;
            all.append(chunk.data(), count);
        }
        keepJson(m_arguments, all);
        return all;
    }
    void send(int signal) const { ::kill(static_cast<pid_t>(m_process.processId()), signal); }
    bool hasEnded() const { return m_process.state() == QProcess::NotRunning; }
    /// -1: it was killed.
    int exitCode() const
    {
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    QByteArray errors() { return m_process.readAllStandardError(); }

private:
    const Words m_arguments;
    std::array<int, 2> m_ends{};
    QProcess m_process;
};

} // namespace

class TestCliOutput : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_cli.reset(); }

    void aFullDiskIsAnError_data();
    void aFullDiskIsAnError();
    void aFileIsWrittenWhole();
    void aClosedOutputIsAnError();
    void aClosedPipeIsNone_data();
    void aClosedPipeIsNone();
    void aSlowReaderIsWaitedFor_data();
    void aSlowReaderIsWaitedFor();
    void aReaderThatStandsStill_data();
    void aReaderThatStandsStill();
    void anOutcomeThatNobodyReadsIsToldAsAnError_data();
    void anOutcomeThatNobodyReadsIsToldAsAnError();
    void aSignalIsNoReasonToSayNothing();
    void jsonObeysNoTerminal();

private:
    Words here(const Words &words) const
    {
        return Words{"-s", QFile::encodeName(m_server.socketPath())} + words;
    }
    /// By a shell, with a redirection.
    Ran shell(const QByteArray &redirection, const Words &words) const
    {
        return runProgram(QStringLiteral("bash"),
                          Words{"-c", "\"$0\" \"$@\" " + redirection, QFile::encodeName(CliProgram::path())} +
                              here(words));
    }
    void manyLocks()
    {
        m_server.cli({"EVAL",
                      "for i = 1, 3000 do redis.call('SET', 'lock:' .. i, 'worker-' .. i, 'PX', 600000) end",
                      "0"});
    }

    RedisServer m_server;
    std::optional<CliProgram> m_cli;
};

void TestCliOutput::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_cli.emplace();
    QCOMPARE(m_server.cli({"FLUSHALL"}), "OK");
    m_server.cli({"SET", "lock:a", "worker-7", "PX", "600000"});
}

void TestCliOutput::aFullDiskIsAnError_data()
{
    QTest::addColumn<Words>("words");
    for (const Words &words :
         QList<Words>{{"list"},
                      {"list", "--json"},
                      {"get", "lock:a"},
                      {"get", "lock:a", "--json"},
                      {"get", "lock:a", "--explain"},
                      {"search", "--json"},
                      {"who", "lock:a", "--duration", "0.1"},
                      {"watch", "--json", "--duration", "20"},
                      {"acquire", "lock:b", "--owner", "me", "--lease", "30", "--json"},
                      {"audit", "verify"},
                      {"simulate", "--strategy", "token-set", "--workers", "1", "--rounds", "1"},
                      {"--help"},
                      {"--version"}})
        QTest::newRow(words.join(' ').constData()) << words;
}

void TestCliOutput::aFullDiskIsAnError()
{
    QFETCH(const Words, words);
    if (words[0] == "audit") {
        const Words acquire{"acquire", "lock:b", "--owner", "me", "--lease", "30"};
        VERIFY_EXIT(CliProgram::on(m_server, acquire), 0);
    }
    const bool isAlone = words[0] == "simulate" || words[0] == "audit";
    const Ran ran = runProgram(QStringLiteral("bash"), Words{"-c", "\"$0\" \"$@\" > /dev/full",
                                                             QFile::encodeName(CliProgram::path())} +
                                                           (isAlone ? words : here(words)));
    VERIFY_EXIT(ran, 5);
    QVERIFY2(ran.err.contains("result not written: No space left on device"), ran.err.constData());
}

void TestCliOutput::aFileIsWrittenWhole()
{
    manyLocks();
    QTemporaryFile file;
    QVERIFY(file.open());
    VERIFY_EXIT(shell("> " + QFile::encodeName(file.fileName()), {"list", "--json"}), 0);
    QCOMPARE(jsonIn(file.readAll())[QLatin1String("locks")].toArray().size(), 3001);
}

/// And no other file gets its number, to be written into.
void TestCliOutput::aClosedOutputIsAnError()
{
    const Ran ran = shell(">&-", {"list", "--json"});
    VERIFY_EXIT(ran, 5);
    QVERIFY2(ran.err.contains("result not written"), ran.err.constData());
    VERIFY_EXIT(shell("2>&- <&-", {"list", "--json"}), 0);
}

void TestCliOutput::aClosedPipeIsNone_data()
{
    QTest::addColumn<Words>("words");
    QTest::newRow("list") << Words{"list", "--json"};
    QTest::newRow("watch") << Words{"watch", "--json"};
    QTest::newRow("help") << Words{"--help"};
}

void TestCliOutput::aClosedPipeIsNone()
{
    QFETCH(const Words, words);
    manyLocks();
    const Ran ran = shell("| true; exit ${PIPESTATUS[0]}", words);
    VERIFY_EXIT(ran, 0);
    QCOMPARE(ran.err, "");
}

void TestCliOutput::aSlowReaderIsWaitedFor_data()
{
    QTest::addColumn<int>("flags");
    QTest::newRow("a pipe") << 0;
    QTest::newRow("a non-blocking pipe") << O_NONBLOCK;
}

void TestCliOutput::aSlowReaderIsWaitedFor()
{
    QFETCH(const int, flags);
    manyLocks();
    Piped list(here({"list", "--json"}), flags);
    QTRY_VERIFY_WITH_TIMEOUT(list.isFull() || list.hasEnded(), 30'000);
    QVERIFY(!list.hasEnded());
    const QByteArray all = list.readAll();
    QTRY_VERIFY(list.hasEnded());
    QCOMPARE(list.exitCode(), 0);
    QCOMPARE(jsonIn(all)[QLatin1String("locks")].toArray().size(), 3001);
}

void TestCliOutput::aReaderThatStandsStill_data()
{
    QTest::addColumn<Words>("words");
    QTest::addColumn<int>("signal"); // 0: none is needed
    QTest::addColumn<int>("exitCode");
    QTest::newRow("watch, Ctrl-C") << Words{"watch", "--json"} << SIGINT << 0;
    QTest::newRow("watch, TERM") << Words{"watch", "--json"} << SIGTERM << 0;
    QTest::newRow("watch, HUP") << Words{"watch", "--json"} << SIGHUP << 0;
    QTest::newRow("watch, the end of its time") << Words{"watch", "--json", "--duration", "6"} << 0 << 0;
    QTest::newRow("list, TERM") << Words{"list", "--json"} << SIGTERM << 5;
}

void TestCliOutput::aReaderThatStandsStill()
{
    QFETCH(const Words, words);
    QFETCH(const int, signal);
    QFETCH(const int, exitCode);
    manyLocks();
    Piped program(here(words));
    QTRY_VERIFY_WITH_TIMEOUT(program.isFull() || program.hasEnded(), 30'000);
    if (signal != 0) {
        QVERIFY(!program.hasEnded());
        program.send(signal);
    }
    QTRY_VERIFY_WITH_TIMEOUT(program.hasEnded(), 20'000);
    QCOMPARE(program.exitCode(), exitCode);
    const QByteArray all = program.readAll();
    if (exitCode == 0) // of the events none is cut
        QVERIFY2(all.endsWith("}\n"), all.last(80).constData());
}

/// What was done is known and can't be asked for again: where its line does not get out, an error tells it.
void TestCliOutput::anOutcomeThatNobodyReadsIsToldAsAnError_data()
{
    QTest::addColumn<int>("signal");
    QTest::addColumn<Words>("format");
    QTest::newRow("TERM") << SIGTERM << Words{"--json"};
    QTest::newRow("Ctrl-C") << SIGINT << Words{"--json"};
    QTest::newRow("Ctrl-C, in words") << SIGINT << Words{};
}

void TestCliOutput::anOutcomeThatNobodyReadsIsToldAsAnError()
{
    QFETCH(const int, signal);
    QFETCH(const Words, format);
    Piped program(here(Words{"force-expire", "lock:a", "--expect-owner", "worker-7"} + format), 0, true);
    QTRY_COMPARE_WITH_TIMEOUT(m_cli->auditRecords().size(), 2, 20'000);
    QVERIFY(!program.hasEnded());
    program.send(signal);
    QTRY_VERIFY_WITH_TIMEOUT(program.hasEnded(), 20'000);
    QCOMPARE(program.exitCode(), 5);
    const QByteArray errors = program.errors();
    QVERIFY2(errors.contains("interrupted: the output is incomplete"), errors.constData());
    QVERIFY2(errors.contains("lock:a: The lock was force-expired"), errors.constData());
    QCOMPARE(m_server.cli({"EXISTS", "lock:a"}), "0");

    m_server.cli({"SET", "lock:a", "worker-7", "PX", "600000"});
    const Ran full =
        runProgram(QStringLiteral("bash"),
                   Words{"-c", "\"$0\" \"$@\" > /dev/full", QFile::encodeName(CliProgram::path())} +
                       here(Words{"force-expire", "lock:a", "--expect-owner", "worker-7"} + format));
    VERIFY_EXIT(full, 5);
    QVERIFY2(full.err.contains("lock:a: The lock was force-expired"), full.err.constData());
}

/// Of a look nothing is lost: but why there is no result is said.
void TestCliOutput::aSignalIsNoReasonToSayNothing()
{
    manyLocks();
    Piped list(here({"list", "--json"}));
    QTRY_VERIFY_WITH_TIMEOUT(list.isFull() || list.hasEnded(), 30'000);
    list.send(SIGTERM);
    QTRY_VERIFY_WITH_TIMEOUT(list.hasEnded(), 20'000);
    QCOMPARE(list.exitCode(), 5);
    const QByteArray errors = list.errors();
    QVERIFY2(errors.contains("interrupted: the output is incomplete"), errors.constData());
}

/// What a terminal obeys, or what turns a line around, comes as \uNNNN: of keys, owners and values alike, in every document.
void TestCliOutput::jsonObeysNoTerminal()
{
    // DEL, CSI and NEL of C1, right-to-left marks and isolates, a zero-width space, one beyond 16 bits, a byte order mark.
    const QByteArray evil =
        "\x7f\xc2\x9b\xc2\x85\xe2\x80\xae\xe2\x81\xa6\xd8\x9c\xe2\x80\x8b\xf3\xa0\x80\xa1\xef\xbb\xbf";
    const QByteArray key = "lock:" + evil;
    m_server.cli({"FLUSHALL"});
    m_server.cli({"HSET", key, "owner" + evil, "1"});
    QList<QByteArray> documents;
    const auto run = [&](const Words &words) {
        documents.append(CliProgram::on(m_server, words + Words{"--json"}).out);
        return jsonIn(documents.last());
    };
    const QString text = QString::fromUtf8(key);
    QCOMPARE(run({"list"})[QLatin1String("locks")][0][QLatin1String("key")].toString(), text);
    QCOMPARE(run({"get", key})[QLatin1String("owners")][0][QLatin1String("id")].toString(),
             QString::fromUtf8("owner" + evil));
    QCOMPARE(run({"get", key, "--explain"})[QLatin1String("key")].toString(), text);
    QCOMPARE(run({"acquire", key, "--owner", "x", "--lease", "9"})[QLatin1String("key")].toString(), text);
    QCOMPARE(run({"who", key, "--duration", "0.1"})[QLatin1String("key")].toString(), text);
    run({"search"});
    const QByteArray events = CliProgram::on(m_server, {"watch", "--json", "--duration", "1"}).out;
    QVERIFY(events.contains("\\u202e"));
    documents += {events, m_cli->audit()};
    for (const QByteArray &document : documents) {
        QVERIFY(!document.isEmpty());
        for (const char *part : {"\x7f", "\xc2\x9b", "\xc2\x85", "\xe2\x80\xae", "\xe2\x81\xa6", "\xd8\x9c",
                                 "\xe2\x80\x8b", "\xf3\xa0\x80\xa1", "\xef\xbb\xbf"})
            QVERIFY2(!document.contains(part), document.constData());
    }
    QVERIFY(
        documents[0].contains("lock:\\u007f\\u009b\\u0085\\u202e\\u2066\\u061c\\u200b\\udb40\\udc21\\ufeff"));
    VERIFY_EXIT(CliProgram::run({"audit", "verify"}), 0);
}

QTEST_GUILESS_MAIN(TestCliOutput)
#include "tst_clioutput.moc"
