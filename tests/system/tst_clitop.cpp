// SPDX-License-Identifier: GPL-3.0-or-later
// `top` in a real terminal, which is tmux's.
#include "tests/system/cliprogram.h"

#include <QtTest>

#include <csignal>

using namespace lockscope;
using namespace Qt::StringLiterals;

namespace {

constexpr int patience = 30'000;

/// A terminal with lockscope-cli in it, which stays when that ends.
class Terminal
{
public:
    /// `setting` comes before the program: "TERM=vt100".
    Terminal(const QByteArrayList &words, int columns, int rows, const QByteArray &setting = "TERM=screen")
    {
        const QByteArray command = "LANGUAGE=en LC_ALL=C.UTF-8 " + setting + ' ' +
                                   QFile::encodeName(CliProgram::path()) + ' ' + words.join(' ') +
                                   "; echo ended with $?; stty | grep -c -- -echo; sleep 60";
        run({"new-session", "-d", "-s", "t", "-x", QByteArray::number(columns), "-y",
             QByteArray::number(rows), command});
    }
    ~Terminal() { run({"kill-server"}); }
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    void type(const QByteArray &text) const { run({"send-keys", "-t", "t", "-l", text}); }
    /// A key by tmux's name: "Enter".
    void press(const QByteArray &key) const { run({"send-keys", "-t", "t", key}); }
    void resize(int columns, int rows) const
    {
        run({"resize-window", "-t", "t", "-x", QByteArray::number(columns), "-y", QByteArray::number(rows)});
    }
    /// Sends a signal to the program, the child of the terminal's shell.
    void signal(int number) const
    {
        const QByteArray shell = run({"list-panes", "-F", "#{pane_pid}"}).trimmed();
        QFile children(u"/proc/%1/task/%1/children"_s.arg(QLatin1String(shell)));
        QVERIFY(children.open(QIODevice::ReadOnly));
        const int program = children.readAll().trimmed().toInt();
        QVERIFY(program > 1);
        QCOMPARE(::kill(program, number), 0);
    }
    QByteArrayList lines() const { return run({"capture-pane", "-p", "-t", "t"}).split('\n'); }
    QByteArray text() const { return lines().join('\n'); }
    bool comesTo(const QByteArray &text) const
    {
        const bool isThere = QTest::qWaitFor([&] { return this->text().contains(text); }, patience);
        if (!isThere)
            qWarning("%s", this->text().constData());
        return isThere;
    }
    bool comesToEnd(int status) const
    {
        return comesTo("ended with " + QByteArray::number(status) + "\n0"); // with its echo
    }

private:
    QByteArray run(const QByteArrayList &words) const
    {
        const QByteArray socket = QFile::encodeName(m_directory.filePath(u"tmux"_s));
        return runProgram(u"tmux"_s, QByteArrayList{"-u", "-S", socket, "-f", "/dev/null"} + words).out;
    }

    QTemporaryDir m_directory;
};

} // namespace

