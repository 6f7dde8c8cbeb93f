// SPDX-License-Identifier: GPL-3.0-or-later
// The documents against the program and the tree: the tables of families, the schemas of JSON, the links, the lengths, the
// version, the pictures.
#include "core/act/actionnames.h"
#include "core/act/holderprobe.h"
#include "core/alerts/alertrules.h"
#include "core/family/certainty.h"
#include "core/family/familykeys.h"
#include "core/family/registry.h"
#include "core/history/blame.h"
#include "core/model/names.h"
#include "core/state/lockstate.h"
#include "core/state/orphans.h"
#include "core/state/verdict.h"
#include "core/verify/historycheck.h"
#include "core/verify/operations.h"
#include "core/watch/clientsighting.h"
#include "core/words/permissionmessages.h"
#include "core/words/serverfitness.h"
#include "tests/support/redisserver.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <map>

using namespace lockscope;

namespace {

QString inTree(const QString &path)
{
    return QStringLiteral(LOCKSCOPE_SOURCE_DIR "/") + path;
}

QByteArrayList linesOf(const QString &path)
{
    QFile file(inTree(path));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("can't read %s", qPrintable(path));
    return file.readAll().trimmed().split('\n');
}

/// The table as the tool writes it into the document: a row's cells, by the family's name.
std::map<QByteArray, QByteArrayList> tableRows()
{
    QProcess tool;
    tool.start(QStringLiteral(LOCKSCOPE_BIN_DIR "/familytable"),
               {inTree(QStringLiteral("packaging/docs/families.md"))});
    if (!tool.waitForFinished() || tool.exitCode() != 0)
        qFatal("familytable: %s", tool.readAllStandardError().constData());
    std::map<QByteArray, QByteArrayList> rows;
    for (const QByteArray &line : tool.readAllStandardOutput().split('\n')) {
        QByteArrayList cells = line.split('|');
        for (QByteArray &cell : cells)
            cell = cell.trimmed();
        if (line.startsWith("| `"))
            rows[cells.value(1).replace('`', "")] = cells;
    }
    return rows;
}

QString textOf(const QString &path)
{
    return QString::fromUtf8(linesOf(path).join('\n'));
}

/// Those that people read: at the top, and of packaging/docs.
QStringList documents()
{
    QStringList paths;
    for (const QString &folder : {QString(), QStringLiteral("packaging/docs/")}) {
        for (const QString &name : QDir(inTree(folder)).entryList({QStringLiteral("*.md")}, QDir::Files))
            paths.append(folder + name);
    }
    return paths;
}

/// Whether a document has a heading, or a mark, that a link may name: "how-a-lock-ended".
bool hasAnchor(const QString &text, const QString &anchor)
{
    if (text.contains(QStringLiteral("id=\"%1\"").arg(anchor)))
        return true;
    static const QRegularExpression heading(QStringLiteral("^#+ (.*)$"), QRegularExpression::MultilineOption);
    static const QRegularExpression left(QStringLiteral("[^\\w\\- ]"),
                                         QRegularExpression::UseUnicodePropertiesOption);
    for (auto headings = heading.globalMatch(text); headings.hasNext();) {
        if (headings.next().captured(1).toLower().remove(left).replace(u' ', u'-') == anchor)
            return true;
    }
    return false;
}

qint64 sizeOfPictures(const QStringList &names)
{
    qint64 size = 0;
    QDirIterator files(inTree(QStringLiteral("packaging/screenshots")), names, QDir::Files);
    while (files.hasNext())
        size += QFileInfo(files.next()).size();
    return size;
}

} // namespace

class TestDocuments : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void theTableHasEveryFamily_data();
    void theTableHasEveryFamily();
    void theReadmesNameEveryFamily_data();
    void theReadmesNameEveryFamily();
    void theReadmesBeginWithTwoCommands_data() { theReadmesNameEveryFamily_data(); }
    void theReadmesBeginWithTwoCommands();
    void schemasAreWhole();
    void theDocumentOfJsonIsOfTheSchemas();
    void schemasNameAllValues_data();
    void schemasNameAllValues();
    void linksLeadSomewhere();
    void theVersionIsOne();
    void picturesStaySmall();
    void documentsStayShort();
};

void TestDocuments::theTableHasEveryFamily_data()
{
    QTest::addColumn<QByteArray>("name");
    for (const Family family : allFamilies())
        QTest::newRow(specOf(family).name) << familyName(family);
}

void TestDocuments::theTableHasEveryFamily()
{
    constexpr qsizetype cells = 9; // seven columns, and what is outside the first and the last line
    QFETCH(const QByteArray, name);
    static const std::map<QByteArray, QByteArrayList> rows = tableRows();
    QVERIFY(rows.contains(name));
    const QByteArrayList &row = rows.at(name);
    QCOMPARE(row.size(), cells);
    QVERIFY2(!row.sliced(1, cells - 2).contains(QByteArray()), row.join('|').constData());
    QCOMPARE(rows.size(), size_t(allFamilies().size()));
}

