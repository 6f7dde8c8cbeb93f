// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/phrases.h"
#include "core/words/simulationmessages.h"
#include "ui/simulation/resultview.h"

#include "tests/ui/simulation/samplerun.h"
#include "ui/simulation/verdictline.h"
#include "ui/widgets/theme.h"

#include <QAccessible>
#include <QJsonDocument>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace lockscope;
using namespace std::chrono_literals;

class ResultViewTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
    }

    void nothingYetIsExported()
    {
        ResultView view;
        QVERIFY(!view.findChild<QPushButton *>(QStringLiteral("exportReport"))->isEnabled());
    }

    void expectationStandsBesideTheResult()
    {
        ResultView view;
        ScenarioReport report = fairReport();
        view.expect(inWords(report.scenario->expectation));
        QVERIFY(view.text().contains(inWords(report.scenario->expectation)));
        view.show(report);
        QCOMPARE(verdict(view), QStringLiteral("Expectation met"));
        QVERIFY(view.text().contains(inWords(report.scenario->expectation)));
        QVERIFY(view.text().contains(QStringLiteral("All got it equally often.")));
        QVERIFY(view.text().contains(QStringLiteral("first act")) &&
                view.text().contains(QStringLiteral("second act")));
        QVERIFY(view.text().contains(QStringLiteral("No violations")));

        report.verdict.met = false;
        view.show(report);
        QCOMPARE(verdict(view), QStringLiteral("Expectation not met"));
        report.stopped = true;
        view.show(report);
        QVERIFY(verdict(view).contains(QStringLiteral("Stopped")));
    }

    /// Point by point, by titles: the names are for programs.
    void whatWasExpectedStandsBesideWhatWasFound()
    {
        ResultView view;
        ScenarioReport report = fairReport();
        report.verdict.comparisons = {{Phrase::verbatim(QStringLiteral("token-set")), Phrase("overlaps"),
                                       Phrase::verbatim(QStringLiteral("none")),
                                       Phrase::verbatim(QStringLiteral("seven"))}};
        report.verdict.points = {Verdict::Point::Missed};
        view.resize(500, 400);
        view.setVisible(true);
        view.show(report);
        const auto placeOf = [&view](const char *text) {
            for (const QLabel *label : view.findChildren<QLabel *>()) {
                if (label->text() == QString::fromLatin1(text))
                    return label->mapTo(&view, QPoint());
            }
            qFatal("no %s", text);
        };
        QTRY_VERIFY(placeOf("overlaps").x() < placeOf("none").x() &&
                    placeOf("none").x() < placeOf("seven").x());
        QCOMPARE(placeOf("Expected").x(), placeOf("none").x());
        QCOMPARE(placeOf("Found").x(), placeOf("seven").x());
        QVERIFY(placeOf("Token, SET NX PX").y() < placeOf("overlaps").y());
        QVERIFY(!view.text().contains(QStringLiteral("token-set")));
    }

    void violationsAreToldAsStories()
    {
        ResultView view;
        showLow(view);
        view.show(reportOf({sampleViolation(), sampleViolation()}));
        QVERIFY2(view.text().contains(QStringLiteral("2 violation")), qPrintable(view.text()));
        const auto examples = view.findChildren<QLabel *>(QStringLiteral("story"));
        QCOMPARE(examples.size(), 2);
        QVERIFY2(examples.first()->text().contains(QStringLiteral("W3")) &&
                     examples.first()->text().contains(QStringLiteral("sim:sample-1234:1")),
                 qPrintable(examples.first()->text()));
        QCOMPARE(examples.first()->textFormat(), Qt::PlainText);
        // A change of the theme builds everything anew.
        applyTheme(Theme::Dark);
        QTRY_COMPARE(view.findChildren<QLabel *>(QStringLiteral("story")).size(), 2);
        applyTheme(Theme::Light);
    }

    void aStoryThatIsReadStaysWhenAnotherComes()
    {
        ResultView view;
        showLow(view);
        view.expect({});
        Findings findings;
        findings.overlaps = 1;
        findings.examples = {sampleViolation()};
        view.showFindings(findings, {"sim:a:1"});
        const QPointer<QLabel> first = view.findChild<QLabel *>(QStringLiteral("story"));
        QVERIFY(first);
        Violation earlier = sampleViolation();
        earlier.at -= 10ms;
        findings.overlaps = 2;
        findings.examples.prepend(earlier);
        view.showFindings(findings, {"sim:a:1"});
        const auto stories = view.findChildren<QLabel *>(QStringLiteral("story"));
        QCOMPARE(stories.size(), 2);
        QCOMPARE(stories.last(), first.data()); // the same, in its order
        findings.examples.removeLast();
        view.showFindings(findings, {"sim:a:1"});
        QVERIFY(!first);
    }

    void keysAloneReachAStoryAndGoToItsMoment()
    {
        ResultView view;
        showLow(view);
        Violation later = sampleViolation();
        later.at += 1ms;
        const ScenarioReport report = reportOf({sampleViolation(), later});
        view.show(report);
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        QList<microseconds> wanted, expected;
        connect(&view, &ResultView::momentWanted, this, [&wanted](int, microseconds at) { wanted << at; });
        for (const Violation &violation : worthTelling(report.reports[0].findings.examples, 2))
            expected << violation.at;
        view.findChild<QScrollArea *>()->setFocus(Qt::TabFocusReason);
        for (int i = 0; i < 2; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("story"));
            QVERIFY(QApplication::focusWidget()->font().underline()); // it is seen
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        }
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("exportReport"));
        QVERIFY(wanted == expected);
    }

    void eachSortIsToldBeforeMoreOfTheSame()
    {
        Violation removed = sampleViolation();
        removed.kind = ViolationKind::ForeignRelease;
        removed.at = milliseconds(9999);
        ResultView view;
        view.show(reportOf(QList<Violation>(40, sampleViolation()) << removed));
        const auto examples = [&] { return view.findChildren<QLabel *>(QStringLiteral("story")); };
        QCOMPARE(examples().size(), 20);
        QVERIFY2(examples().last()->text().contains(QStringLiteral("deleted")),
                 qPrintable(examples().last()->text()));
        QVERIFY(view.text().contains(QStringLiteral("… and more")));

        // While it runs too, though there are no more of them than before.
        view.expect({});
        Findings findings;
        findings.overlaps = 5;
        findings.examples = QList<Violation>(5, sampleViolation());
        view.showFindings(findings, {"sim:a:1"});
        QVERIFY(!examples().last()->text().contains(QStringLiteral("deleted")));
        findings.foreignReleases = 1;
        findings.examples << removed;
        view.showFindings(findings, {"sim:a:1"});
        QCOMPARE(examples().size(), 5);
        QVERIFY2(examples().last()->text().contains(QStringLiteral("deleted")),
                 qPrintable(examples().last()->text()));
    }

    void whatIsReadCanBeHeard()
    {
        ResultView view;
        ScenarioReport report = fairReport();
        report.verdict.findings[0] = Phrase("met – all got it equally often");
        view.show(report);
        QStringList heard;
        for (VerdictLine *line : view.findChildren<VerdictLine *>())
            heard << QAccessible::queryAccessibleInterface(line)->text(QAccessible::Name);
        QVERIFY2(heard.contains(QStringLiteral("Expectation met")) &&
                     heard.contains(inWords(report.verdict.findings[0])),
                 qPrintable(heard.join(u'\n')));
        QVERIFY(!view.findChild<QScrollArea *>()->accessibleName().isEmpty());
        int read = 0;
        for (const QLabel *name : view.findChildren<QLabel *>()) {
            if (!name->buddy())
                continue;
            QCOMPARE(QAccessible::queryAccessibleInterface(name->buddy())->text(QAccessible::Name),
                     qobject_cast<QLabel *>(name->buddy())->text());
            ++read;
        }
        QVERIFY(read > 5);
    }

    void theExportsWordsFollowTheTheme()
    {
        applyTheme(Theme::Light);
        ResultView view;
        view.setVisible(true);
        view.showMessage(true, QStringLiteral("Written."));
        const auto *said = view.findChild<QLabel *>(QStringLiteral("exportSaid"));
        const QColor light = said->palette().color(QPalette::WindowText);
        QCOMPARE(light, textColor(StatusColor::Good, lightPalette()));
        applyTheme(Theme::Dark);
        QTRY_VERIFY(said->palette().color(QPalette::WindowText) != light);
        QCOMPARE(said->palette().color(QPalette::WindowText), textColor(StatusColor::Good, darkPalette()));
        applyTheme(Theme::Light);
    }

    void whatIsFoundIsSaidWhileItRuns()
    {
        ResultView view;
        view.expect({});
        QVERIFY(view.text().contains(QStringLiteral("No violations")));
        Findings findings;
        findings.overlaps = 1;
        findings.examples = {sampleViolation()};
        view.showFindings(findings, {"sim:a:1"});
        QVERIFY(view.text().contains(QStringLiteral("1 violation")));
        findings.overlaps = 900;
        view.showFindings(findings, {"sim:a:1"});
        QVERIFY(view.text().contains(QStringLiteral("900 violation")));
    }

    void aFailureIsSaid()
    {
        ResultView view;
        view.show(fairReport());
        QVERIFY(view.findChild<QPushButton *>(QStringLiteral("exportReport"))->isEnabled());
        view.expect({});
        view.showFailure(QStringLiteral("Nobody listens."));
        QVERIFY(view.text().contains(QStringLiteral("Nobody listens.")));
        // The earlier run's report must not pass for this one's.
        QVERIFY(!view.report());
        QVERIFY(!view.findChild<QPushButton *>(QStringLiteral("exportReport"))->isEnabled());
    }

    void aReportIsWrittenAndReadBack()
    {
        const QTemporaryDir directory;
        const QString json = directory.filePath(QStringLiteral("report.json"));
        QCOMPARE(writeReport(fairReport(), json), QString());
        const QJsonObject read = QJsonDocument::fromJson(contentOf(json)).object();
        QCOMPARE(read, toJson(fairReport()));
        QCOMPARE(read[QLatin1StringView("scenario")].toString(), QStringLiteral("fair-vs-unfair"));
        QCOMPARE(read[QLatin1StringView("acts")].toArray().size(), 2);

        const QString text = directory.filePath(QStringLiteral("report.txt"));
        QCOMPARE(writeReport(fairReport(), text), QString());
        QCOMPARE(QString::fromUtf8(contentOf(text)), describe(fairReport()) + u'\n');

        const QString problem =
            writeReport(fairReport(), directory.filePath(QStringLiteral("no/such/place")));
        QVERIFY2(problem.contains(QStringLiteral("was not written")), qPrintable(problem));
    }

    void anOwnSetUpIsAReportToo()
    {
        ScenarioReport report;
        report.reports = {sampleReport(StrategyKind::Handoff, 60, 2ms)};
        QCOMPARE(toJson(report)[QLatin1StringView("strategy")].toString(), QStringLiteral("handoff"));
        QCOMPARE(toJson(report)[QLatin1StringView("acquired")].toInt(), 60);
        QVERIFY(!describe(report).isEmpty());
    }

