// SPDX-License-Identifier: GPL-3.0-or-later
// The families of resources/families, by their own examples.
#include "core/base/glob.h"
#include "core/family/certainty.h"
#include "core/family/familycheck.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"

#include <QDir>
#include <QFile>
#include <QtTest>

using namespace lockscope;

namespace {

/// Locks are looked for under names that others give, too.
bool areNamesWide(const FamilySpec &spec)
{
    constexpr qsizetype ownPrefix = 7; // "sentry:", "celery-"
    return spec.usualNames.isEmpty() ||
           std::any_of(spec.usualNames.begin(), spec.usualNames.end(),
                       [](const char *glob) { return literalPrefix(glob).size() < ownPrefix; });
}

QByteArray reported(const QList<FileFault> &faults)
{
    QByteArray text;
    for (const FileFault &fault : faults)
        text += QByteArray::number(fault.line) + ':' + QByteArray::number(fault.column) + ": " +
                fault.what.inEnglish().toUtf8() + '\n';
    return text;
}

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool hasExample(const FamilyFile &file, bool isNone)
{
    return std::ranges::any_of(file.examples(),
                               [isNone](const FamilyExample &e) { return (e.is == "none") == isNone; });
}

} // namespace

class FamilyFilesTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }

    void eachFileHolds_data()
    {
        QTest::addColumn<QString>("path");
        const QDir folder(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/resources/families"));
        const QStringList names = folder.entryList({QStringLiteral("*.toml")}, QDir::Files);
        QVERIFY(!names.isEmpty());
        for (const QString &name : names)
            QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
    void eachFileHolds()
    {
        QFETCH(const QString, path);
        const FamilyFile file(bytesOf(path));
        QCOMPARE(reported(file.faults()), QByteArray());
        QCOMPARE(reported(checkExamples(file)), QByteArray());
        const FamilySpec &spec = file.spec();
        QCOMPARE(QByteArray(spec.name), QFileInfo(path).completeBaseName().toUtf8());
        QVERIFY2(hasExample(file, false), "no example of a lock");
        QVERIFY2(!areNamesWide(spec) || hasExample(file, true),
                 "wide names, and no example of what is none of its locks");
        const bool hasTitle = QByteArray(spec.noun) != QByteArray(spec.name) + " lock";
        QVERIFY2(!hasTitle || (spec.translations && spec.translations->noun), "no title in [zh]");
        QVERIFY2(!spec.ownerEffect || spec.translations->ownerEffect, "no effect for the holder in [zh]");
        QVERIFY2(!spec.wakeEffect || spec.translations->wakeEffect, "no effect for waiters in [zh]");
        QVERIFY2(!spec.companionNote || spec.translations->companionNote, "no note of companions in [zh]");
    }

    /// Among all families: none claims what another's example shows.
    void eachExampleIsRecognized_data() { eachFileHolds_data(); }
    void eachExampleIsRecognized()
    {
        QFETCH(const QString, path);
        const FamilyFile file(bytesOf(path));
        for (const FamilyExample &example : file.examples()) {
            const Recognition found =
                recognize(LockKey(example.key), example.content, example.ttl, example.nowMs);
            const QByteArray name = specOf(found.family).name;
            const QByteArray certainty = certaintyName(certaintyOf(found.family, found.evidence));
            const QByteArray what =
                "line " + QByteArray::number(example.line) + ": " + name + ' ' + certainty;
            const bool isOwn = name == file.spec().name;
            if (example.is == "certain" || example.is == "likely")
                QVERIFY2(isOwn && certainty == example.is, what.constData());
            else
                QVERIFY2(!isOwn, what.constData());
        }
    }

    void anExampleThatDoesNotHoldIsToldWithItsLine()
    {
        const FamilyFile file(R"(name = "mine"
names.usual = ["mine:*"]
[[form]]
value = "{host:word}!{process:digits}"
free = ["nobody!0"]

[[example]]
key = "mine:a"
value = "web-1!12"
is = "likely"
host = "web-2"
[[example]]
key = "mine:a"
value = "web-1!12"
is = "certain"
host = "web-1"
process = "12"
owner = "web-1!12"
holds = "1"
[[example]]
key = "mine:a"
value = "nobody!0"
is = "certain"
[[example]]
key = "yours:a"
value = "web-1!12"
is = "none"
)");
        QCOMPARE(reported(file.faults()), QByteArray());
        QCOMPARE(reported(checkExamples(file)), QByteArray("7:0: expected is: “likely”, found “certain”\n"
                                                           "7:0: expected host: “web-2”, found “web-1”\n"
                                                           "20:0: expected is: “certain”, found “none”\n"));
    }

    void examplesOfEveryTypeAreMatched()
    {
        const FamilyFile file(R"(name = "mine"
names.usual = ["mine:*"]
[[form]]
value = "{since:epoch-ms}"
[[form]]
empty = true
[[form]]
type = "hash"
field = "{client:uuid}:{thread:digits}"
value = "{holds:digits}"
[[form]]
type = "set"
member = "{job:digits}"
[[form]]
type = "sorted-set"
member = "{host:word}"
score = "ends-ms"

[[example]]
key = "mine:time"
value = "1795737600000"
is = "certain"
since = "2026-11-27T00:00:00Z"
[[example]]
key = "mine:empty"
value = ""
is = "certain"
[[example]]
key = "mine:hash"
fields = { "2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10:7" = "3" }
is = "certain"
client = "2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10"
thread = "7"
holds = "3"
[[example]]
key = "mine:scores"
members = { web-1 = 1795737500000, web-2 = 1795737700000 }
is = "certain"
host = "web-2"
[[example]]
key = "mine:scores"
members = { web-1 = 1795737500000 }
is = "none"
[[example]]
key = "mine:set"
set = ["12"]
is = "certain"
job = "12"
[[example]]
key = "mine:set"
set = ["twelve"]
is = "none"
)");
        QCOMPARE(reported(file.faults()), QByteArray());
        QCOMPARE(reported(checkExamples(file)), QByteArray());
        QCOMPARE(file.examples().size(), 7);
    }

    /// What the document of the grammar shows can be taken as it stands.
    void documentedFilesHold()
    {
        const QByteArray page =
            bytesOf(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/packaging/docs/families-format.md"));
        QByteArrayList files;
        for (const QByteArray &line : page.split('\n')) {
            const QByteArray text = line.trimmed();
            if (text.startsWith("name = "))
                files.append(QByteArray());
            if (line.startsWith("    ") && !files.isEmpty())
                files.last() += text + '\n';
        }
        QCOMPARE(files.size(), 7);
        for (const QByteArray &text : files) {
            const FamilyFile file(text);
            QCOMPARE(reported(file.faults()), QByteArray());
            QCOMPARE(reported(checkExamples(file)), QByteArray());
        }
    }
};

QTEST_GUILESS_MAIN(FamilyFilesTest)
#include "tst_familyfiles.moc"
