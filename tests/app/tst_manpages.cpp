// SPDX-License-Identifier: GPL-3.0-or-later
// The manual pages, as they were built, against the table of options.
#include "app/optiontable.h"
#include "tests/app/givenwords.h"
#include "tests/support/redisserver.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;

namespace {

QString pathOf(const QString &page)
{
    return QStringLiteral(LOCKSCOPE_BUILD_DIR "/packaging/commandline/") + page;
}

/// What an entry of the page begins with, as it is typed: "--tls", "audit verify".
QSet<QByteArray> entriesIn(const QString &page)
{
    QFile file(pathOf(page));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no %s", qPrintable(page));
    static const QRegularExpression entry(QStringLiteral("\\.TP\n\\\\fB(.+?)\\\\fR"));
    QSet<QByteArray> found;
    auto entries = entry.globalMatch(QString::fromUtf8(file.readAll()));
    while (entries.hasNext())
        found.insert(entries.next().captured(1).remove(u'\\').toUtf8());
    return found;
}

QSet<QByteArray> optionsOf(unsigned scope)
{
    QSet<QByteArray> options;
    for (const OptionRow &row : optionRows()) {
        if ((row.scope & scope) != 0)
            options.insert(row.written());
    }
    return options;
}

} // namespace

class TestManPages : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theWindowsHasItsOptionsAndNoOthers()
    {
        for (const char *page : {"lockscope.1", "zh_CN/lockscope.1"})
            QCOMPARE(entriesIn(QString::fromLatin1(page)), optionsOf(window));
    }

    void theTerminalsHasEveryVerbAndOption()
    {
        QSet<QByteArray> expected = optionsOf(anyVerb);
        for (const VerbRow &verb : verbRows())
            expected.insert(verb.name.toByteArray());
        for (const char *page : {"lockscope-cli.1", "zh_CN/lockscope-cli.1"})
            QCOMPARE(entriesIn(QString::fromLatin1(page)), expected);
    }

    void theTranslatedOnesAreTranslated()
    {
        for (const char *page : {"zh_CN/lockscope.1", "zh_CN/lockscope-cli.1"}) {
            QFile file(pathOf(QString::fromLatin1(page)));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray text = file.readAll().replace("\\:", "");
            static const QRegularExpression help(QStringLiteral("\\.TP\n[^\n]+\n([^\n]+)\n"));
            int number = 0;
            for (auto found = help.globalMatch(QString::fromUtf8(text)); found.hasNext(); ++number) {
                const QString line = found.next().captured(1);
                QVERIFY2(line.contains(QRegularExpression(QStringLiteral("\\p{Han}"))), qPrintable(line));
            }
            QVERIFY(number > 20);
            const Ran name =
                runProgram(QStringLiteral("lexgrog"), {QFile::encodeName(pathOf(QString::fromLatin1(page)))});
            QVERIFY2(name.exitCode == 0 && name.out.contains("分布式锁"), name.out.constData());
        }
    }

    void closedSetsAreWhole()
    {
        const Ran shown =
            runProgram(QStringLiteral("man"),
                       {"--local-file", QFile::encodeName(pathOf(QStringLiteral("lockscope-cli.1")))}, {},
                       {QStringLiteral("MANWIDTH=10000")});
        QCOMPARE(shown.exitCode, 0);
        for (const OptionRow &row : optionRows()) {
            for (const QByteArray &value : row.target.values ? row.target.values() : QByteArrayList())
                QVERIFY2(shown.out.contains(value), value.constData());
        }
    }

    /// packaging/docs/cli.md is the output of `build/dev/bin/commandline --guide`.
    void theGuideIsCurrent()
    {
        QFile guide(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/packaging/docs/cli.md"));
        QVERIFY(guide.open(QIODevice::ReadOnly));
        const Ran ran = runProgram(QStringLiteral(LOCKSCOPE_BIN_DIR "/commandline"), {"--guide"});
        QCOMPARE(guide.readAll(), ran.out);
    }

    void examplesAreAccepted()
    {
        for (const VerbRow &verb : verbRows()) {
            QVERIFY(!verb.examples.isEmpty());
            for (const QByteArray &example : verb.examples.toByteArray().split('\n')) {
                const QString typed =
                    QString::fromLatin1(example).section(QRegularExpression(QStringLiteral(" [|>] ")), 0, 0);
                Words words;
                for (const QString &word : QProcess::splitCommand(QString(typed).replace(u'\'', u'"')))
                    words.append(word.toLatin1());
                QCOMPARE(refusal(words), "accepted");
                QCOMPARE(parsed(words).verb, verb.verb);
            }
        }
    }

    void roffHasNothingToSay_data()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<bool>("isSilent");
        QTest::newRow("window") << pathOf(QStringLiteral("lockscope.1")) << true;
        QTest::newRow("terminal") << pathOf(QStringLiteral("lockscope-cli.1")) << true;
        QTest::newRow("window, Chinese") << pathOf(QStringLiteral("zh_CN/lockscope.1")) << true;
        QTest::newRow("terminal, Chinese") << pathOf(QStringLiteral("zh_CN/lockscope-cli.1")) << true;
        QTest::newRow("a broken page") << m_folder.filePath(QStringLiteral("broken.1")) << false;
        QFile broken(m_folder.filePath(QStringLiteral("broken.1")));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write(".TH BROKEN 1\n.SH NAME\nbroken \\- a page\n.NOSUCH macro\n");
    }

    void roffHasNothingToSay()
    {
        QFETCH(const QString, page);
        QFETCH(const bool, isSilent);
        const Ran ran = runProgram(QStringLiteral("man"), {"--warnings", "-E", "UTF-8", "-Tutf8", "--ditroff",
                                                           "--local-file", QFile::encodeName(page)});
        QCOMPARE(ran.exitCode, 0);
        QVERIFY2(ran.err.isEmpty() == isSilent, ran.err.constData());
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestManPages)
#include "tst_manpages.moc"