private:
    static void showLow(ResultView &view)
    {
        view.resize(360, 400);
        view.setVisible(true);
    }
    /// One act with these violations.
    static ScenarioReport reportOf(const QList<Violation> &violations)
    {
        ScenarioReport report;
        report.acts = {{Phrase(), Plan()}};
        report.reports = {sampleReport(StrategyKind::TokenSet, 100, 1ms)};
        Findings &findings = report.reports[0].findings;
        findings.examples = violations;
        findings.overlaps = std::ranges::count(violations, ViolationKind::Overlap, &Violation::kind);
        findings.foreignReleases =
            std::ranges::count(violations, ViolationKind::ForeignRelease, &Violation::kind);
        return report;
    }
    static ScenarioReport fairReport()
    {
        ScenarioReport report;
        report.scenario = scenarioFromName("fair-vs-unfair");
        report.acts = {{Phrase::verbatim(QStringLiteral("first act")), Plan()},
                       {Phrase::verbatim(QStringLiteral("second act")), Plan()}};
        report.reports = {sampleReport(StrategyKind::TokenSet, 100, 8ms),
                          sampleReport(StrategyKind::Handoff, 200, 2ms)};
        const Phrase what = Phrase::verbatim(QStringLiteral("All got it equally often."));
        report.verdict = {true, {what}, {Verdict::Point::Met}, {{Phrase(), what, Phrase(), Phrase()}}};
        return report;
    }
    static QString verdict(const ResultView &view)
    {
        return view.findChild<VerdictLine *>(QStringLiteral("verdict"))->text();
    }
    static QByteArray contentOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
};

QTEST_MAIN(ResultViewTest)
#include "tst_resultview.moc"