class TestCliTop : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cli.emplace();
        m_server.cli({"FLUSHALL"});
        for (const QByteArray key : {"lock:a", "lock:b", "lock:c"})
            m_server.cli(
                {"EVAL",
                 "redis.call('hset', KEYS[1], ARGV[1], 1) return redis.call('pexpire', KEYS[1], 600000)", "1",
                 key, "7c9e6679-7425-40de-944b-e07fc1f90ae7:" + key.right(1)});
    }

    void itFitsAndFollowsTheTerminal()
    {
        for (const QByteArray term : {"vt100", "linux", "screen", "xterm-256color"}) {
            const Terminal terminal(with({}), 80, 24, "TERM=" + term);
            QVERIFY2(terminal.comesTo("lock:c"), term);
            QVERIFY2(terminal.text().contains("Held for") && terminal.text().contains("locks: 3"), term);
            QCOMPARE(terminal.lines().value(23).left(13), "Enter inspect");
            if (term != "screen")
                continue;
            terminal.resize(120, 40);
            QVERIFY(terminal.comesTo("Holds"));
            QTRY_COMPARE_WITH_TIMEOUT(terminal.lines().value(39).left(13), "Enter inspect", patience);
            terminal.resize(60, 20);
            QTRY_COMPARE_WITH_TIMEOUT(terminal.lines().value(19).left(13), "Enter inspect", patience);
            QVERIFY2(terminal.text().contains("Owner") && terminal.text().contains("Time left"),
                     terminal.text());
            terminal.press("C-c");
            QVERIFY(terminal.comesToEnd(0));
        }
    }

    void aLockIsFoundInspectedAndEnded()
    {
        const Terminal terminal(with({}), 80, 24);
        QVERIFY(terminal.comesTo("lock:c"));
        terminal.type("/key:nothing");
        QVERIFY(terminal.comesTo("No lock matches the filter"));
        terminal.press("C-u");
        terminal.type("key:b");
        QVERIFY(terminal.comesTo("shown: 1"));
        terminal.press("Enter");
        QVERIFY(terminal.comesTo("filter: key:b"));
        terminal.press("Enter");
        QVERIFY(terminal.comesTo("Effects of force-expire:"));
        QVERIFY2(terminal.text().contains("7c9e6679-7425-40de-944b-e07fc1f90ae7:b"), terminal.text());
        terminal.type("x");
        QVERIFY(terminal.comesTo("Type yes"));
        terminal.type("yes");
        terminal.press("Enter");
        QVERIFY(terminal.comesTo("The lock was force-expired"));
        QCOMPARE(m_server.cli({"EXISTS", "lock:a", "lock:b", "lock:c"}), "2");
        const QList<QJsonObject> records = m_cli->auditRecords();
        QCOMPARE(records.size(), 2);
        QCOMPARE(records.first()[u"action"_s].toString(), u"force-expire"_s);
        terminal.press("Escape");
        QVERIFY(terminal.comesTo("Key"));
        terminal.type("q");
        QVERIFY(terminal.comesToEnd(0));
    }

    void productionAsksForTheNameAndReadOnlyRefuses()
    {
        {
            const Terminal terminal(with({"--environment", "production", "--filter", "key:a"}), 80, 24);
            QVERIFY(terminal.comesTo("lock:a"));
            terminal.type("xyes");
            terminal.press("Enter");
            QVERIFY(terminal.comesTo("Not lock:a"));
            terminal.press("C-u");
            terminal.type("lock:a");
            terminal.press("Enter");
            QVERIFY(terminal.comesTo("The lock was force-expired"));
            QCOMPARE(m_server.cli({"EXISTS", "lock:a"}), "0");
        }
        const Terminal terminal(with({"--read-only"}), 80, 24);
        QVERIFY(terminal.comesTo("lock:c"));
        terminal.type("x");
        QVERIFY(terminal.comesTo("Read-only mode: no actions."));
    }

    void aLostServerIsToldAndComesBack()
    {
        RedisServer server;
        server.cli({"SET", "lock:x", "7c9e6679", "PX", "600000"});
        const Terminal terminal({"-s", QFile::encodeName(server.socketPath()), "top"}, 80, 24);
        QVERIFY(terminal.comesTo("lock:x"));
        server.stop();
        QVERIFY(terminal.comesTo("cannot be opened"));
        QVERIFY2(terminal.text().contains("lock:x"), terminal.text());
        server.start();
        server.cli({"SET", "lock:y", "7c9e6679", "PX", "600000"});
        QVERIFY(terminal.comesTo("lock:y"));
    }

    void aRecordingIsShownChangeByChange()
    {
        const QTemporaryDir directory;
        const QByteArray file = QFile::encodeName(directory.filePath(u"r"_s));
        std::future<Ran> recording = std::async(std::launch::async, [&] {
            return CliProgram::on(m_server, {"record", file, "--duration", "3"});
        });
        QTRY_VERIFY(QFile::exists(QFile::decodeName(file)));
        QTest::qWait(1500);
        m_server.cli({"DEL", "lock:b"});
        VERIFY_EXIT(recording.get(), 0);
        const Terminal terminal({"top", "--replay", file}, 80, 24);
        QVERIFY(terminal.comesTo("locks: 3"));
        QVERIFY(terminal.comesTo("lock:b"));
        terminal.press("Right");
        QVERIFY(terminal.comesTo("locks: 2"));
        QVERIFY(terminal.comesTo("released"));
        terminal.press("Left");
        QVERIFY(terminal.comesTo("locks: 3"));
        terminal.type("x");
        QVERIFY(terminal.comesTo("This is a recording: no actions."));
        terminal.type("q");
        QVERIFY(terminal.comesToEnd(0));
    }

    void aCrashLeavesTheTerminalAsItWas()
    {
        const Terminal terminal(with({}), 80, 24);
        QVERIFY(terminal.comesTo("lock:c"));
        terminal.signal(SIGABRT);
        QVERIFY(terminal.comesToEnd(134));
        QVERIFY2(!terminal.text().contains("lock:c"), terminal.text()); // the other screen is back
    }

    void withoutATerminalItNamesOtherVerbs()
    {
        const Ran ran = CliProgram::on(m_server, {"top"});
        VERIFY_EXIT(ran, 2);
        QCOMPARE(ran.err, "lockscope-cli: top needs a terminal. Use list or watch.\n");
        const Terminal terminal(with({}), 80, 24, "TERM=dumb");
        QVERIFY(terminal.comesTo("(TERM=dumb). Use list or watch."));
        QVERIFY(terminal.comesToEnd(2));
    }

private:
    QByteArrayList with(const QByteArrayList &options) const
    {
        return QByteArrayList{"-s", QFile::encodeName(m_server.socketPath()), "top"} + options;
    }

    RedisServer m_server;
    std::optional<CliProgram> m_cli;
};

QTEST_GUILESS_MAIN(TestCliTop)
#include "tst_clitop.moc"