void TestDocuments::theReadmesNameEveryFamily_data()
{
    QTest::addColumn<QString>("path");
    for (const char *path : {"README.md", "README.zh_CN.md"})
        QTest::newRow(path) << QString::fromLatin1(path);
}

/// Once each, by ecosystem; "unknown" is none.
void TestDocuments::theReadmesNameEveryFamily()
{
    QFETCH(const QString, path);
    QStringList known;
    for (const Family family : allFamilies()) {
        if (!family.isUnknown())
            known.append(QString::fromLatin1(familyName(family)));
    }
    const QString text = textOf(path);
    const QString table = text.section(QStringLiteral("| Java |"), 1).section(QStringLiteral("\n\n"), 0, 0);
    static const QRegularExpression notAName(QStringLiteral("^\\||\\n\\|[^|]*\\||\\||，.*|, or \\[.*"));
    QStringList named = QString(table).replace(notAName, QStringLiteral(" ")).split(u' ', Qt::SkipEmptyParts);
    known.sort();
    named.sort();
    QCOMPARE(named, known);
}

/// Whoever has cloned the tree tries these.
void TestDocuments::theReadmesBeginWithTwoCommands()
{
    QFETCH(const QString, path);
    QStringList commands;
    for (const QByteArray &line : linesOf(path)) {
        if (line.startsWith("    "))
            commands.append(QString::fromUtf8(line.trimmed().split(' ').first()));
    }
    QVERIFY(commands.size() > 2);
    QCOMPARE(commands.mid(0, 2).join(u' '), QStringLiteral("packaging/run-demo packaging/run-tests"));
    for (const QString &command : commands.mid(0, 2))
        QVERIFY(QFileInfo(inTree(command)).isExecutable());
}

/// Each field is described, with when it is absent, and the examples are valid.
void TestDocuments::schemasAreWhole()
{
    const Ran ran = runProgram(QStringLiteral("/usr/bin/python3"),
                               {LOCKSCOPE_SOURCE_DIR "/tests/support/jsondocuments.py", "--schemas"});
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
}

void TestDocuments::theDocumentOfJsonIsOfTheSchemas()
{
    const Ran ran =
        runProgram(QStringLiteral("/usr/bin/python3"), {LOCKSCOPE_SOURCE_DIR "/packaging/docs/jsontable.py"});
    QVERIFY2(ran.exitCode == 0, ran.err.constData());
    const QByteArrayList expected = ran.out.trimmed().split('\n');
    const QByteArrayList written = linesOf(QStringLiteral("packaging/docs/json.md"));
    for (qsizetype i = 0; i < std::max(expected.size(), written.size()); ++i)
        QVERIFY2(expected.value(i) == written.value(i),
                 "run packaging/docs/jsontable.py > packaging/docs/json.md: " + expected.value(i));
}

void TestDocuments::schemasNameAllValues_data()
{
    QTest::addColumn<QByteArrayList>("names");
    QByteArrayList ends;
    for (const auto &[kind, name] : eventName.names) {
        if (isEnd(kind))
            ends.append(name);
    }
    QByteArrayList alerts;
    for (const AlertRule &rule : alertRuleTable())
        alerts.append(rule.name);
    QByteArrayList doubts = namesIn(orphanDoubtName.names);
    doubts.removeOne("none"); // is not printed
    const auto add = [](const char *place, const QByteArrayList &names) { QTest::newRow(place) << names; };
    add("common/$defs/problem", namesIn(problemName.names));
    add("common/$defs/end", ends);
    add("common/$defs/why", namesIn(holdReasonName.names));
    add("common/$defs/impact", namesIn(impactName.names));
    add("common/$defs/outcome", namesIn(outcomeName.names));
    add("common/$defs/VERDICT/properties/evidence/items", namesIn(signName.names));
    add("common/$defs/LOCK/properties/certainty", namesIn(certaintyName.names));
    add("common/$defs/LOCK/properties/evidence/items", namesIn(evidenceName.names));
    add("common/$defs/LOCK/properties/state", namesIn(stateName.names));
    add("common/$defs/LOCK/properties/no_expiry", namesIn(noExpiryName.names));
    add("common/$defs/FOUND/properties/state", namesIn(foundName.names));
    add("common/$defs/event.lock/properties/event", namesIn(eventName.names));
    add("orphans/$defs/finding/properties/doubt", doubts);
    add("who/properties/clients/items/properties/use", namesIn(clientUseName.names));
    add("blame/properties/by", namesIn(blameByName.names));
    add("check-server/properties/nodes/items/properties/checks/items/properties/level",
        namesIn(levelName.names));
    add("verify/properties/checks/items/properties/model", namesIn(lockModelName.names));
    add("verify/properties/checks/items/properties/reason", namesIn(checkReasonName.names));
    add("history/properties/model", namesIn(lockModelName.names));
    add("history/properties/operation", namesIn(operationName.names));
    add("audit/properties/action", namesIn(actionName.names) + QByteArrayList{"probe"});
    add("common/$defs/probeEnd", namesIn(probeEndName.names));
    add("alert/oneOf/1/properties/alert", alerts);
    add("watch/oneOf/8/properties/what", namesIn(refusalName.names));
    add("family-show/properties/discover", namesIn(discoveryName.names));
}

