// SPDX-License-Identifier: GPL-3.0-or-later
// The completions, as they were built, in the shells that they are for, against the table of options.
#include "app/optiontable.h"
#include "core/redis/storedservers.h"
#include "tests/support/redisserver.h"

#include <QDir>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace lockscope;
using Words = QByteArrayList;

namespace {

const QByteArray folder = LOCKSCOPE_BUILD_DIR "/packaging/commandline/";

QByteArray quoted(QByteArray word)
{
    return '\'' + word.replace('\'', "'\\''") + '\'';
}

/// "--wake=s" as bash hands it to a completion: "--wake", "=", "s".
Words splitByBash(const QByteArray &word)
{
    Words parts{""};
    for (const char c : word) {
        const bool isBreak = c == '=' || c == ':';
        if (!parts.last().isEmpty() && (isBreak || parts.last() == "=" || parts.last() == ":"))
            parts.append("");
        parts.last() += c;
    }
    return parts;
}

/// Prints what is offered at the end of a line, one a line.
QByteArray bashCall(const Words &words)
{
    QByteArray array;
    qsizetype last = -1;
    for (const QByteArray &word : words) {
        for (const QByteArray &part : splitByBash(word)) {
            array += ' ' + quoted(part);
            ++last;
        }
    }
    const QByteArray at = QByteArray::number(last);
    return "COMP_WORDS=(" + array + "); COMP_CWORD=" + at + "; COMP_LINE=" + quoted(words.join(' ')) +
           "; COMP_POINT=${#COMP_LINE}; COMPREPLY=()\n_lockscope " + quoted(words.first()) +
           "; printf '%s\\n' \"${COMPREPLY[@]}\" _end\n";
}

/// What is offered for each of these lines.
QList<QSet<QByteArray>> inBash(const QList<Words> &lines)
{
    QByteArray script =
        "source /usr/share/bash-completion/bash_completion\nsource " + folder + "lockscope.bash\n";
    for (const Words &words : lines)
        script += bashCall(words);
    const Ran ran =
        runProgram(QStringLiteral("bash"), {"--norc", "-c", script}, {},
                   {QStringLiteral("PATH=" LOCKSCOPE_BIN_DIR ":") + qEnvironmentVariable("PATH")});
    if (!ran.err.isEmpty())
        qWarning("%s", ran.err.constData());
    QList<QSet<QByteArray>> answers;
    QSet<QByteArray> answer;
    for (const QByteArray &line : ran.out.split('\n')) {
        if (line == "_end")
            answers.append(std::exchange(answer, {}));
        else if (!line.isEmpty())
            answer.insert(line);
    }
    return answers;
}

/// What zsh's own _arguments is told for each of these lines: the options alone.
QList<QSet<QByteArray>> inZsh(const QList<Words> &lines)
{
    QByteArray script = "_arguments() { print -rl -- \"${@[2,-1]}\" }\n"
                        "eval \"$(sed '$d' " +
                        folder + "lockscope.zsh)\"\n";
    for (const Words &line : lines) {
        QByteArray array;
        for (const QByteArray &word : line)
            array += ' ' + quoted(word);
        script +=
            "service=" + line.first() + "; words=(" + array + "); CURRENT=$#words; _lockscope; print _end\n";
    }
    const Ran ran = runProgram(QStringLiteral("zsh"), {"-f", "-c", script});
    if (!ran.err.isEmpty())
        qWarning("%s", ran.err.constData());
    static const QRegularExpression option(QStringLiteral("^\\*?(--?[a-z0-9-]+)"));
    QList<QSet<QByteArray>> answers;
    QSet<QByteArray> answer;
    for (const QByteArray &text : ran.out.split('\n')) {
        const auto found = option.match(QString::fromUtf8(text));
        if (text == "_end")
            answers.append(std::exchange(answer, {}));
        else if (found.hasMatch())
            answer.insert(found.captured(1).toLatin1());
    }
    return answers;
}

/// Each scope as a line that ends where its options may stand, and those options.
struct Scopes
{
    QList<Words> lines;
    QList<QSet<QByteArray>> options;
};

Scopes allScopes()
{
    const auto optionsOf = [](unsigned scope) {
        QSet<QByteArray> options;
        for (const OptionRow &row : optionRows()) {
            if ((row.scope & scope) != 0)
                options.insert(row.written());
        }
        return options;
    };
    Scopes scopes{{{"lockscope", "-"}}, {optionsOf(window)}};
    for (const VerbRow &verb : verbRows()) {
        scopes.lines.append(Words{"lockscope-cli"} + verb.name.toByteArray().split(' ') + Words{"-"});
        scopes.options.append(optionsOf(scopeOf(verb.verb)));
    }
    return scopes;
}

} // namespace

class TestCompletions : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void everyScopeHasItsOptions_data();
    void everyScopeHasItsOptions();
    void everyClosedSetIsOffered();
    void offers_data();
    void offers();
    void offersStoredServers();
    void zshReadsIt();
};

void TestCompletions::everyScopeHasItsOptions_data()
{
    QTest::addColumn<bool>("isBash");
    QTest::newRow("bash") << true;
    QTest::newRow("zsh") << false;
}

