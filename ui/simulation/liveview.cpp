// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/liveview.h"

#include "core/words/durations.h"
#include "ui/simulation/metricsbar.h"
#include "ui/simulation/plots.h"
#include "ui/simulation/resultview.h"
#include "ui/simulation/runtimeline.h"
#include "ui/simulation/workersview.h"
#include "ui/widgets/boxes.h"

#include <QComboBox>
#include <QLocale>
#include <QTabWidget>

namespace lockscope {

LiveView::LiveView(QWidget *parent)
    : QWidget(parent),
      m_figures(new MetricsBar(this)),
      m_tabs(new QTabWidget(this)),
      m_timeline(new RunTimeline(this)),
      m_workers(new WorkersView(this)),
      m_throughput(new ThroughputPlot(this)),
      m_waits(new WaitPlot(this)),
      m_result(new ResultView(this))
{
    auto *details = new QWidget(this);
    auto *plots = lineOf({{m_throughput, 1}, {m_waits, 1}}, 14);
    details->setLayout(columnOf({{m_workers, 1}, {plots, 1}}, 6, {12, 8, 12, 8}));
    details->setAutoFillBackground(true);
    details->setBackgroundRole(QPalette::Base);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_timeline, tr("&Timeline"));
    m_tabs->addTab(details, tr("&Workers"));
    m_tabs->setCornerWidget(&m_timeline->runs());
    auto *body = lineOf({{m_tabs, 5}, {m_result, 3}}, 8);
    setLayout(columnOf({m_figures, {body, 1}}, 6, {}));
    m_figures->setContentsMargins(12, 0, 12, 0);
    connect(m_timeline, &RunTimeline::runShown, this, [this](const Report &report) {
        m_figures->show(report, measureOf(Metric::Kind::Throughput, report).value);
    });
}

void LiveView::begin(const QString &phase, const Plan &plan)
{
    m_plan = plan;
    m_progress = tr("starting…");
    m_timeline->begin(phase, plan);
    m_figures->clear();
    m_workers->clear();
    m_workers->setActive(true);
    m_throughput->clear();
    m_waits->show({});
    m_waitsShown = -1;
    m_rate.clear();
    m_elapsed = microseconds(0);
}

void LiveView::show(const SimulationSnapshot &snapshot, const QList<QByteArray> &keys)
{
    // A phase that proved nothing is run again: its time begins anew.
    if (snapshot.elapsed < m_elapsed)
        begin(m_timeline->title(), m_plan);
    m_elapsed = snapshot.elapsed;
    const Report soFar = reportSoFar(snapshot);
    const std::optional<double> rate = m_rate.take(snapshot.elapsed, snapshot.total.acquired);
    const QString elapsed = shortTime(snapshot.elapsed, QLocale());
    if (m_plan.rounds)
        m_progress = tr("round %1 of %2, %3").arg(snapshot.round).arg(*m_plan.rounds).arg(elapsed);
    else if (m_plan.script.isEmpty())
        m_progress = tr("%1 of %2", "elapsed, in all").arg(elapsed, shortTime(m_plan.duration, QLocale()));
    else
        m_progress = elapsed;
    m_timeline->take(snapshot, keys);
    m_result->showFindings(snapshot.findings, keys);
    m_figures->show(soFar, rate);
    m_workers->show(snapshot, keys);
    if (rate)
        m_throughput->add(snapshot.elapsed, *rate);
    if (m_waitsShown != soFar.total.wait.count()) {
        m_waitsShown = soFar.total.wait.count();
        m_waits->show(soFar.total.wait);
    }
}

void LiveView::end(const QString &how, const QList<CompletedRun> &runs)
{
    m_progress = how;
    m_workers->setActive(false);
    m_timeline->show(runs);
}

void LiveView::showTimeline()
{
    m_tabs->setCurrentWidget(m_timeline);
}

} // namespace lockscope
