// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/compareview.h"

#include "ui/simulation/fields.h"
#include "ui/simulation/plots.h"
#include "ui/simulation/runpair.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/plaintext.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

namespace lockscope {

namespace {

/// Below this width, the plot goes below the table.
constexpr int sideBySideCharacters = 100;
/// Below this height in lines of text, either timelines or figures are shown.
constexpr int linesForBoth = 36;

} // namespace

CompareView::CompareView(QWidget *parent)
    : QWidget(parent), m_stack(new QStackedWidget(this)), m_comparison(new Comparison(this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto *nothing = new EmptyState(this);
    nothing->setMessage(
        Glyph::Panel, tr("Nothing to compare yet"),
        tr("Compares two runs of this session. Run two simulations, or a scenario with several "
           "phases such as fair-vs-unfair."),
        {});
    m_stack->addWidget(nothing);
    m_stack->addWidget(buildContents());
    setLayout(columnOf({m_stack}, 0, {}));
}

QWidget *CompareView::buildContents()
{
    auto *contents = new QWidget(this);
    m_first = choice(contents);
    m_second = choice(contents);
    m_first->setObjectName(QStringLiteral("firstRun"));
    m_second->setObjectName(QStringLiteral("secondRun"));
    auto *runs = new QHBoxLayout;
    runs->setSpacing(8);
    for (const auto &[word, box] : {std::pair(tr("A"), m_first), std::pair(tr("B"), m_second)}) {
        auto *label = new QLabel(word, contents);
        label->setBuddy(box);
        box->setAccessibleName(tr("Run %1").arg(word));
        runs->addWidget(label);
        runs->addWidget(box, 1);
        connect(box, &QComboBox::currentIndexChanged, this, &CompareView::showChosen);
    }
    m_showsFigures = new QToolButton(contents);
    m_showsFigures->setObjectName(QStringLiteral("showFigures"));
    m_showsFigures->setText(tr("Figures"));
    m_showsFigures->setToolTip(
        tr("Show figures and waiting times instead of the timelines. A higher panel shows both."));
    m_showsFigures->setCheckable(true);
    m_showsFigures->setFocusPolicy(Qt::TabFocus);
    connect(m_showsFigures, &QToolButton::toggled, this, &CompareView::fitHeight);
    runs->addWidget(m_showsFigures);
    m_timelines = new RunPair(contents); // before the table, as Tab reaches them
    m_table = new QTableView(contents);
    m_table->setModel(m_comparison);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setTabKeyNavigation(false);
    m_table->setAccessibleName(tr("Comparison"));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(Comparison::Name, QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_waits = new WaitPlot(contents);
    m_splitter = new QSplitter(Qt::Vertical, contents);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(5);
    m_splitter->addWidget(m_table);
    m_splitter->addWidget(m_waits);
    m_splitter->setSizes({500, 400});
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    auto *both = new QSplitter(Qt::Vertical, contents);
    both->setChildrenCollapsible(false);
    both->setHandleWidth(5);
    both->addWidget(m_timelines);
    both->addWidget(m_splitter);
    both->setStretchFactor(0, 1);
    both->setStretchFactor(1, 0);
    both->setSizes({500, 400});
    contents->setLayout(columnOf({runs, {both, 1}}, usualSpacing, {12, 8, 12, 8}));
    return contents;
}

void CompareView::add(const QList<CompletedRun> &runs)
{
    if (runs.isEmpty())
        return;
    const QSignalBlocker quietFirst(m_first);
    const QSignalBlocker quietSecond(m_second);
    for (const CompletedRun &run : runs) {
        m_runs.append(run);
        const QString label = tr("%1. %2", "number and title").arg(++m_number).arg(run.title);
        m_first->addItem(label);
        m_second->addItem(label);
    }
    while (m_runs.size() > maxRuns) {
        m_runs.removeFirst();
        m_first->removeItem(0);
        m_second->removeItem(0);
    }
    boundTraces();
    const int last = static_cast<int>(m_runs.size()) - 1;
    const int first = runs.size() > 1 ? std::max(0, last + 1 - static_cast<int>(runs.size())) : last - 1;
    if (first >= 0)
        compare(first, last);
}

/// Drops old traces beyond the limit; their runs are marked as not recorded.
void CompareView::boundTraces()
{
    qsizetype kept = 0;
    for (auto run = m_runs.rbegin(); run != m_runs.rend(); ++run) {
        RunTrace &trace = run->report.trace;
        kept += trace.entries().size();
        if (kept > maxEntries && !trace.isEmpty())
            trace = RunTrace({}, trace.leftOut() + trace.entries().size(), microseconds(0));
    }
}

void CompareView::compare(int first, int second)
{
    m_first->setCurrentIndex(first);
    m_second->setCurrentIndex(second);
    showChosen();
}

void CompareView::showChosen()
{
    const int first = m_first->currentIndex();
    const int second = m_second->currentIndex();
    if (m_runs.size() < 2 || first < 0 || second < 0)
        return;
    const CompletedRun &a = m_runs.at(first);
    const CompletedRun &b = m_runs.at(second);
    m_comparison->compare(a.report, b.report);
    m_timelines->show(a, b);
    m_waits->show({{tr("A"), a.report.total.wait}, {tr("B"), b.report.total.wait}});
    m_first->setToolTip(plainToolTip(a.title));
    m_second->setToolTip(plainToolTip(b.title));
    m_stack->setCurrentIndex(1);
}

void CompareView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const bool isWide = width() >= latinWidth(fontMetrics(), sideBySideCharacters);
    m_splitter->setOrientation(isWide ? Qt::Horizontal : Qt::Vertical);
    fitHeight();
}

void CompareView::fitHeight()
{
    const bool hasRoomForBoth = height() >= linesForBoth * fontMetrics().lineSpacing();
    m_showsFigures->setVisible(!hasRoomForBoth);
    m_timelines->setVisible(hasRoomForBoth || !m_showsFigures->isChecked());
    m_splitter->setVisible(hasRoomForBoth || m_showsFigures->isChecked());
    m_timelines->setAxisShared(!hasRoomForBoth);
}

} // namespace lockscope