void TestCompletions::everyScopeHasItsOptions()
{
    QFETCH(const bool, isBash);
    const Scopes scopes = allScopes();
    const QList<QSet<QByteArray>> offered = isBash ? inBash(scopes.lines) : inZsh(scopes.lines);
    QCOMPARE(offered.size(), scopes.lines.size());
    for (qsizetype i = 0; i < offered.size(); ++i) {
        const QByteArrayList missing = (scopes.options[i] - offered[i]).values();
        const QByteArrayList foreign = (offered[i] - scopes.options[i]).values();
        QVERIFY2(missing.isEmpty() && foreign.isEmpty(),
                 (scopes.lines[i].join(' ') + " misses " + missing.join(' ') + ", has " + foreign.join(' '))
                     .constData());
    }
}

void TestCompletions::everyClosedSetIsOffered()
{
    QList<Words> lines;
    QList<QSet<QByteArray>> values;
    for (const OptionRow &row : optionRows()) {
        if (!row.target.values)
            continue;
        const auto verb = std::ranges::find_if(
            verbRows(), [&](const VerbRow &each) { return (row.scope & scopeOf(each.verb)) != 0; });
        lines.append({"lockscope-cli", verb->name.toByteArray(), row.written(), ""});
        lines.append({"lockscope-cli", row.written() + '='});
        const QByteArrayList all = row.target.values();
        for (int i = 0; i < 2; ++i)
            values.append(QSet<QByteArray>(all.begin(), all.end()));
    }
    QVERIFY(lines.size() >= 14);
    QCOMPARE(inBash(lines), values);
}

void TestCompletions::offers_data()
{
    QTest::addColumn<Words>("line");
    QTest::addColumn<Words>("offered");
    QTest::newRow("verbs") << Words{"lockscope-cli", "a"} << Words{"acl", "acquire", "alert", "audit"};
    QTest::newRow("a verb's second word") << Words{"lockscope-cli", "audit", ""} << Words{"verify"};
    QTest::newRow("roles, and check")
        << Words{"lockscope-cli", "acl", ""} << Words{"check", "monitor", "operator", "sentinels"};
    QTest::newRow("roles to check") << Words{"lockscope-cli", "acl", "check", ""}
                                    << Words{"monitor", "operator"};
    QTest::newRow("a role is given") << Words{"lockscope-cli", "acl", "check", "monitor", ""} << Words{};
    QTest::newRow("a key") << Words{"lockscope-cli", "get", ""} << Words{};
    QTest::newRow("the window has no verbs") << Words{"lockscope", ""} << Words{};
    QTest::newRow("a value is no verb") << Words{"lockscope-cli", "-h", "list", "wat"} << Words{"watch"};
    QTest::newRow("an address with colons")
        << Words{"lockscope-cli", "-u", "redis://h:1", "list", "--sha"} << Words{"--share"};
    QTest::newRow("after the options") << Words{"lockscope-cli", "get", "--", "-"} << Words{};
    QTest::newRow("a start with =") << Words{"lockscope-cli", "simulate", "--wake=s"}
                                    << Words{"subscription"};
    QTest::newRow("files") << Words{"lockscope", "--cacert", LOCKSCOPE_SOURCE_DIR "/ARCH"}
                           << Words{LOCKSCOPE_SOURCE_DIR "/ARCHITECTURE.md"};
    QTest::newRow("directories alone")
        << Words{"lockscope", "--cacertdir", LOCKSCOPE_SOURCE_DIR "/l"} << Words{LOCKSCOPE_SOURCE_DIR "/lua"};
    QTest::newRow("a file of a verb")
        << Words{"lockscope-cli", "audit", "verify", LOCKSCOPE_SOURCE_DIR "/SEC"}
        << Words{LOCKSCOPE_SOURCE_DIR "/SECURITY.md"};
    QTest::newRow("a password") << Words{"lockscope", "-a", ""} << Words{};
    QTest::newRow("an unknown verb") << Words{"lockscope-cli", "frobnicate", ""} << Words{};
}

void TestCompletions::offers()
{
    QFETCH(const Words, line);
    QFETCH(Words, offered);
    QByteArrayList found = inBash({line}).value(0).values();
    std::ranges::sort(found);
    std::ranges::sort(offered);
    QCOMPARE(found, offered);
}

/// Under a name that the shell has to quote, too.
void TestCompletions::offersStoredServers()
{
    const QTemporaryDir home;
    const QByteArray configured = qgetenv("XDG_CONFIG_HOME");
    const auto settings = qScopeGuard([configured] {
        configured.isEmpty() ? qunsetenv("XDG_CONFIG_HOME") : qputenv("XDG_CONFIG_HOME", configured);
    });
    QVERIFY(QDir().mkpath(home.filePath(QStringLiteral("lockscope"))));
    QFile file(home.filePath(QStringLiteral("lockscope/Lockscope.conf")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        "[recentServers]\n1\\name=orders\n1\\uri=redis://a\n2\\name=\"the $other one\"\n2\\uri=redis://b\n"
        "3\\uri=redis://c\nsize=3\n");
    file.close();
    qputenv("XDG_CONFIG_HOME", QFile::encodeName(home.path()));
    const QList<QSet<QByteArray>> offered =
        inBash({{"lockscope", "--connect", ""}, {"lockscope-cli", "--connect", "o"}});
    QCOMPARE(offered.value(0), QSet<QByteArray>({"orders", "the\\ \\$other\\ one"}));
    QCOMPARE(offered.value(1), QSet<QByteArray>({"orders"}));
}

void TestCompletions::zshReadsIt()
{
    const Ran ran = runProgram(QStringLiteral("zsh"), {"-n", folder + "lockscope.zsh"});
    QCOMPARE(ran.err, "");
    QCOMPARE(ran.exitCode, 0);
}

QTEST_GUILESS_MAIN(TestCompletions)
#include "tst_completions.moc"
