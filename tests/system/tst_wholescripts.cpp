// SPDX-License-Identifier: GPL-3.0-or-later
// The whole scripts of lua/ are made of lua/parts/, where nothing stands twice, and sent as they stand.
#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QMap>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace {

using Texts = QMap<QString, QByteArray>; // by path below the folder

constexpr qsizetype longestRepeat = 5; // lines that do something
const QByteArray include = "--#include ";

Texts luaBelow(const QString &folder)
{
    Texts texts;
    const QDir root(folder);
    QDirIterator files(folder, {QStringLiteral("*.lua")}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly))
            qFatal("can't read %s", qPrintable(file.fileName()));
        texts.insert(root.relativeFilePath(file.fileName()), file.readAll());
    }
    return texts;
}

Texts sources()
{
    return luaBelow(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lua/parts"));
}

/// Without blank lines and comments; what is included is no copy.
QByteArrayList statements(const QByteArray &text)
{
    QByteArrayList lines;
    for (const QByteArray &line : text.split('\n')) {
        const QByteArray statement = line.trimmed();
        if (!statement.isEmpty() && !statement.startsWith("--") && !statement.startsWith("#!"))
            lines.append(statement);
    }
    return lines;
}

/// "a.lua and b.lua: the first line of what stands in both" for each stretch that is too long.
QStringList repeats(const Texts &texts)
{
    QHash<QByteArray, QString> seen;
    QStringList found;
    for (auto text = texts.begin(); text != texts.end(); ++text) {
        const QByteArrayList lines = statements(text.value());
        for (qsizetype i = 0; i + longestRepeat < lines.size(); ++i) {
            const QByteArray stretch = lines.mid(i, longestRepeat + 1).join('\n');
            const QString first = seen.value(stretch, text.key());
            if (first != text.key())
                found << QStringLiteral("%1 and %2: %3").arg(first, text.key(), QString::fromUtf8(lines[i]));
            seen.insert(stretch, first);
        }
    }
    return found;
}

QByteArrayList includesOf(const QByteArray &text)
{
    QByteArrayList names;
    for (const QByteArray &line : text.split('\n')) {
        if (line.trimmed().startsWith(include))
            names << line.trimmed().sliced(include.size());
    }
    return names;
}

/// What cmake says, and nothing where it succeeds.
QByteArray complaintOf(const QStringList &arguments)
{
    QProcess cmake;
    cmake.setProcessChannelMode(QProcess::MergedChannels);
    cmake.start(QStringLiteral("cmake"), arguments);
    if (!cmake.waitForFinished())
        return "no cmake: " + cmake.errorString().toUtf8();
    const QByteArray said = cmake.readAll();
    return cmake.exitCode() == 0 ? QByteArray() : "cmake: " + said.simplified();
}

/// The complaint of include.cmake when it makes whole scripts; nothing where it succeeds.
QByteArray complaintOfMaking(const QString &parts, const QString &to)
{
    return complaintOf({QStringLiteral("-D"), QStringLiteral("parts=") + parts, QStringLiteral("-D"),
                        QStringLiteral("to=") + to, QStringLiteral("-P"),
                        QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lua/include.cmake")});
}

bool write(const QString &path, const QByteArray &text)
{
    QFile file(path);
    return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly) &&
           file.write(text) == text.size();
}

} // namespace

class TestWholeScripts : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void everyScriptIsUpToDate();
    void aPartIsPutIn_data();
    void aPartIsPutIn();
    void nothingStandsTwice();
    void aRepeatIsFound_data();
    void aRepeatIsFound();
    void everyPartIsShared();
};

