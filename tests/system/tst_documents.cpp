// SPDX-License-Identifier: GPL-3.0-or-later
// The documents against the program and the tree: the table of families, the links, the lengths.
#include "core/family/registry.h"

#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QtTest>

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

void TestDocuments::linksLeadSomewhere()
{
    static const QRegularExpression link(QStringLiteral("\\]\\(([^)#:]+)\\)"));
    int number = 0;
    for (const char *document :
         {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "packaging/docs/families.md",
          "packaging/docs/families-format.md", "packaging/docs/filter.md", "packaging/docs/help.md",
          "packaging/docs/help.zh_CN.md", "packaging/docs/metrics.md", "packaging/docs/permissions.md",
          "packaging/docs/servers.md", "packaging/docs/figures.md", "packaging/docs/libraries.md",
          "packaging/docs/verify.md"}) {
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