void TestDocuments::schemasNameAllValues()
{
    QFETCH(QByteArrayList, names);
    QStringList place = QString::fromLatin1(QTest::currentDataTag()).split(u'/');
    QFile file(inTree(QStringLiteral("packaging/schemas/%1.schema.json").arg(place.takeFirst())));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QJsonValue part = QJsonDocument::fromJson(file.readAll()).object();
    for (const QString &name : place)
        part = part.isArray() ? QJsonValue(part[name.toInt()]) : QJsonValue(part[name]);
    QByteArrayList written;
    for (const QJsonValue &name : part[QStringLiteral("enum")].toArray())
        written.append(name.toString().toUtf8());
    std::ranges::sort(written);
    std::ranges::sort(names);
    QCOMPARE(written, names);
}

void TestDocuments::linksLeadSomewhere()
{
    static const QRegularExpression link(
        QStringLiteral("\\]\\(([^)#:]*)(?:#([^)]*))?\\)|(?:src|srcset)=\"([^\"]*)\""));
    int number = 0;
    for (const QString &path : documents()) {
        const QString folder = QFileInfo(inTree(path)).path();
        for (auto links = link.globalMatch(textOf(path)); links.hasNext(); ++number) {
            const QRegularExpressionMatch match = links.next();
            const QString file = match.captured(1) + match.captured(3);
            const QString target = file.isEmpty() ? inTree(path) : folder + QLatin1Char('/') + file;
            const QString anchor = match.captured(2);
            QVERIFY2(QFileInfo::exists(target), qPrintable(path + QStringLiteral(": ") + match.captured()));
            QFile document(target);
            if (anchor.isEmpty())
                continue;
            QVERIFY(document.open(QIODevice::ReadOnly));
            QVERIFY2(hasAnchor(QString::fromUtf8(document.readAll()), anchor),
                     qPrintable(path + QStringLiteral(": ") + match.captured()));
        }
    }
    QVERIFY(number > 100);
}

void TestDocuments::documentsStayShort()
{
    QVERIFY(linesOf(QStringLiteral("README.md")).size() <= 80);
    QVERIFY(linesOf(QStringLiteral("README.zh_CN.md")).size() <= 80);
    const qsizetype words = linesOf(QStringLiteral("README.md")).join(' ').simplified().count(' ') + 1;
    QVERIFY2(words <= 650, qPrintable(QString::number(words)));
    QVERIFY(linesOf(QStringLiteral("CHANGELOG.md")).size() <= 120);
    QVERIFY(linesOf(QStringLiteral("ARCHITECTURE.md")).size() <= 200);
}

/// CMakeLists.txt says it; the date of a release stands in the changelog and in what software centers read.
void TestDocuments::theVersionIsOne()
{
    QProcess program;
    program.start(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope-cli"), {QStringLiteral("--version")});
    QVERIFY(program.waitForFinished());
    const QString version = QString::fromLatin1(program.readAllStandardOutput()).trimmed().section(u' ', -1);
    static const QRegularExpression release(QStringLiteral("\n## \\[([0-9.]+)\\] - ([0-9-]{10})\n"));
    const auto newest = release.match(textOf(QStringLiteral("CHANGELOG.md")));
    QCOMPARE(newest.captured(1), version);
    QFile component(QStringLiteral(LOCKSCOPE_BUILD_DIR "/packaging/org.lockscope.Lockscope.metainfo.xml"));
    QVERIFY(component.open(QIODevice::ReadOnly));
    const QString expected =
        QStringLiteral("<release version=\"%1\" date=\"%2\"/>").arg(version, newest.captured(2));
    QVERIFY(component.readAll().contains(expected.toUtf8()));
}

/// packaging/make-pictures makes them.
void TestDocuments::picturesStaySmall()
{
    constexpr qint64 megabyte = 1'000'000;
    const qint64 animations = sizeOfPictures({QStringLiteral("*.webp")});
    QVERIFY2(animations > 0 && animations <= 3 * megabyte, qPrintable(QString::number(animations)));
    const qint64 all = sizeOfPictures({QStringLiteral("*")});
    QVERIFY2(all <= 5 * megabyte, qPrintable(QString::number(all)));
}

QTEST_GUILESS_MAIN(TestDocuments)
#include "tst_documents.moc"
