// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/resultview.h"

#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/simulationmessages.h"
#include "core/words/texts.h"
#include "ui/simulation/metrics.h"
#include "ui/simulation/simulationsetup.h"
#include "ui/simulation/storylabel.h"
#include "ui/simulation/verdictline.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/fileexport.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"

#include <QEvent>
#include <QGridLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>

namespace lockscope {

namespace {

constexpr int resultMargin = 12;
constexpr qsizetype maxStories = 20;
constexpr qsizetype maxLiveStories = 5;
constexpr double verdictScale = 1.7;
constexpr double pointScale = 1.2;

QFont larger(QFont font)
{
    font.setPointSizeF(font.pointSizeF() * pointScale);
    return font;
}

QString rawHoldCount(const Findings &findings)
{
    return ResultView::tr("%n violation(s)", nullptr, static_cast<int>(findings.violations()));
}

QStringList storiesOf(const Findings &findings, const QList<QByteArray> &keys, qsizetype most)
{
    QStringList examples;
    for (const Violation &violation : worthTelling(findings.examples, most))
        examples << inWords(storyOf(violation, keys));
    return examples;
}

} // namespace

ResultView::ResultView(QWidget *parent)
    : QWidget(parent),
      m_scroll(new QScrollArea(this)),
      m_body(new QWidget(m_scroll)),
      m_column(new QVBoxLayout(m_body)),
      m_said(plainLabel(this)),
      m_export(new QPushButton(tr("E&xport…"), this))
{
    setAccessibleName(Texts::tr("Result"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_body->setBackgroundRole(QPalette::Base);
    m_column->setContentsMargins(resultMargin, 8, resultMargin, 8);
    m_column->setSpacing(4);
    m_scroll->setAccessibleName(Texts::tr("Result"));
    m_scroll->setWidget(m_body);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_export->setObjectName(QStringLiteral("exportReport"));
    m_export->setToolTip(tr("Save the report as JSON or text"));
    m_said->setObjectName(QStringLiteral("exportSaid"));
    m_said->hide();
    auto *foot = lineOf({{m_said, 1}, Stretch{}, m_export}, usualSpacing, {resultMargin, 4, resultMargin, 8});
    setLayout(columnOf({{m_scroll, 1}, foot}, 0, {}));
    setMinimumWidth(latinWidth(fontMetrics(), 36));
    connect(m_export, &QPushButton::clicked, this, &ResultView::exportWanted);
    rebuild();
}

void ResultView::expect(const QString &expectation)
{
    m_expectation = expectation;
    m_report.reset();
    m_failure.clear();
    m_findings = {};
    m_running = true;
    m_said->hide();
    rebuild();
}

void ResultView::showFindings(const Findings &findings, const QList<QByteArray> &keys)
{
    const bool isNews =
        storiesOf(findings, keys, maxLiveStories) != storiesOf(m_findings, m_keys, maxLiveStories);
    m_findings = findings;
    m_keys = keys;
    // Built anew only for a new story: what is being read or selected should stay.
    if (isNews)
        rebuild();
    else if (m_count && m_running)
        m_count->setText(rawHoldCount(findings));
}

void ResultView::show(const ScenarioReport &report)
{
    m_report = report;
    m_expectation = report.scenario ? inWords(report.scenario->expectation) : QString();
    m_running = false;
    rebuild();
}

void ResultView::showFailure(const QString &why)
{
    m_failure = why;
    m_running = false;
    rebuild();
}

void ResultView::showMessage(bool good, const QString &text)
{
    m_messageColor = good ? StatusColor::Good : StatusColor::Danger;
    applyTextColor(m_said, m_messageColor);
    m_said->setText(text);
    m_said->show();
}

QString ResultView::text() const
{
    QStringList texts;
    for (const QLabel *label : m_body->findChildren<QLabel *>())
        texts << label->text();
    return texts.join(u'\n');
}

void ResultView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    // Later: who tells all widgets of a new palette must not find some of them deleted meanwhile.
    if (event->type() == QEvent::PaletteChange)
        QMetaObject::invokeMethod(this, &ResultView::rebuild, Qt::QueuedConnection);
}

void ResultView::clear()
{
    // At once: what is deleted later would still be found, and read, until then.
    // Stories may come again: one that has the focus keeps it.
    m_oldStories = std::exchange(m_stories, {});
    while (const auto item = std::unique_ptr<QLayoutItem>(m_column->takeAt(0))) {
        if (std::ranges::find(m_oldStories, item->widget()) == m_oldStories.end())
            delete item->widget();
    }
    m_count = nullptr;
}

void ResultView::rebuild()
{
    clear();
    applyTextColor(m_said, m_messageColor);
    m_export->setEnabled(m_report.has_value() && !m_report->reports.isEmpty() && !m_running);
    if (!m_failure.isEmpty()) {
        addTitle(tr("The simulation did not run"));
        addPoint(false, m_failure);
    } else if (m_running) {
        if (!m_expectation.isEmpty())
            addTitle(tr("Expected"));
        addExpectation();
        addTitle(tr("So far"));
        addFindings(m_findings, m_keys);
    } else if (m_report) {
        addVerdict(*m_report);
        for (qsizetype i = 0; i < m_report->reports.size(); ++i)
            addFigures(m_report->acts.value(i), m_report->reports.at(i), int(i));
    }
    m_column->addStretch();
    qDeleteAll(std::exchange(m_oldStories, {}));
}

QLabel *ResultView::addText(const QString &text, const QString &objectName)
{
    QLabel *label = plainLabel(m_body, text);
    label->setObjectName(objectName);
    m_column->addWidget(label);
    return label;
}

void ResultView::addTitle(const QString &text)
{
    if (m_column->count() > 0)
        m_column->addSpacing(8);
    QLabel *title = addText(text);
    title->setFont(strong(title->font(), pointScale));
}

VerdictLine *ResultView::addPoint(bool good, const QString &text)
{
    auto *line = new VerdictLine(good ? StatusColor::Good : StatusColor::Danger,
                                 good ? Glyph::Check : Glyph::Cross, text, m_body);
    m_column->addWidget(line);
    return line;
}

void ResultView::addExpectation()
{
    if (!m_expectation.isEmpty())
        addText(m_expectation)->setFont(larger(font()));
}

void ResultView::addVerdict(const ScenarioReport &report)
{
    if (!report.scenario) {
        addTitle(report.stopped ? tr("Custom setup, stopped") : tr("Custom setup, completed"));
        return;
    }
    const bool met = report.verdict.met;
    auto *head = report.stopped
                     ? new VerdictLine(StatusColor::Warning, Glyph::Stop, tr("Stopped: no result"), m_body)
                     : new VerdictLine(met ? StatusColor::Good : StatusColor::Danger,
                                       met ? Glyph::Check : Glyph::Cross,
                                       met ? tr("Expectation met") : tr("Expectation not met"), m_body);
    head->setObjectName(QStringLiteral("verdict"));
    head->makeStrong(verdictScale);
    m_column->addWidget(head);
    addExpectation();
    addComparisons(report.verdict);
}

/// What was expected of each point beside what was found.
void ResultView::addComparisons(const Verdict &verdict)
{
    auto *table = new QWidget(m_body);
    auto *grid = new QGridLayout(table);
    grid->setContentsMargins(0, 6, 0, 0);
    grid->setHorizontalSpacing(14);
    grid->setColumnStretch(0, 1);
    m_column->addWidget(table);
    const auto add = [&](const QString &text, int column, const QFont &font) {
        auto *label = new QLabel(text, table);
        label->setTextFormat(Qt::PlainText);
        label->setFont(font);
        label->setWordWrap(column == 0);
        grid->addWidget(label, grid->rowCount() - (column == 0 ? 0 : 1), column, Qt::AlignTop);
        return label;
    };
    Phrase phase;
    for (qsizetype i = 0; i < verdict.findings.size(); ++i) {
        const QString sentence = inWords(verdict.findings.at(i));
        const Verdict::Comparison compared = verdict.comparisons.value(i);
        if (compared.what.isEmpty()) {
            addText(sentence);
            continue;
        }
        if (i == 0 || compared.phase != phase) {
            phase = compared.phase;
            add(phaseTitle(phase), 0, strong(font(), pointScale));
            if (i == 0) {
                add(tr("Expected"), 1, font());
                add(tr("Found"), 2, font());
            }
        }
        const bool isMet = verdict.points.value(i) == Verdict::Point::Met;
        const auto color = isMet ? StatusColor::Good : StatusColor::Danger;
        auto *line =
            new VerdictLine(color, isMet ? Glyph::Check : Glyph::Cross, inWords(compared.what), table);
        line->setAccessibleName(sentence);
        line->setFont(larger(font()));
        grid->addWidget(line, grid->rowCount(), 0);
        add(inWords(compared.expected), 1, larger(font()));
        applyTextColor(add(inWords(compared.found), 2, strong(font(), pointScale)), color);
    }
}

void ResultView::addFindings(const Findings &findings, const QList<QByteArray> &keys, int run)
{
    const qint64 count = findings.violations();
    if (count == 0) {
        addPoint(true, tr("No violations"));
        return;
    }
    m_count = addPoint(false, rawHoldCount(findings));
    const QList<Violation> examples =
        worthTelling(findings.examples, m_running ? maxLiveStories : maxStories);
    for (const Violation &violation : examples) {
        addStory(inWords(storyOf(violation, keys)),
                 [this, run, at = violation.at] { emit momentWanted(run, at); });
    }
    if (count > examples.size() && !m_running)
        applyTextColor(addText(tr("… and more")), StatusColor::Muted);
}

void ResultView::addStory(const QString &text, const std::function<void()> &whenActivated)
{
    const auto old = std::ranges::find(m_oldStories, text, &StoryLabel::text);
    auto *story = old == m_oldStories.end() ? new StoryLabel(text, m_body) : *old;
    if (old != m_oldStories.end())
        m_oldStories.erase(old);
    story->setObjectName(QStringLiteral("story"));
    applyTextColor(story, StatusColor::Danger);
    m_column->addWidget(story);
    story->raise(); // behind what stands before it, for whoever reads the labels in turn
    story->disconnect(this);
    connect(story, &StoryLabel::activated, this, whenActivated);
    setTabOrder(m_stories.isEmpty() ? static_cast<QWidget *>(m_scroll) : m_stories.last(), story);
    m_stories.append(story);
}

void ResultView::addFigures(const ScenarioPhase &act, const Report &report, int run)
{
    addTitle(act.title.isEmpty() ? tr("Violations and figures") : phaseTitle(act.title));
    addFindings(report.findings, report.keys, run);
    auto *figures = new PropertyGrid(m_body);
    for (const Metric &measure : measuresOf(report)) {
        if (!isWorthSaying(measure))
            continue;
        QLabel *value = figures->add(nameOf(measure.kind));
        value->setText(textOf(measure));
        value->setToolTip(meaningOf(measure.kind));
        if (measure.isFinding)
            applyTextColor(value, StatusColor::Danger);
    }
    m_column->addSpacing(2);
    m_column->addWidget(figures);
}

QString writeReport(const ScenarioReport &report, const QString &path)
{
    const bool isText = path.endsWith(QStringLiteral(".txt"), Qt::CaseInsensitive);
    const QByteArray content = isText ? describe(report).toUtf8() + '\n'
                                      : QJsonDocument(toJson(report)).toJson(QJsonDocument::Indented);
    return saveFile(path, [&content](const ExportSink &write) { write(content); });
}

} // namespace lockscope