void TestWholeScripts::everyScriptIsUpToDate()
{
    const QTemporaryDir folder;
    QCOMPARE(complaintOfMaking(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lua/parts"),
                               folder.filePath(QStringLiteral("made"))),
             QByteArray());
    QCOMPARE(complaintOf({QStringLiteral("--install"), QStringLiteral(LOCKSCOPE_BUILD_DIR),
                          QStringLiteral("--component"), QStringLiteral("terminal"),
                          QStringLiteral("--prefix"), folder.path()}),
             QByteArray());
    const Texts made = luaBelow(folder.filePath(QStringLiteral("made")));
    Texts committed = luaBelow(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lua"));
    committed.removeIf([](std::pair<const QString &, QByteArray &> text) {
        return text.first.startsWith(QStringLiteral("parts/"));
    });
    const Texts sent = luaBelow(QStringLiteral(":/lua"));
    const Texts installed = luaBelow(folder.filePath(QStringLiteral("share/lockscope/lua")));
    for (const Texts &texts : {committed, sent, installed})
        QCOMPARE(texts.keys(), made.keys());
    for (auto script = made.begin(); script != made.end(); ++script) {
        QVERIFY2(committed[script.key()] == script.value(),
                 qPrintable(script.key() + QStringLiteral(": build the target update-scripts")));
        QCOMPARE(sent[script.key()], script.value());
        QCOMPARE(installed[script.key()], script.value());
        QVERIFY2(!script.value().contains("#include"), qPrintable(script.key()));
        QCOMPARE(script.value().count("SPDX-"), 1);
    }
}

void TestWholeScripts::aPartIsPutIn_data()
{
    const QByteArray licence = "-- SPDX-License-Identifier: GPL-3.0-or-later\n";
    const QByteArray part =
        licence + "-- Defines a.\nlocal a = {';', \"[\\n\"}\n\nif a then\n    a = 1\nend\n";
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArray>("part");
    QTest::addColumn<QByteArray>("whole"); // empty: refused, as `complaint` says
    QTest::addColumn<QByteArray>("complaint");
    const QByteArray body = part.sliced(licence.size());
    QTest::newRow("none") << QByteArray("#!lua\nreturn {'[', ';'}\n") << part
                          << QByteArray("#!lua\nreturn {'[', ';'}\n") << QByteArray();
    QTest::newRow("one") << QByteArray("#!lua\n--#include shared/a.lua\nreturn a\n") << part
                         << "#!lua\n" + body + "return a\n"
                         << QByteArray();
    QTest::newRow("as far in")
        << QByteArray("#!lua\nif b then\n    --#include shared/a.lua\nend\n") << part
        << QByteArray("#!lua\nif b then\n    -- Defines a.\n    local a = {';', \"[\\n\"}\n\n    if a then\n"
                      "        a = 1\n    end\nend\n")
        << QByteArray();
    QTest::newRow("of a part") << QByteArray("#!lua\n--#include shared/b.lua\n") << part << "#!lua\n" + body
                               << QByteArray();
    QTest::newRow("unknown") << QByteArray("#!lua\n--#include shared/c.lua\n") << part << QByteArray()
                             << QByteArray("there is no shared part shared/c.lua");
    QTest::newRow("no part") << QByteArray("#!lua\n--#include token/a.lua\n") << part << QByteArray()
                             << QByteArray("there is no shared part token/a.lua");
    QTest::newRow("twice") << QByteArray("#!lua\n--#include shared/a.lua\n--#include shared/a.lua\n") << part
                           << QByteArray() << QByteArray("includes shared/a.lua twice");
    QTest::newRow("itself") << QByteArray("#!lua\n--#include shared/a.lua\n")
                            << licence + "--#include shared/a.lua\n"
                            << QByteArray() << QByteArray("includes shared/a.lua twice");
}

void TestWholeScripts::aPartIsPutIn()
{
    QFETCH(const QByteArray, script);
    QFETCH(const QByteArray, part);
    QFETCH(const QByteArray, whole);
    QFETCH(const QByteArray, complaint);
    const QTemporaryDir folder;
    QVERIFY(write(folder.filePath(QStringLiteral("token/a.lua")), script));
    QVERIFY(write(folder.filePath(QStringLiteral("shared/a.lua")), part));
    QVERIFY(write(folder.filePath(QStringLiteral("shared/b.lua")), "--#include shared/a.lua\n"));
    const QByteArray said = complaintOfMaking(folder.path(), folder.filePath(QStringLiteral("made")));
    QVERIFY2(complaint.isEmpty() ? said.isEmpty() : said.contains(complaint), said.constData());
    QFile file(folder.filePath(QStringLiteral("made/token/a.lua")));
    QCOMPARE(file.open(QIODevice::ReadOnly), !whole.isEmpty());
    const QByteArray found = file.isOpen() ? file.readAll() : QByteArray();
    QCOMPARE(QByteArray(found).replace("-- Generated from lua/parts/token/a.lua: edit that.\n", ""), whole);
}

void TestWholeScripts::nothingStandsTwice()
{
    const QStringList found = repeats(sources());
    QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
}

void TestWholeScripts::aRepeatIsFound_data()
{
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<int>("found");
    QTest::newRow("the same") << QByteArray("a\nb\nc\nd\ne\nf\n") << 1;
    QTest::newRow("further in, among comments")
        << QByteArray("x\n  a\n  b\n  -- why\n\n  c\n  d\n  e\n  f\ny\n") << 1;
    QTest::newRow("five lines") << QByteArray("a\nb\nc\nd\ne\ny\n") << 0;
    QTest::newRow("another line between") << QByteArray("a\nb\nc\ny\nd\ne\nf\n") << 0;
}

void TestWholeScripts::aRepeatIsFound()
{
    QFETCH(const QByteArray, other);
    QFETCH(const int, found);
    const Texts texts{{QStringLiteral("a.lua"), "#!lua\na\nb\nc\nd\ne\nf\n"},
                      {QStringLiteral("b.lua"), other}};
    QCOMPARE(repeats(texts).size(), found);
}

/// A part that one script alone includes would only be a place more to look at.
void TestWholeScripts::everyPartIsShared()
{
    QHash<QByteArray, int> uses;
    const Texts texts = sources();
    for (const QByteArray &text : texts) {
        for (const QByteArray &name : includesOf(text))
            ++uses[name];
    }
    for (auto text = texts.begin(); text != texts.end(); ++text) {
        if (text.key().startsWith(QStringLiteral("shared/")))
            QVERIFY2(uses.value(text.key().toUtf8()) > 1, qPrintable(text.key()));
    }
}

QTEST_GUILESS_MAIN(TestWholeScripts)
#include "tst_wholescripts.moc"
