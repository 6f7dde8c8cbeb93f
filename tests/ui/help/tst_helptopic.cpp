// SPDX-License-Identifier: GPL-3.0-or-later
// The help: each subject of the window has a paragraph in both languages, and F1 opens it.
#include "core/act/actionnames.h"
#include "core/model/names.h"
#include "core/state/lockstate.h"
#include "core/table/lockcolumns.h"
#include "tests/support/ownsettings.h"
#include "tests/ui/samplelocks.h"
#include "ui/connect/patternsdialog.h"
#include "ui/help/helppage.h"
#include "ui/help/helptopic.h"
#include "ui/locks/filterchip.h"
#include "ui/locks/filterchips.h"
#include "ui/locks/lockheader.h"
#include "ui/locks/lockspage.h"

#include <QDirIterator>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QTextBlock>
#include <QTextBrowser>
#include <QtTest>

using namespace lockscope;

namespace {

struct Subject
{
    QStringList anchors;
    QString text;
};

QString contentOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("can't read %s", qPrintable(path));
    return QString::fromUtf8(file.readAll());
}

QList<Subject> subjectsOf(const QString &language)
{
    const QString name =
        language.isEmpty() ? QStringLiteral("help.md") : QStringLiteral("help.%1.md").arg(language);
    QStringList parts = contentOf(QStringLiteral(":/help/") + name).split(QStringLiteral("\n## "));
    parts.removeFirst();
    QList<Subject> subjects;
    for (const QString &part : std::as_const(parts)) {
        const auto head = part.indexOf(u'\n');
        subjects.append({helpAnchors(part.left(head)), part.sliced(head).trimmed()});
    }
    return subjects;
}

QSet<QString> anchorsOf(const QString &language)
{
    QSet<QString> all;
    for (const Subject &subject : subjectsOf(language))
        all.unite({subject.anchors.begin(), subject.anchors.end()});
    return all;
}

template <typename Names>
void addNames(const Names &names)
{
    for (const auto &[value, name] : names.names)
        QTest::addRow("%s", QByteArray(name).constData()) << QString::fromLatin1(name);
}

/// The text of the first heading in sight.
QString headingOf(const HelpPage &page)
{
    const QTextBlock block = page.text().cursorForPosition(QPoint(20, 10)).block();
    return block.blockFormat().headingLevel() == 2 ? block.text() : QString();
}

} // namespace

class HelpTopicTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
    }

    void eachSubjectHasAParagraph_data()
    {
        QTest::addColumn<QString>("topic");
        addNames(stateName);
        addNames(problemName);
        addNames(actionName);
        for (const LockColumnSpec &column : lockColumns())
            QTest::addRow("column %s", column.name) << QString::fromLatin1(column.name);
        const FilterChips chips;
        for (const FilterChip *chip : chips.findChildren<FilterChip *>()) {
            if (const QVariant topic = chip->property("helpTopic"); topic.isValid())
                QTest::addRow("chip %s", qPrintable(chip->text())) << topic.toString();
        }
        // Panels and dialogs, by their classes.
        static const QRegularExpression shown(QStringLiteral(
            "\nclass (\\w+(?:Dialog|Panel|Editor|Palette|LocksPage|ConnectPage|StatusBar|ReplayBar)) : "
            "public"));
        QDirIterator headers(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/ui"), {QStringLiteral("*.h")}, QDir::Files,
                             QDirIterator::Subdirectories);
        const QStringList bases{QStringLiteral("ConsentDialog"), QStringLiteral("ActionDialog"),
                                QStringLiteral("LockDialog"), QStringLiteral("OwnerDialog"),
                                QStringLiteral("PagePanel")};
        while (headers.hasNext()) {
            for (const auto &match : shown.globalMatch(contentOf(headers.next()))) {
                if (!bases.contains(match.captured(1)))
                    QTest::addRow("%s", qPrintable(match.captured(1))) << helpTopicOfName(match.captured(1));
            }
        }
    }
    void eachSubjectHasAParagraph()
    {
        QFETCH(const QString, topic);
        QVERIFY(!topic.isEmpty());
        for (const QString &language : {QString(), QStringLiteral("zh_CN")})
            QVERIFY2(anchorsOf(language).contains(topic), qPrintable(topic + u' ' + language));
    }

    void bothLanguagesHaveTheSameSubjects()
    {
        const QList<Subject> english = subjectsOf({}), chinese = subjectsOf(QStringLiteral("zh_CN"));
        QCOMPARE(chinese.size(), english.size());
        static const QRegularExpression space(QStringLiteral("\\s+")),
            link(QStringLiteral("\\]\\(#([^)]+)\\)"));
        constexpr qsizetype maxWords = 60, maxCharacters = 170;
        const QSet<QString> anchors = anchorsOf({});
        for (qsizetype i = 0; i < english.size(); ++i) {
            QVERIFY(!english[i].anchors.isEmpty());
            QCOMPARE(chinese[i].anchors, english[i].anchors);
            QVERIFY2(english[i].text.split(space).size() <= maxWords, qPrintable(english[i].text));
            QVERIFY2(chinese[i].text.size() <= maxCharacters, qPrintable(chinese[i].text));
            for (const QString &text : {english[i].text, chinese[i].text}) {
                QVERIFY(!text.isEmpty());
                for (const auto &match : link.globalMatch(text))
                    QVERIFY2(anchors.contains(match.captured(1)), qPrintable(text));
            }
        }
    }

    void aRowItsColumnsAndChipsHaveTheirTopics()
    {
        LocksPage page;
        page.resize(1200, 400);
        page.show();
        LockDiff diff;
        diff.changed = {sample::endless(sample::reentrant("lock:a")), sample::reentrant("lock:b"),
                        sample::withProblem(sample::reentrant("lock:c"), Problem::DeadWaiter)};
        page.holdAt(sample::now);
        page.apply(diff);
        auto *table = page.findChild<QTableView *>();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        for (const auto &[key, topic] : {std::pair("lock:a", "no-expiry"), std::pair("lock:b", "held"),
                                         std::pair("lock:c", "dead-waiter")}) {
            page.choose(LockKey(key));
            QCOMPARE(helpTopic(table), QLatin1String(topic));
            const QRect cell = table->visualRect(page.model().indexOf(LockKey(key), LockColumn::State));
            QCOMPARE(helpTopic(table->viewport(), table->viewport()->mapToGlobal(cell.center())),
                     QLatin1String(topic));
        }
        const auto *header = page.findChild<LockHeader *>();
        const QPoint ttl(header->sectionViewportPosition(static_cast<int>(LockColumn::Ttl)) + 4, 4);
        QCOMPARE(helpTopic(header->viewport(), header->viewport()->mapToGlobal(ttl)),
                 QLatin1String("time-left"));
        page.chooseNothing();
        QCOMPARE(helpTopic(page.findChild<QLineEdit *>()), QLatin1String("lock-filter"));
        QCOMPARE(helpTopic(&page), QLatin1String("locks"));
    }

    void itOpensAtItsSubjectAndGoesBack()
    {
        QWidget window;
        window.show();
        HelpPage::show(window, QStringLiteral("stalled"));
        auto *page = window.findChild<HelpPage *>();
        QVERIFY(page && QTest::qWaitForWindowExposed(page));
        QTRY_COMPARE(headingOf(*page), QLatin1String("Stalled"));
        HelpPage::show(window, QStringLiteral("preferences")); // the last one
        QCOMPARE(window.findChildren<HelpPage *>().size(), 1);
        QTRY_COMPARE(headingOf(*page), QLatin1String("Preferences"));
        page->findChild<QPushButton *>(QStringLiteral("back"))->click();
        QTRY_COMPARE(headingOf(*page), QLatin1String("Stalled"));
        QTest::keyClick(page, Qt::Key_Escape);
        QTRY_VERIFY(!window.findChild<HelpPage *>());
    }

    void aDialogHasItToo()
    {
        PatternsDialog dialog({"lock:*"}, true, nullptr);
        HelpPage::install(&dialog);
        dialog.open();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
        auto *page = dialog.findChild<HelpPage *>();
        QVERIFY(page && QTest::qWaitForWindowExposed(page));
        QTRY_COMPARE(headingOf(*page), QLatin1String("Patterns"));
        QTest::keyClick(page, Qt::Key_Escape);
        QVERIFY(dialog.isVisible());
    }

private:
    OwnSettings m_settings;
};

QTEST_MAIN(HelpTopicTest)
#include "tst_helptopic.moc"
