// SPDX-License-Identifier: GPL-3.0-or-later
// The documents against the program and the tree: the table of families, the schemas of JSON, the links, the lengths.
#include "core/act/actionnames.h"
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
#include "tests/support/redisserver.h"

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

} // namespace

class TestDocuments : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void theTableHasEveryFamily_data();
    void theTableHasEveryFamily();
    void schemasAreWhole();
    void theDocumentOfJsonIsOfTheSchemas();
    void schemasNameAllValues_data();
    void schemasNameAllValues();
    void linksLeadSomewhere();
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
    add("verify/properties/checks/items/properties/model", namesIn(lockModelName.names));
    add("verify/properties/checks/items/properties/reason", namesIn(checkReasonName.names));
    add("history/properties/model", namesIn(lockModelName.names));
    add("history/properties/operation", namesIn(operationName.names));
    add("audit/properties/action", namesIn(actionName.names));
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
    static const QRegularExpression link(QStringLiteral("\\]\\(([^)#:]+)\\)"));
    int number = 0;
    for (const char *document :
         {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "packaging/docs/families.md",
          "packaging/docs/family-files.md", "packaging/docs/filter.md", "packaging/docs/help.md",
          "packaging/docs/help.zh_CN.md", "packaging/docs/metrics.md", "packaging/docs/permissions.md",
          "packaging/docs/servers.md", "packaging/docs/figures.md", "packaging/docs/libraries.md",
          "packaging/docs/verify.md", "packaging/docs/json.md"}) {
        const QString path = QString::fromLatin1(document);
        const QString folder = QFileInfo(inTree(path)).path();
        const QString text = QString::fromUtf8(linesOf(path).join('\n'));
        for (auto links = link.globalMatch(text); links.hasNext(); ++number) {
            const QString target = links.next().captured(1);
            QVERIFY2(QFileInfo::exists(folder + QLatin1Char('/') + target),
                     qPrintable(path + QStringLiteral(": ") + target));
        }
    }
    QVERIFY(number > 10);
}

void TestDocuments::documentsStayShort()
{
    QVERIFY(linesOf(QStringLiteral("README.md")).size() <= 180);
    QVERIFY(linesOf(QStringLiteral("ARCHITECTURE.md")).size() <= 200);
}

QTEST_GUILESS_MAIN(TestDocuments)
#include "tst_documents.moc"
